"""On topics listed as high-risk the key conditions are confirmed first; then the question that waited is answered."""

from __future__ import annotations

import pytest

import anaphor
from anaphor.errors import BadSettings
from anaphor.settings import read
from anaphor.types import Decision, HighRisk, Outcome

TOPICS = {
    "en": "dose, dosage: for whom, age and weight",
    "zh-Hant": "劑量、用量：給誰用、年齡和體重",
    "zh-Hans": "剂量、用量：给谁用、年龄和体重",
    "ja": "用量、投与量：どなたが使うか、年齢と体重",
}
LEAFLET = {
    "en": "Panafen leaflet\n\nThe dose of Panafen is 500 mg for adults and 250 mg for children. Panafen is kept dry.\n",
    "zh-Hant": "普安芬說明\n\n普安芬的劑量是成人 500 毫克，兒童 250 毫克。普安芬要放在乾燥處。\n",
    "zh-Hans": "普安芬说明\n\n普安芬的剂量是成人 500 毫克，儿童 250 毫克。普安芬要放在干燥处。\n",
    "ja": "パナフェン説明書\n\nパナフェンの用量は成人500ミリグラム、小児250ミリグラムです。乾燥した場所に置きます。\n",
}
ASKED = {
    "en": ("What is the dose of Panafen?", "For an adult, 70 kg.", "yes", "no thanks"),
    "zh-Hant": ("普安芬的劑量是多少？", "給成人用，70 公斤。", "是的", "不用了"),
    "zh-Hans": ("普安芬的剂量是多少？", "给成人用，70 公斤。", "是的", "不用了"),
    "ja": ("パナフェンの用量はどのくらいですか？", "成人で、70キロです。", "はい", "いいえ"),
}


def assistant(language, tmp_path, **more):
    path = tmp_path / "leaflet.md"
    path.write_text(LEAFLET[language], "utf-8")
    opened = anaphor.open(":memory:", embedder="none", high_risk=TOPICS[language], **more)
    opened.ingest(path)
    return opened


@pytest.mark.parametrize("language", list(ASKED))
@pytest.mark.parametrize("reply", [1, 2])
def test_the_conditions_are_asked_for_and_then_the_question_is_answered(language, reply, tmp_path):
    asking = assistant(language, tmp_path)
    first = asking.ask(ASKED[language][0])
    conditions = TOPICS[language].replace("：", ":").split(":")[1].strip()
    assert first.outcome is Outcome.CLARIFYING
    assert conditions in first.answer
    assert "500" not in first.answer
    assert first.ranking == ()
    second = asking.ask(ASKED[language][reply], session=first.session_id)
    assert second.outcome is Outcome.ANSWERED
    assert "500" in second.answer
    assert second.query.text.startswith(first.query.text)
    assert [carried.seq for carried in second.query.carried] == [1]
    assert (ASKED[language][reply] in second.query.text) is (reply == 1)


@pytest.mark.parametrize("language", list(ASKED))
def test_who_does_not_confirm_is_not_answered(language, tmp_path):
    asking = assistant(language, tmp_path)
    first = asking.ask(ASKED[language][0])
    second = asking.ask(ASKED[language][3], session=first.session_id)
    assert "500" not in second.answer
    again = asking.ask(ASKED[language][0], session=first.session_id)
    assert again.outcome is Outcome.CLARIFYING


def test_asking_the_same_again_confirms_nothing(tmp_path):
    asking = assistant("en", tmp_path)
    first = asking.ask(ASKED["en"][0])
    for _ in range(3):
        again = asking.ask(ASKED["en"][0], session=first.session_id)
        assert again.outcome is Outcome.CLARIFYING


@pytest.mark.parametrize("language", list(ASKED))
def test_what_was_confirmed_is_not_asked_for_again(language, tmp_path):
    asking = assistant(language, tmp_path)
    first = asking.ask(ASKED[language][0])
    asking.ask(ASKED[language][1], session=first.session_id)
    third = asking.ask(ASKED[language][0], session=first.session_id)
    assert third.outcome is Outcome.ANSWERED


@pytest.mark.parametrize("language", list(ASKED))
def test_other_questions_are_answered_at_once(language, tmp_path):
    question = {
        "en": "Where is Panafen kept?",
        "zh-Hant": "普安芬要放在哪裡？",
        "zh-Hans": "普安芬要放在哪里？",
        "ja": "パナフェンはどこに置きますか？",
    }[language]
    done = assistant(language, tmp_path).ask(question)
    assert done.outcome is Outcome.ANSWERED


def test_without_topics_nothing_is_asked_back(tmp_path):
    path = tmp_path / "leaflet.md"
    path.write_text(LEAFLET["en"], "utf-8")
    opened = anaphor.open(":memory:", embedder="none")
    opened.ingest(path)
    done = opened.ask(ASKED["en"][0])
    assert (done.outcome, done.query.decision) == (Outcome.ANSWERED, Decision.STANDALONE)


def test_topics_are_read_from_a_text_or_a_list():
    wanted = (HighRisk(("dose", "劑量"), "age"), HighRisk(("dismissal",), "country"))
    assert read({"high_risk": "dose, 劑量: age; dismissal：country"}, environment={}).high_risk == wanted
    assert read({"high_risk": ["dose、劑量: age", "dismissal: country"]}, environment={}).high_risk == wanted
    for wrong in ("dose", "dose:", ": age", "", 3):
        with pytest.raises(BadSettings, match="high_risk"):
            read({"high_risk": wrong}, environment={})
