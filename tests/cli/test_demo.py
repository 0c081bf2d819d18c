"""The demonstration is also a test: every turn of every conversation does what its script says."""

import json
import sys
from pathlib import Path

import pytest

from anaphor import demo
from anaphor.cli.demo import prepare
from anaphor.settings import read
from anaphor.wiring import build


@pytest.fixture(scope="module", params=["none", "auto"], ids=["lexical alone", "with the embedder that is installed"])
def assistant(request, tmp_path_factory):
    if request.param == "auto" and sys.platform == "win32":
        pytest.skip("there is no local embedder for Windows")
    store = str(tmp_path_factory.mktemp("demo") / "demo.db")
    settings = read({"store": store, "embedder": request.param}, environment={})
    with build(settings) as assistant:
        assert not prepare(assistant).failed
        yield assistant


def shortfalls(line, answer, passages):
    """What of the line's expectations the answer does not meet; ``passages`` are those of its ranking, best first."""
    found = []
    if answer.query.decision not in line.decisions:
        found.append(f"decision is {answer.query.decision}, not {' or '.join(line.decisions)}")
    if answer.outcome != line.outcome:
        found.append(f"outcome is {answer.outcome}, not {line.outcome}")
    if line.first:
        first = f"{Path(passages[0].source).name}#{passages[0].section}" if passages else "nothing"
        source, _, section = line.first.partition("#")
        if not (first.startswith(f"{source}#") and section in first):
            found.append(f"first passage is {first}, not {line.first}")
    found.extend(f"{word!r} is not in the answer {answer.answer!r}" for word in line.says if word not in answer.answer)
    found.extend(f"{word!r} is in the query {answer.query.text!r}" for word in line.absent if word in answer.query.text)
    return found


@pytest.mark.parametrize("language", demo.LANGUAGES)
def test_every_turn_is_as_its_script_says(assistant, language):
    session = assistant.sessions.start().session_id
    wrong = []
    for line in demo.script(language).lines:
        answer = assistant.ask(line.say, session=session)
        missed = shortfalls(line, answer, assistant.passages(answer))
        wrong += [f"{answer.seq} {line.say} ({line.shows}): {x}; query {answer.query.text!r}" for x in missed]
    assert not wrong, "\n".join(wrong)


def test_every_conversation_shows_every_kind_of_turn():
    kinds = {
        "standalone",
        "ellipsis",
        "ordinal",
        "pronoun",
        "topic switch",
        "return",
        "correction",
        "not in the documents",
    }
    kinds.add("a fair question about what was taken back")
    for language in demo.LANGUAGES:
        assert {line.shows for line in demo.script(language).lines} == kinds


def test_the_demonstration_plays_to_the_end_and_leaves_nothing(anaphor, place):
    done = anaphor("demo", "--lang", "ja")
    assert done.status == 0
    assert "つばめ製作所" in done.out
    for part in ("╭ 11 ", "carried", "bm25", "budget", "[1]", "✓ answered", "declined"):
        assert part in done.out, part
    assert list(place.iterdir()) == []


def test_a_named_store_is_kept_and_can_be_asked(anaphor):
    told = json.loads(anaphor("demo", "--lang", "en", "--store", "demo.db", "--json").out)
    assert [c["language"] for c in told["conversations"]] == ["en"]
    assert "4 MB" in anaphor("ask", "--store", "demo.db", "What does the error K-23 mean?").out
    listed = json.loads(anaphor("sessions", "list", "--store", "demo.db", "--json").out)
    assert len(listed) == 2
