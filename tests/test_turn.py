"""Whole turns with everything in memory: what history holds, what a model sees, what is searched."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest

from anaphor.adapters.fake import Dies, ScriptedModel, Store
from anaphor.errors import EmptyQuestion, ModelUnavailable, UnreadableStore
from anaphor.steps.recount import recount
from anaphor.text.tokens import estimate
from anaphor.turn import Conversation
from anaphor.types import Document, Outcome, Passage, Piece, Question, Scope, Sources, StandaloneQuery

WARRANTY = {
    "en": "Brightwater pumps carry a warranty of 24 months.",
    "zh-Hant": "明川水泵的保固期是24個月。",
    "zh-Hans": "明川水泵的保修期是24个月。",
    "ja": "明川ポンプの保証期間は24か月です。",
}
STAFF = {
    "en": "Brightwater employs 340 people in Leeds.",
    "zh-Hant": "明川公司在台中雇用340人。",
    "zh-Hans": "明川公司在苏州雇用340人。",
    "ja": "明川の会社は仙台で340人を雇用しています。",
}
ASKED = {
    "en": "How long is the warranty of Brightwater pumps?",
    "zh-Hant": "明川水泵的保固期多長？",
    "zh-Hans": "明川水泵的保修期多长？",
    "ja": "明川ポンプの保証期間はどのくらいですか？",
}
THEN_ASKED = {
    "en": "How many people does Brightwater employ in Leeds?",
    "zh-Hant": "明川公司在台中雇用多少人？",
    "zh-Hans": "明川公司在苏州雇用多少人？",
    "ja": "明川の会社は仙台で何人を雇用していますか？",
}
UNANSWERABLE = {
    "en": "What do astronomers in Oslo think of comets?",
    "zh-Hant": "奧斯陸的天文學家怎麼看彗星？",
    "zh-Hans": "奥斯陆的天文学家怎么看彗星？",
    "ja": "オスロの天文学者は彗星をどう考えていますか？",
}
GOOD = {language: f"{text} [1]" for language, text in WARRANTY.items()}
BAD = {language: text.replace("24", "36") for language, text in GOOD.items()}
LANGUAGES = list(WARRANTY)


@dataclass
class Watched:
    """An index that remembers what it was asked."""

    inner: object
    name: str = "bm25"
    asked: list[object] = field(default_factory=list)

    def search(self, scope, query, *, sources=Sources.DOCUMENTS, filters=None, limit=60):
        self.asked.append(query)
        return self.inner.search(scope, query, sources=sources, filters=filters, limit=limit)


class Talk:
    """One session over two small documents of a language."""

    def __init__(self, language="en", writer=None):
        self.language = language
        self.store = Store()
        self.scope = Scope("acme", "mei")
        for name, text in (("warranty.md", WARRANTY[language]), ("staff.md", STAFF[language])):
            self.put(name, text)
        self.scope = self.scope.within(self.store.sessions.create(self.scope).session_id)
        self.index = Watched(self.store.lexical)
        self.events: list[tuple[str, object]] = []
        self.conversation = Conversation(self.store.turns, self.store.documents, (self.index,), estimate, writer=writer)

    def put(self, name, text):
        document = Document(name, name, name + text, text, language=self.language)
        said = Passage(f"{name}#0", text, name, document_id=name, end=len(text), language=self.language)
        self.store.documents.put(self.scope, document, [said])

    def ask(self, text, **how):
        number = len(self.store.turns.recent(self.scope, 99)) + 1
        tell = how.pop("tell", lambda event, value: self.events.append((event, value)))
        return self.conversation.ask(self.scope, Question(text, how.pop("turn_id", f"t{number}")), tell, **how)

    def last(self):
        return self.store.turns.recent(self.scope, 1)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_without_a_model_quotes_cites_and_is_kept(language):
    talk = Talk(language)
    answer = talk.ask(ASKED[language])
    assert answer.outcome is Outcome.ANSWERED
    assert WARRANTY[language] in answer.answer
    (citation,) = answer.citations
    assert (citation.quote, citation.source) == (WARRANTY[language], "warranty.md")
    assert talk.last().answer == answer.answer
    assert [event for event, _ in talk.events] == ["accepted", "query", "hits", "claim", "committed"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_sources_do_not_have_is_declined_in_the_language_of_the_person(language):
    answer = Talk(language).ask(UNANSWERABLE[language])
    assert answer.outcome is Outcome.DECLINED
    assert answer.citations == ()
    assert {"en": "sources", "zh-Hant": "資料", "zh-Hans": "资料", "ja": "資料"}[language] in answer.answer


# The outcome table: what history holds, and what of it may be carried.


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("reply", "outcome", "answer_is_carried"),
    [
        ("good", Outcome.ANSWERED, True),
        ("good and bad", Outcome.PARTLY, True),
        ("dies after good", Outcome.PARTLY, True),
        ("not in sources", Outcome.DECLINED, False),
    ],
)
def test_history_holds_what_the_outcome_allows(language, reply, outcome, answer_is_carried):
    good, bad = GOOD[language], BAD[language]
    replies = {
        "good": good,
        "good and bad": f"{good}\n{bad}",
        "dies after good": Dies(f"{good}\n{bad[:9]}"),
        "not in sources": "NOT_IN_SOURCES",
    }
    talk = Talk(language, ScriptedModel([replies[reply]]))
    talk.ask(ASKED[language])
    kept = talk.last()
    assert kept.outcome is outcome
    assert "36" not in kept.answer
    assert bool(kept.carriable_answer) is answer_is_carried
    assert kept.carriable_question == ASKED[language]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Thanks!", Outcome.SMALL_TALK),
        ("謝謝", Outcome.SMALL_TALK),
        ("谢谢", Outcome.SMALL_TALK),
        ("ありがとうございます", Outcome.SMALL_TALK),
        ("Forget what I just said.", Outcome.COMMAND),
        ("忘記剛才說的", Outcome.COMMAND),
    ],
)
def test_small_talk_and_commands_look_nothing_up_and_are_not_carried(text, outcome):
    talk = Talk()
    answer = talk.ask(text)
    assert answer.outcome is outcome
    assert talk.index.asked == []
    assert answer.answer
    assert (talk.last().carriable_question, talk.last().carriable_answer) == ("", "")


def test_a_turn_that_fails_keeps_its_question_and_its_number():
    talk = Talk()

    def broken(*_args, **_how):
        raise UnreadableStore("the index is damaged")

    talk.index.inner = type("Broken", (), {"search": broken})()
    with pytest.raises(UnreadableStore):
        talk.ask(ASKED["en"])
    kept = talk.last()
    assert (kept.outcome, kept.question, kept.answer, kept.seq) == (Outcome.FAILED, ASKED["en"], "", 1)
    assert kept.carriable_question == ASKED["en"]
    talk.index.inner = talk.store.lexical
    assert talk.ask(ASKED["en"]).seq == 2


def test_a_cancelled_turn_keeps_the_claims_that_were_released():
    claims = []

    def tell(event, value):
        if event == "claim":
            claims.append(value)

    talk = Talk(writer=ScriptedModel([f"{GOOD['en']}\nMore to come, and more and more of it. [1]"]))
    answer = talk.ask(ASKED["en"], tell=tell, cancelled=lambda: bool(claims))
    assert answer.outcome is Outcome.CANCELLED
    assert answer.answer == GOOD["en"].replace(" [1]", "[1]")


def test_an_empty_question_is_refused_before_anything_is_written():
    talk = Talk()
    with pytest.raises(EmptyQuestion):
        talk.ask(" ？ ")
    assert talk.store.turns.recent(talk.scope, 9) == []


# Invariant 2: retrieval runs afresh on every retrieving turn; last turn's sources are never evidence again.


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_retrieving_turn_searches_afresh(language):
    talk = Talk(language)
    talk.ask(ASKED[language])
    before = len(talk.index.asked)
    answer = talk.ask(THEN_ASKED[language])
    assert before
    assert {query.text for query in talk.index.asked[before:]} == {answer.query.text}
    assert all(isinstance(query, StandaloneQuery) for query in talk.index.asked)
    assert [citation.source for citation in answer.citations] == ["staff.md"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sources_of_the_last_turn_do_not_answer_this_one(language):
    talk = Talk(language)
    talk.ask(ASKED[language])
    talk.store.documents.delete(talk.scope, "warranty.md")
    answer = talk.ask(ASKED[language])
    assert answer.outcome is Outcome.DECLINED
    assert "24" not in answer.answer


# Invariant 3: the model sees the words, the query, this turn's evidence, and history marked as not evidence.


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_model_is_shown(language):
    model = ScriptedModel([GOOD[language], STAFF[language] + " [1]"])
    talk = Talk(language, model)
    first = talk.ask(ASKED[language])
    second = talk.ask(THEN_ASKED[language])
    system, user = model.requests[1].messages
    assert (system.role, user.role) == ("system", "user")
    for shown in (THEN_ASKED[language], second.query.text, STAFF[language]):
        assert shown in user.content
    lines = [json.loads(line) for line in user.content.splitlines() if line.startswith("{")]
    assert {"asked": ASKED[language], "answered": first.answer} in lines
    assert all(STAFF[language] not in message.content for message in model.requests[1].messages[:1])


# Invariant 4: what was struck out, declined or failed is not built upon.


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_first_turn_is_not_built_upon(language):
    # The second reply is to the one attempt at putting the first right, and insists.
    model = ScriptedModel([f"{GOOD[language]}\n{BAD[language]}", BAD[language], STAFF[language] + " [1]"])
    talk = Talk(language, model)
    first = talk.ask(ASKED[language])
    talk.ask(THEN_ASKED[language])
    assert "36" in model.requests[1].text
    assert "36" not in first.answer
    assert "36" not in model.requests[2].text
    assert "36" not in talk.index.asked[1].text
    assert all("36" not in term.term for term in talk.index.asked[1].terms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_that_repeats_from_history_what_this_turn_did_not_find_is_not_heard(language):
    model = ScriptedModel([GOOD[language], GOOD[language]])
    talk = Talk(language, model)
    talk.ask(ASKED[language])
    talk.store.documents.delete(talk.scope, "warranty.md")
    talk.put("colour.md", WARRANTY[language].replace("24", "?"))
    answer = talk.ask(ASKED[language])
    assert "24" not in answer.answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_declined_turn_is_history_as_declined(language):
    model = ScriptedModel(["NOT_IN_SOURCES", GOOD[language]])
    talk = Talk(language, model)
    declined = talk.ask(THEN_ASKED[language])
    talk.ask(ASKED[language])
    assert declined.outcome is Outcome.DECLINED
    assert json.dumps("could not be answered") in model.requests[1].text
    assert declined.answer not in model.requests[1].text


def test_a_dead_model_never_fails_the_turn():
    talk = Talk(writer=ScriptedModel([ModelUnavailable("connection refused")]))
    answer = talk.ask(ASKED["en"])
    assert answer.outcome is Outcome.ANSWERED
    assert WARRANTY["en"] in answer.answer
    assert any("connection refused" in note for note in answer.notes)
    assert answer.model["writer"] == "quoted"


class Broken:
    """A model whose adapter keeps no promise: ``breaks`` is called where the reply should be made."""

    name = "broken"

    def __init__(self, breaks, *first):
        self.breaks = breaks
        self.first = first

    def reply(self, messages, **_asked):
        yield from self.first
        yield self.breaks()


class Untrue(Exception):
    def __str__(self):
        raise RuntimeError


def raising(error):
    def breaks():
        raise error

    return breaks


BREAKS = {
    "KeyError": raising(KeyError("choices")),
    "RecursionError": raising(RecursionError("maximum recursion\ndepth exceeded")),
    "MemoryError": raising(MemoryError()),
    "Untrue": raising(Untrue()),
    "TypeError": lambda: None,
    "NotImplementedError": raising(NotImplementedError),
}


@pytest.mark.parametrize(("named", "breaks"), BREAKS.items(), ids=BREAKS)
def test_a_broken_adapter_never_fails_the_turn(named, breaks):
    talk = Talk(writer=Broken(breaks))
    talk.conversation = replace(talk.conversation, rewriter=Broken(breaks))
    talk.ask(ASKED["en"])
    answer = talk.ask("And how many people does it employ in Leeds?")
    assert answer.outcome is Outcome.ANSWERED
    assert STAFF["en"] in answer.answer
    assert [named in note and "\n" not in note for note in answer.notes] == [True]
    assert all(named in refusal.reason for refusal in answer.query.refused)


def test_an_adapter_that_breaks_in_mid_reply_keeps_what_was_released():
    talk = Talk(writer=Broken(raising(KeyError("delta")), Piece(f"{GOOD['en']}\n")))
    answer = talk.ask(ASKED["en"])
    assert answer.outcome is Outcome.PARTLY
    assert answer.answer == GOOD["en"].replace(" [1]", "[1]")
    assert any("KeyError" in note for note in answer.notes)


def test_an_adapter_that_takes_other_arguments_never_fails_the_turn():
    class Older(Broken):
        def reply(self, prompt):
            return iter(())

    answer = Talk(writer=Older(None)).ask(ASKED["en"])
    assert answer.outcome is Outcome.ANSWERED
    assert any("TypeError" in note for note in answer.notes)


def test_what_was_streamed_is_what_is_committed():
    talk = Talk(writer=ScriptedModel([f"{GOOD['en']}\n{BAD['en']}\n{GOOD['en']}"]))
    answer = talk.ask(ASKED["en"])
    streamed = [claim.shown for event, claim in talk.events if event == "claim"]
    assert "".join(streamed).strip() == answer.answer


def test_a_listener_that_breaks_does_not_cost_the_turn():
    def broken(_event, _value):
        raise BrokenPipeError

    assert Talk().ask(ASKED["en"], tell=broken).outcome is Outcome.ANSWERED


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_likely_it_is_that_the_sources_answer_is_told_and_kept(language):
    talk = Talk(language)
    answered, declined = talk.ask(ASKED[language]), talk.ask(UNANSWERABLE[language])
    assert declined.score < 0.5 < answered.score
    assert answered.as_dict()["score"] == round(answered.score, 4)
    kept = recount(talk.store.turns, talk.store.documents, talk.scope, talk.store.turns.get(talk.scope, "1"))
    assert kept.score == round(answered.score, 4)
    assert Talk(language, ScriptedModel([GOOD[language]])).ask(ASKED[language]).score is None


def test_the_same_turn_again_returns_the_stored_answer():
    talk = Talk(writer=ScriptedModel([GOOD["en"]]))
    first = talk.ask(ASKED["en"], turn_id="once")
    again = talk.ask("something else", turn_id="once")
    assert (again.seq, again.answer, again.claims) == (first.seq, first.answer, first.claims)
    assert [c.quote for c in again.citations] == [c.quote for c in first.citations]
