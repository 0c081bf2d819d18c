"""The whole system from Python: open, ingest, ask, follow up, read."""

import threading
from dataclasses import replace

import pytest

from anaphor.adapters.fake import FixedClock
from anaphor.errors import (
    BadInput,
    BadSettings,
    EmptyQuestion,
    ModelUnavailable,
    StoreFull,
    TurnInProgress,
    UnknownDocument,
    UnknownSession,
)
from anaphor.settings import read
from anaphor.types import Outcome, Question, Sources
from anaphor.wiring import build
from anaphor.wiring import open as open_assistant

TEXT = """# Retention

Kestrel keeps messages for 7 days.

## Free plan

On the free plan messages are kept for 24 hours.
"""


@pytest.fixture(params=[":memory:", "kb.db"])
def assistant(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "retention.md").write_text(TEXT, encoding="utf-8")
    settings = read({"store": request.param, "embedder": "none", "wait": 0}, environment={})
    with build(settings, clock=FixedClock()) as made:
        made.ingest("retention.md")
        yield made


def test_open_ingest_ask_follow_up_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "retention.md").write_text(TEXT, encoding="utf-8")
    with open_assistant("kb.db", embedder="none") as assistant:
        assistant.ingest("retention.md")
        first = assistant.ask("How long does Kestrel keep messages?")
        second = assistant.ask("And on the free plan?", session=first.session_id)
    assert "7 days" in first.answer
    assert "24 hours" in second.answer
    assert (tmp_path / "kb.db").exists()


def test_every_setting_may_be_given_and_a_misspelt_one_is_told():
    with open_assistant(":memory:", embedder="none", window_turns=6, user="mei") as assistant:
        assert assistant.conversation.limits.window.turns == 6
        assert assistant.scope.user == "mei"
    with pytest.raises(BadSettings, match="did you mean 'window_turns'"):
        open_assistant(":memory:", window_turn=6)


def test_a_session_is_named_by_id_or_name(assistant):
    first = assistant.ask("How long does Kestrel keep messages?", name="retention")
    assert assistant.ask("And on the free plan?", session="retention").session_id == first.session_id
    with pytest.raises(UnknownSession):
        assistant.ask("x", session="nobody")
    with pytest.raises(BadInput):
        assistant.ask("How long?", name="retention")


def test_an_empty_question_leaves_no_session(assistant):
    with pytest.raises(EmptyQuestion):
        assistant.ask(" \n")
    assert assistant.sessions.list() == []


def test_a_trace_is_the_answer_again(assistant):
    answer = assistant.ask("How long does Kestrel keep messages?")
    assert assistant.trace(answer.session_id).as_dict() == answer.as_dict()
    assert assistant.trace(answer.session_id, answer.turn_id) == assistant.trace(answer.session_id, 1)


def test_search_finds_and_commits_nothing(assistant):
    hits = assistant.search("free plan").hits
    assert "24 hours" in hits[0].passage.text
    assert assistant.sessions.list() == []
    with pytest.raises(BadInput, match="sources is one of documents, memory, both"):
        assistant.search("x", sources="everywhere")


def test_what_happens_is_told_as_it_happens(assistant):
    heard = []
    assistant.ask("How long does Kestrel keep messages?", tell=lambda event, value: heard.append(event))
    assert heard == ["accepted", "query", "hits", "claim", "committed"]


def test_a_turn_that_runs_is_waited_for_or_refused(assistant):
    session = assistant.sessions.start().session_id
    scope = assistant.scope.within(session)
    running = assistant.store.turns.accept(scope, Question("still running", "t0"), lease=60)
    with pytest.raises(TurnInProgress) as refused:
        assistant.ask("How long does Kestrel keep messages?", session=session, wait=0.1)
    assert refused.value.seq == running.seq

    def finish():
        assistant.store.turns.commit(scope, replace(running, outcome=Outcome.DECLINED), {})

    timer = threading.Timer(0.3, finish)
    timer.start()
    try:
        assert assistant.ask("How long does Kestrel keep messages?", session=session, wait=20).seq == 2
    finally:
        timer.join()


def test_a_deleted_document_answers_nothing_any_more(assistant):
    (document,) = assistant.documents()
    assert assistant.delete_document("retention.md").document_id == document.document_id
    assert assistant.documents() == []
    assert assistant.search("free plan").hits == ()
    with pytest.raises(UnknownDocument):
        assistant.delete_document("retention.md")


def test_sessions_are_shown_renamed_and_deleted(assistant):
    answer = assistant.ask("How long does Kestrel keep messages?")
    assert [turn.question for turn in assistant.sessions.turns(answer.session_id)] == [answer.question]
    assert assistant.sessions.rename(answer.session_id, "保存期間").name == "保存期間"
    assert assistant.sessions.delete("保存期間").session_id == answer.session_id
    assert assistant.sessions.list() == []


def test_memory_is_a_source_of_its_own(assistant):
    answer = assistant.ask("My team uses the free plan.", sources=Sources.MEMORY)
    assert not [line for line in answer.ranking if line.passage_id.startswith("d")]


def test_an_embedder_that_fails_costs_no_document(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "retention.md").write_text(TEXT, encoding="utf-8")
    unreachable = {"embedder": "openai", "base_url": "http://127.0.0.1:9/v1", "model": "none", "embed_model": "e"}
    with build(read({"store": ":memory:", **unreachable}, environment={})) as assistant:
        report = assistant.ingest("retention.md")
        assert (report.counts, report.backlog) == ({"added": 1}, assistant.waiting)
        assert report.backlog
        with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9"):
            assistant.embed()
        assert assistant.waiting == report.backlog
        assert "7 days" in assistant.ask("How long does Kestrel keep messages?").answer


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("question", lambda a: a.ask(None)),
        ("question", lambda a: a.ask(b"x")),
        ("session", lambda a: a.ask("x", session=5)),
        ("name", lambda a: a.ask("x", name=None)),
        ("sources", lambda a: a.ask("x", sources=5)),
        ("filters", lambda a: a.ask("x", filters=["a"])),
        ("filters", lambda a: a.ask("x", filters={"language": 1})),
        ("turn_id", lambda a: a.ask("x", turn_id="")),
        ("turn_id", lambda a: a.ask("x", turn_id=1.5)),
        ("expected_seq", lambda a: a.ask("x", expected_seq="1")),
        ("wait", lambda a: a.ask("x", wait="soon")),
        ("wait", lambda a: a.ask("x", wait=float("nan"))),
        ("wait", lambda a: a.ask("x", wait=-1)),
        ("tell", lambda a: a.ask("x", tell="me")),
        ("cancelled", lambda a: a.ask("x", cancelled=True)),
        ("paths", lambda a: a.ingest()),
        ("paths", lambda a: a.ingest(None)),
        ("paths", lambda a: a.ingest(["a.md"])),
        ("paths", lambda a: a.ingest("a\0b")),
        ("paths", lambda a: a.ingest("")),
        ("collection", lambda a: a.ingest("retention.md", collection=None)),
        ("base", lambda a: a.ingest("retention.md", base=5)),
        ("on_file", lambda a: a.ingest("retention.md", on_file="x")),
        ("session", lambda a: a.trace(None)),
        ("turn", lambda a: a.trace(a.sessions.start("a").name, 1.5)),
        ("turn", lambda a: a.trace(a.sessions.start("a").name, True)),
        ("text", lambda a: a.search(None)),
        ("limit", lambda a: a.search("x", limit="5")),
        ("limit", lambda a: a.search("x", limit=0)),
        ("id_or_source", lambda a: a.delete_document(None)),
        ("name", lambda a: a.sessions.start(5)),
        ("session", lambda a: a.sessions.find(None)),
        ("session", lambda a: a.sessions.turns(1)),
        ("session", lambda a: a.sessions.running(1)),
        ("session", lambda a: a.sessions.delete(None)),
        ("session", lambda a: a.sessions.rename(None, "a")),
        ("name", lambda a: a.sessions.rename(a.sessions.start("a").name, None)),
    ],
)
def test_an_argument_of_another_kind_is_named(assistant, name, call):
    with pytest.raises(BadInput, match=f"^{name} ") as refused:
        call(assistant)
    assert "\n" not in str(refused.value)
    assert [session for session in assistant.sessions.list() if not session.name] == []


def test_whatever_keeps_a_question_out_leaves_no_session(assistant, monkeypatch):
    def full(*_, **__):
        raise StoreFull("no room left")

    monkeypatch.setattr(assistant.store.turns, "accept", full)
    with pytest.raises(StoreFull):
        assistant.ask("How long does Kestrel keep messages?")
    assert assistant.sessions.list() == []


def test_the_running_turn_of_a_session(assistant):
    answer = assistant.ask("How long does Kestrel keep messages?")
    assert assistant.sessions.running(answer.session_id) is None
    scope = assistant.scope.within(answer.session_id)
    begun = assistant.store.turns.accept(scope, Question("still running", "t0"), lease=60)
    assert assistant.sessions.running(answer.session_id) == begun
    assert assistant.sessions.running(answer.session_id).lease_until == assistant.clock() + 60
    assert assistant.sessions.running(assistant.sessions.start().session_id) is None


def test_a_store_with_a_nul_in_its_name_is_refused():
    with pytest.raises(BadSettings, match="the argument store must be a text without the character NUL"):
        open_assistant("a\0b")


def test_a_file_that_is_uploaded_again_takes_the_place_of_the_earlier(assistant, tmp_path):
    for place, text in [("one", "Kestrel keeps notes for one year."), ("two", "Kestrel keeps notes for two years.")]:
        (tmp_path / place).mkdir()
        (tmp_path / place / "notes.md").write_text(text, encoding="utf-8")
        report = assistant.ingest(tmp_path / place / "notes.md", base=tmp_path / place, by_name=True, embed=False)
    assert [(file.source, str(file.fate)) for file in report.files] == [("notes.md", "replaced")]
    assert assistant.store.documents.get(assistant.scope, "notes.md").text.endswith("two years.")
    (tmp_path / "notes.md").write_text("Kestrel keeps notes for three years.", encoding="utf-8")
    report = assistant.ingest(tmp_path / "notes.md", base=tmp_path, embed=False)
    assert str(report.files[0].fate) == "added", "a file of that name that lies somewhere is another"


RULES = {
    "en": ("I work on ward B3.", r"\bI work on (?P<v>ward [A-Z0-9]+)", "ward B3"),
    "ja": ("私の担当は三病棟です。", "担当は(?P<v>[一二三四五]病棟)", "三病棟"),
    "zh": ("我負責三號病房。", "负责(?P<v>[一二三四五]号病房)", "三號病房"),
}


@pytest.mark.parametrize("language", RULES)
def test_an_operators_own_rules_are_read_by(tmp_path, language):
    said, form, value = RULES[language]
    path = tmp_path / "ward.toml"
    rule = f"[[rule]]\nname = 'ward'\nkind = 'work'\nrelation = 'ward'\nform = '{form}'\n"
    path.write_text(f"language = '{language}'\n{rule}", "utf-8")
    with open_assistant(":memory:", embedder="none", memory_rules=str(path)) as assistant:
        assistant.ask(said)
        assistant.memory.refresh()
        found = [fact.statement for fact in assistant.memory.list()]
    assert ("ward", value) in [(one.relation, one.value) for one in found]


@pytest.mark.parametrize(("text", "told"), [(None, "cannot be read"), ("[[rule]]\nname = 'ward'\n", "ward")])
def test_rules_that_are_at_fault_are_named_when_the_store_is_opened(tmp_path, text, told):
    path = tmp_path / "ward.toml"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(BadSettings, match=told) as error:
        open_assistant(":memory:", embedder="none", memory_rules=str(path))
    assert str(path) in str(error.value)


def test_exporting_a_session_that_is_not_there_fails_when_it_is_asked_for(assistant):
    with pytest.raises(UnknownSession):
        assistant.export("nobody")


def test_terms_that_a_summary_must_not_lose_are_a_setting():
    terms = ("Quillon", "排毒")
    with open_assistant(":memory:", embedder="none", memory_terms="Quillon, 排毒") as assistant:
        assert assistant.memory.due.terms == terms
        session = assistant.ask("The Quillon file is blue.").session_id
        for _ in range(12):
            assistant.ask("I have a red bicycle and a blue boat in the shed.", session=session)
        assistant.memory.refresh()
        assert "Quillon" in assistant.memory.summary(session).text


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("My passport is valid until December 9999.", "What did I tell you about my passport last month?"),
        ("我的護照到9999年12月為止。", "我上個月說護照怎麼了？"),
        ("我的护照到9999年12月为止。", "我上个月说护照怎么了？"),
        ("私の旅券は9999年12月まで有効です。", "先月、旅券について何と言いましたか？"),
    ],
)
def test_the_last_month_of_the_calendar_fails_no_turn(said, asked):
    with open_assistant(":memory:", embedder="none") as assistant:
        assistant.ask(said, name="before")
        assert assistant.ask(asked, sources="memory").outcome is not Outcome.FAILED


@pytest.mark.parametrize(
    ("ill", "lives"),
    [
        ("I am allergic to peanuts.", "I live in Leeds."),
        ("我對花生過敏。", "我住在台中。"),
        ("我对花生过敏。", "我住在杭州。"),
        ("私は卵アレルギーがあります。", "私は京都に住んでいます。"),
    ],
)
def test_of_what_an_operator_refuses_no_facts_are_made_and_the_turn_stays(ill, lives):
    def kinds(**settings):
        with open_assistant(":memory:", embedder="none", **settings) as assistant:
            for said in (ill, lives):
                assistant.ask(said, name=said[:3])
            assistant.memory.refresh()
            assert [turn.question for turn in assistant.sessions.turns(ill[:3])] == [ill]
            return {str(fact.statement.kind) for fact in assistant.memory.list()}

    assert kinds() == {"health", "place"}
    assert kinds(memory_refuses="health") == {"place"}


def test_a_kind_that_is_none_is_told_with_those_there_are():
    with pytest.raises(BadSettings, match=r"kinds of facts, separated by commas: identity, .*'helth'"):
        open_assistant(":memory:", memory_refuses="helth")
