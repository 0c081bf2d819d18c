"""What a person only tells is acknowledged, unless a source is about it; it stays what the person said."""

from __future__ import annotations

import pytest

import anaphor
from anaphor.adapters.fake import ScriptedModel
from anaphor.steps.answer import answer
from anaphor.steps.answer.telling import only_tells
from anaphor.types import Decision, Evidence, EvidenceClass, Outcome, Question, Sources, StandaloneQuery

SHOP = {
    "en": (
        "Support is open Monday to Friday from nine to six. "
        "If an order arrives broken, send a photo within 7 days and it is replaced."
    ),
    "zh-Hant": "客服時間是週一到週五，上午九點到下午六點。訂單到貨時壞了，請在 7 天內寄照片，我們會換新。",
    "zh-Hans": "客服时间是周一到周五，上午九点到下午六点。订单到货时坏了，请在 7 天内寄照片，我们会换新。",
    "ja": "サポートは月曜から金曜、9時から18時までです。注文した商品が壊れていたら、7日以内に写真を送れば交換します。",
}
TOLD = {
    "en": ("I moved the dentist to Friday.", "My name is Mei and I live in Hualien.", "We adopted a cat."),
    "zh-Hant": ("我叫小美，住在花蓮。", "我把牙醫改到週五了", "我們家養了一隻貓。"),
    "zh-Hans": ("我叫小美，住在花莲。", "我把牙医改到周五了", "我们家养了一只猫。"),
    "ja": ("歯医者を金曜にしました", "私は美咲で、花蓮に住んでいます。", "うちは猫を飼っています。"),
}
HEARD = {"en": "Noted.", "zh-Hant": "好，我知道了。", "zh-Hans": "好，我知道了。", "ja": "了解しました。"}


def assistant(language, tmp_path):
    path = tmp_path / "shop.md"
    path.write_text(SHOP[language], "utf-8")
    opened = anaphor.open(":memory:", embedder="none")
    opened.ingest(path)
    return opened


@pytest.mark.parametrize("language", list(TOLD))
@pytest.mark.parametrize("n", range(3))
def test_what_is_only_told_is_acknowledged_in_the_language_of_the_person(language, n, tmp_path):
    done = assistant(language, tmp_path).ask(TOLD[language][n])
    assert done.outcome is Outcome.SMALL_TALK
    assert done.answer == HEARD[language]
    assert done.citations == ()
    assert done.query.decision is not Decision.SMALL_TALK


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "My order arrived broken."),
        ("zh-Hant", "我的訂單到貨時壞了。"),
        ("zh-Hans", "我的订单到货时坏了。"),
        ("ja", "注文した商品が壊れていました。"),
    ],
)
def test_what_a_source_is_about_finds_its_rule(language, told, tmp_path):
    done = assistant(language, tmp_path).ask(told)
    assert done.outcome is Outcome.ANSWERED
    assert "7" in done.answer


@pytest.mark.parametrize(
    "told", ["We get K-58 on our broker.", "我們的訊息佇列一直出現 K-58。", "うちのブローカーでK-58が出ています。"]
)
def test_an_identifier_that_a_source_has_is_looked_at(told, tmp_path):
    path = tmp_path / "errors.md"
    path.write_text(
        "K-58 means that the disk is full.\n\n代碼 K-58 表示磁碟已滿。\n\nK-58はディスクが満杯です。\n", "utf-8"
    )
    opened = anaphor.open(":memory:", embedder="none")
    opened.ingest(path)
    done = opened.ask(told)
    assert done.outcome in (Outcome.ANSWERED, Outcome.DECLINED)  # a decline, too, tells the nearest thing there is
    assert "K-58" in done.answer


@pytest.mark.parametrize("language", list(TOLD))
def test_it_is_kept_as_the_persons_words_and_can_be_recalled_and_carried(language, tmp_path):
    opened = assistant(language, tmp_path)
    told = TOLD[language][0]
    first = opened.ask(told)
    asked = {
        "en": "When is the dentist?",
        "zh-Hant": "我住在哪裡？",
        "zh-Hans": "我住在哪里？",
        "ja": "歯医者はいつですか？",
    }
    again = opened.ask(asked[language], sources=Sources.MEMORY)
    assert any(told.rstrip("。.") in (cited.quote or "") for cited in again.citations), again.answer
    assert {cited.evidence_class for cited in again.citations} == {EvidenceClass.USER_STATEMENT}
    (turn,) = opened.store.turns.recent(opened.scope.within(first.session_id), 5)
    assert turn.carriable_question == told


@pytest.mark.parametrize(
    "text",
    [
        "What time does support open?",
        "I need to reset my password.",
        "I forgot my password.",
        "warranty period",
        "Tell me about my order.",
        "我想知道保固期",
        "我要退貨",
        "我忘記密碼了",
        "保固期",
        "客服幾點開？",
        "我的訂單在哪？",
        "パスワードを忘れました",
        "返品したいです",
        "会議室の定員",
        "私の注文はどこですか？",
    ],
)
def test_whoever_asks_or_wants_something_is_answered(text):
    assert not only_tells(Question(text, "t"), StandaloneQuery(text, Decision.STANDALONE, 1.0))


@pytest.mark.parametrize("decision", [Decision.CORRECTION, Decision.CLARIFICATION, Decision.COMMAND])
def test_what_takes_something_up_is_no_mere_telling(decision):
    told = TOLD["en"][0]
    assert not only_tells(Question(told, "t"), StandaloneQuery(told, decision, 1.0, "en"))


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("I moved the dentist to Friday.", True),
        ("My favourite colour is green.", True),
        ("我上個月離職了。", True),
        ("私は東京に住んでいます。", True),
        ("I mean the one on Friday.", False),
        ("The one on Friday is mine.", False),
        ("我是說星期五那個。", False),
    ],
)
def test_who_begins_with_themselves_tells_whatever_could_be_taken_on(text, tells):
    assert only_tells(Question(text, "t"), StandaloneQuery(text, Decision.FOLLOW_UP, 1.0)) is tells


def test_no_model_is_asked_about_what_is_only_told():
    told = TOLD["en"][0]
    model = ScriptedModel([])
    draft = answer(
        Question(told, "t1"),
        StandaloneQuery(told, Decision.STANDALONE, 1.0, "en"),
        Evidence(),
        model,
        temperature=0.3,
        timeout=9.0,
        release=lambda claim: None,
        cancelled=lambda: False,
    )
    assert (draft.opening, draft.claims, model.requests) == ("Noted.", (), [])
