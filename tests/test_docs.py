"""The documentation is run, and it is complete: what it shows comes out, what there is stands in it."""

import dataclasses
import html
import json
import re
from enum import StrEnum
from pathlib import Path

import click
import pytest

import anaphor
import documented
from anaphor import demo, errors, types
from anaphor.adapters import fake
from anaphor.cli import group
from anaphor.ingest.index import Fate
from anaphor.persons_memory import PersonsMemory
from anaphor.persons_sessions import PersonsSessions
from anaphor.setting_keys import KEYS
from anaphor.settings import NOT_SETTINGS, OPENAI, OPENAI_EMBEDDING, Settings, read
from anaphor.steps.reconstruct import reading
from anaphor.wiring import build

ROOT = documented.ROOT
WHOLE_READMES = ("README.md", "README.zh-TW.md")
EVERY_PAGE = [*documented.pages(), *sorted((ROOT / "docs/benchmarks").glob("*.md"))]


def page(name):
    return (ROOT / name).read_text("utf-8")


def name_of(path):
    return str(path.relative_to(ROOT))


# ── what is shown comes out ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", documented.pages(), ids=name_of)
def test_what_a_page_shows_comes_out(path):
    differing = documented.differences(path)
    shown = "\n".join(documented.told(path, step, got) for step, got in differing)
    assert not differing, f"{shown}\nIf what came out is right: python tests/documented.py --write {name_of(path)}"


def test_the_first_screen_runs():
    kinds = [step.kind for step in documented.steps(page("README.md"))[:8]]
    assert kinds[:3] == ["pycon"] * 3, "the small door comes first"
    assert "python" in kinds
    assert "console" in kinds


@pytest.mark.parametrize(
    ("want", "got", "agree"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        ("", "a\n", False),
        ("…\n", "a\nb\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a … d\n", "a b c d\n", True),
        ("a … d\n", "a\nd\n", False),
        ("done · 12 ms\n", "done · 7 ms\n", True),
        ("12 hits\n", "7 hits\n", False),
        ("a  \n", "a\n", True),
    ],
)
def test_outputs_agree_but_for_what_changes_by_itself(want, got, agree):
    assert documented.agrees(want, got) is agree


def test_what_differs_is_found_and_can_be_written(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(
        "`a/b.txt`:\n\n```text\nhello\n```\n\n```console\n$ cat a/b.txt\nbye\n$ echo 1\n1\n```\n\n"
        "```python\nx = 2\nprint(x)\n```\n\n```text\n3\n```\n\n```pycon\n>>> x\n2\n>>> 1 / 0\n4\n```\n",
        "utf-8",
    )
    found = documented.differences(path)
    assert [(step.code, got) for step, got in found] == [
        ("cat a/b.txt", "hello\n"),
        ("x = 2\nprint(x)\n", "2\n"),
        ("1 / 0\n", "Traceback (most recent call last):\nZeroDivisionError: division by zero\n"),
    ]
    documented.write(path, found)
    assert documented.differences(path) == []


# ── what there is stands in it ────────────────────────────────────────────────────────────────────────────────────


def commands(command=group, path=("anaphor",)):
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


COMMANDS = {" ".join(path): command for path, command in commands()}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help_and_stands_in_the_page(name):
    command = COMMANDS[name]
    assert command.help or command.short_help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts[0]} says nothing"
    if name != "anaphor":
        assert f"$ {name} --help\n" in page("docs/command-line.md"), "the page has no section for it"


def test_the_page_has_no_command_that_is_gone():
    shown = re.findall(r"^\$ (anaphor .*) --help$", page("docs/command-line.md"), re.M)
    assert set(shown) == COMMANDS.keys() - {"anaphor"}
    assert len(shown) == len(set(shown))


def settings_table(name):
    """Key to what stands as its default."""
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", page(name), re.M)
    return {key: default.strip("`") for key, default in rows if key in KEYS}


@pytest.mark.parametrize("name", ["docs/settings.md", "README.zh-TW.md"])
def test_every_setting_stands_in_the_table_with_its_default(name):
    table = settings_table(name)
    assert table.keys() == KEYS.keys()
    default = read({}, environment={}, directory=Path("nowhere"))
    assert default == Settings()
    flat = {
        **{key: getattr(default, key) for key in KEYS if hasattr(default, key)},
        **{f"rewrite_{key}": getattr(default.rewriter, key) for key in ("timeout",)},
        **{f"answer_{key}": getattr(default.writer, key) for key in ("timeout",)},
        **{f"embed_{key}": getattr(default.embedding, key) for key in ("timeout",)},
        **{f"window_{field.name}": getattr(default.window, field.name) for field in dataclasses.fields(default.window)},
        **{f"budget_{field.name}": getattr(default.budget, field.name) for field in dataclasses.fields(default.budget)},
        "base_url": OPENAI,
        "embed_model": OPENAI_EMBEDDING,
        "collections": "default",
    }
    for local in ("locale", "zone"):  # the default is what the machine says
        del flat[local]
    for key, value in flat.items():
        assert table[key] == (f"{value:g}" if isinstance(value, float) else str(value) or "–"), key


def test_every_variable_that_is_no_setting_is_told_somewhere():
    everything = "".join(path.read_text("utf-8") for path in [*EVERY_PAGE, ROOT / "Makefile"])
    for variable in NOT_SETTINGS - {"ANAPHOR_CASES", "ANAPHOR_OPENAPI_EXAMPLES", "ANAPHOR_BENCH_FOLDER"}:  # our own
        assert variable in everything


@pytest.fixture(scope="module")
def whole_answer(tmp_path_factory):
    """A turn in whose JSON every list has something in it."""
    folder = tmp_path_factory.mktemp("kb")
    (folder / "plans.md").write_text("# Plans\n\nThe team plan costs 49 dollars. " + "x " * 600, "utf-8")
    model = fake.ScriptedModel([*["The plan costs 12 dollars."] * 3])
    settings = read({"store": ":memory:", "embedder": "none", "budget_evidence": 60}, environment={})
    with build(settings) as assistant:
        assistant.ingest(folder)
        conversation = dataclasses.replace(
            assistant.conversation,
            rewriter=model,
            limits=dataclasses.replace(assistant.conversation.limits, rewrite_below=1.0),
        )
        asking = dataclasses.replace(assistant, conversation=conversation)
        first = asking.ask("What does the team plan cost?")
        yield asking.ask("And the business plan?", session=first.session_id).as_dict()


def leaves(value, path=""):
    """The keys with something that is neither an object nor a list of objects; ``ranks`` has names for keys."""
    if isinstance(value, dict) and not path.endswith(".ranks"):
        for key, below in value.items():
            yield from leaves(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for below in value:
            yield from leaves(below, f"{path}[]")
    else:
        yield path


def test_every_key_of_an_answer_is_explained(whole_answer):
    text = page("docs/trace.md")
    explained = set(re.findall(r"`([a-z_.\[\]]+)`", text))
    example = json.loads(re.search(r"^\{\n.*?^\}$", text, re.M | re.S)[0])
    always_a_list = {
        "left_out",
        "citations",
        "query.carried",
        "query.refused",
        "query.left_behind",
    }  # empty in one of them
    for key in {*leaves(whole_answer), *leaves(example)} - always_a_list:
        assert key.removeprefix("timings_ms.") in explained, f"{key} is not explained in docs/trace.md"


def test_the_answer_of_the_test_has_every_list(whole_answer):
    assert whole_answer["query"]["refused"]
    assert whole_answer["query"]["left_behind"]
    assert whole_answer["ranking"]


@pytest.mark.parametrize("words", [types.Decision, types.Outcome, types.Support, types.EvidenceClass, types.Sources])
def test_every_word_an_answer_may_use_is_explained(words):
    text = page("docs/trace.md") + page("docs/api.md")
    assert issubclass(words, StrEnum)
    for word in words:
        assert f"`{word}`" in text, f"{words.__name__}.{word.name}"


def test_every_reason_for_carrying_is_explained():
    reasons = {value for name, value in vars(reading).items() if name.isupper() and isinstance(value, str)}
    assert len(reasons) > 10
    for reason in reasons:
        assert f"`{reason}`" in page("docs/trace.md"), reason


def test_every_fate_of_a_file_is_explained():
    for fate in Fate:
        assert fate in page("docs/how-to.md")


@pytest.mark.parametrize("value", [anaphor.StandaloneQuery, anaphor.Answer, anaphor.Turn])
def test_every_field_of_a_public_value_stands_in_the_page(value):
    section = page("docs/api.md").split(f"`{value.__name__}`:\n", 1)[1].split("\n\n`")[0]
    for field in dataclasses.fields(value):
        assert f"`{field.name}`" in section, f"{value.__name__}.{field.name}"


@pytest.mark.parametrize("value", [anaphor.Term, anaphor.Carried, anaphor.Claim, anaphor.Citation])
def test_every_field_of_a_small_value_stands_in_the_page(value):
    told = next(line for line in page("docs/api.md").splitlines() if f"of `{value.__name__}`:" in line)
    for field in dataclasses.fields(value):
        assert f"`{field.name}`" in told, f"{value.__name__}.{field.name}"


def test_every_method_of_the_assistant_stands_in_the_page():
    text = page("docs/api.md")
    for name in vars(anaphor.Assistant):
        if not name.startswith("_") and name not in dataclasses.fields(anaphor.Assistant):
            method = getattr(anaphor.Assistant, name)
            if callable(method) or isinstance(method, property):
                assert re.search(rf"`{name}[`(]", text), name


@pytest.mark.parametrize(("row", "kind"), [("sessions", PersonsSessions), ("memory", PersonsMemory)])
def test_what_can_be_done_with_sessions_and_memory_stands_in_the_page(row, kind):
    told = next(line for line in page("docs/api.md").splitlines() if line.startswith(f"| `{row}` |"))
    fields = {field.name for field in dataclasses.fields(kind)}
    for name in vars(kind).keys() - fields:
        if not name.startswith("_"):
            assert re.search(rf"`{name}[`(]", told), name


def test_every_error_stands_in_the_page():
    text = page("docs/api.md")
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.AnaphorError):
            assert re.search(rf"\b{name}\b", text), name


def test_every_contract_stands_in_the_page():
    text = page("docs/adding-an-adapter.md")
    for path in sorted((ROOT / "tests/contracts").glob("test_*.py")):
        assert f"tests/contracts/{path.name}" in text


# ── it hangs together ─────────────────────────────────────────────────────────────────────────────────────────────


def anchors(text):
    """The names GitHub gives to headings."""
    plain = "".join(line + "\n" for line in _outside_fences(text))
    headings = re.findall(r"^#{1,6} +(.+?) *$", plain, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _outside_fences(text):
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield line


def linking_pages():
    return [*EVERY_PAGE, *(ROOT / name for name in ("CHANGELOG.md", "SECURITY.md"))]


@pytest.mark.parametrize("path", linking_pages(), ids=name_of)
def test_links_lead_somewhere(path):
    text = "\n".join(_outside_fences(path.read_text("utf-8")))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        to = (path.parent / name).resolve() if name else path
        assert to.exists(), f"{name_of(path)} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors(to.read_text("utf-8")), f"{name_of(path)}: no heading for {target}"


NOT_OURS = {"adding-an-adapter.md", "provenance.md"}  # the first names files to be made, the second a data set's too


@pytest.mark.parametrize("path", [p for p in linking_pages() if p.name not in NOT_OURS], ids=name_of)
def test_files_that_a_page_names_are_there(path):
    ours = [name for folder in ("src", "tests", "docs", "benchmarks", "scripts") for name in (ROOT / folder).rglob("*")]
    known = {f"/{name_of(each)}" for each in ours if "__pycache__" not in each.parts}
    text = "\n".join(_outside_fences(path.read_text("utf-8")))
    for named in re.findall(r"`((?:src|tests|docs|benchmarks|scripts|steps|adapters)/[\w./-]+)`", text):
        assert any(each.endswith(f"/{named.rstrip('/')}") for each in known), f"there is no {named}"


def test_every_part_of_the_source_stands_in_the_architecture():
    table = page("docs/architecture.md").split("## Where things are", 1)[1].split("\n## ", 1)[0]
    for part in (ROOT / "src/anaphor").iterdir():
        if not part.name.startswith(("_", ".")) and part.name != "py.typed":
            assert f"`{part.name}{'/' if part.is_dir() else ''}`" in table, f"{part.name} has no place on the page"


def test_every_page_is_linked_from_the_readme():
    for name in WHOLE_READMES:
        for path in sorted((ROOT / "docs").glob("*.md")):
            assert f"(docs/{path.name}" in page(name), f"{name} does not lead to {path.name}"
    for name in ("README.zh-CN.md", "README.ja.md"):
        assert "(README.md)" in page(name)


def test_the_readmes_lead_to_each_other():
    readmes = sorted(path.name for path in ROOT.glob("README*.md"))
    for name in readmes:
        assert {other for other in readmes if f"({other})" in page(name)} >= set(readmes) - {name}


EMPTY_WORDS = re.compile(
    r"\b(?:(?<!context )managers?|handlers?|helpers?|utils?|seamless\w*|blazing\w*|powerful|effortless\w*)\b", re.I
)


OTHER_PAGES = [path for path in documented.pages() if path.name != "glossary.md"]  # which names what is not said


@pytest.mark.parametrize("path", OTHER_PAGES, ids=name_of)
def test_words_that_say_nothing_are_not_used(path):
    found = EMPTY_WORDS.findall("\n".join(_outside_fences(path.read_text("utf-8"))))
    assert not found


def test_the_picture_is_of_what_the_demonstration_says_now():
    """The turns that ``scripts/picture.py`` draws, played without an embedder: question, query and answer."""
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", page("docs/picture.svg"))
    drawn = re.sub(r"\s", "", html.unescape("".join(shown)).replace("\xa0", ""))
    source = page("scripts/picture.py")
    turns = re.findall(r'\("([\w-]+)", (\d+)\)', re.search(r"^TURNS = .*$", source, re.M)[0])
    assert len(turns) == 2
    with build(read({"store": ":memory:", "embedder": "none"}, environment={})) as assistant:
        assistant.ingest(demo.knowledge(), base=demo.knowledge())
        for language, seq in turns:
            session = assistant.sessions.start().session_id
            for line in demo.script(language).lines[: int(seq)]:
                answer = assistant.ask(line.say, session=session)
            for text in (answer.question, answer.query.text):
                assert re.sub(r"\s", "", text) in drawn, f"{text!r} is not drawn: python scripts/picture.py"


def test_nothing_is_fetched_to_look_at_the_picture():
    assert not re.findall(r"url\(.?http|<image|@import|@font-face", page("docs/picture.svg"))
