"""How a turn looks: widths in cells, lines broken as Chinese and Japanese are broken, nothing lost."""

import io
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from anaphor.cli.labels import Labels
from anaphor.cli.lines import shortened, wrapped
from anaphor.cli.show import Stage, show_answer, show_decision, show_turn
from anaphor.types import (
    Answer,
    Carried,
    Citation,
    Decision,
    EvidenceClass,
    LeftBehind,
    Outcome,
    Passage,
    RankedPassage,
    Refusal,
    Spent,
    StandaloneQuery,
)

PROSE = {
    "zh-Hant": "403 表示憑證有效，但這個帳號沒有存取該資源的權限。請專案的管理員在「成員」頁面把角色調高，"
    "重新登入並不會解決。",
    "zh-Hans": "403 表示凭证有效，但这个账号没有访问该资源的权限。请项目的管理员在“成员”页面把角色调高，"
    "重新登录并不能解决。",
    "ja": "夏季休暇は７月１日から９月３０日までの間に取ります。連続でも、分割でもかまいません。"
    "「勤怠システム」で申請してください。",
    "en": "403 means that the credentials are valid, but that this account may not touch the resource; signing in "
    "again is no cure.",
}


def answer(language="zh-Hant", **changes):
    query = StandaloneQuery(
        text="403 錯誤是什麼意思？",
        decision=Decision.FOLLOW_UP,
        confidence=0.92,
        language=language,
        carried=(Carried("錯誤是什麼意思", 1, "ellipsis", 0.3),),
        left_behind=(LeftBehind("Bearer Token", 8, "retracted"),),
        refused=(Refusal("small-model", "403 是禁止存取。", "it answers instead of asking"),),
    )
    values = {
        "session_id": "s",
        "turn_id": "t",
        "seq": 9,
        "outcome": Outcome.ANSWERED,
        "question": "那 403 呢？",
        "answer": PROSE[language] + "[1]",
        "query": query,
        "citations": (Citation(1, EvidenceClass.DOCUMENT, "p1", "a/錯誤碼.md", PROSE[language], 0, 9),),
        "ranking": tuple(RankedPassage(f"p{n}", n, 0.03, {"bm25": n}) for n in range(1, 7)),
        "spent": Spent(400, 90, 180, 12),
    }
    return Answer(**values | changes)


PASSAGES = [
    Passage(f"p{n}", "x", f"handbook/of/the/company/錯誤碼-{n}.md", section="403 Forbidden") for n in range(1, 6)
]


def drawn(show, width=80, locale=None, **changes):
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, highlight=False, markup=False, emoji=False)
    show(Stage(console, Labels(locale)), answer(**changes), *([PASSAGES] if show is not show_decision else []))
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("locale", [None, "zh-Hant", "zh-Hans", "ja"])
@pytest.mark.parametrize("language", PROSE)
def test_no_line_is_wider_than_the_terminal(width, locale, language):
    for line in drawn(show_turn, width, locale, language=language).splitlines():
        assert cell_len(line) <= width, line


def test_everything_on_the_line_of_the_turn_is_drawn():
    told = drawn(show_turn)
    for part in (
        *(
            "╭ 9 那 403 呢？",
            "follow-up 0.92",
            "403 錯誤是什麼意思？",
            "錯誤是什麼意思  ← turn 1",
            "Bearer Token  ← turn 8",
        ),
        *("small-model: 403 是禁止存取。 — it answers", "company/錯誤碼-1.md › 403 Forbidden", "bm25  1", "and 3 more"),
        *("682/4096", "rules 400", "history 90", "evidence 180", "question 12", "[1] a/錯誤碼.md", "╰ ✓ answered"),
    ):
        assert part in told, part


def test_what_stands_beside_a_label_has_colours_of_its_own():
    console = Console(file=io.StringIO(), width=100, record=True, force_terminal=True, color_system="standard")
    show_turn(Stage(console, Labels(None)), answer(), PASSAGES)
    styled = console.export_text(styles=True)
    assert "\x1b[90manswer   \x1b[0m403 表示" in styled, "the label is grey, the answer is not"
    assert "\x1b[9;35mBearer Token\x1b[0m\x1b[35m  ← turn 8" in styled, "only what was left behind is struck out"


def test_folders_are_given_up_before_names():
    assert "1  …/錯誤碼-1.md › 403 Forbidden" in drawn(show_turn, 58)


def test_nothing_that_a_document_holds_is_obeyed_by_the_terminal():
    told = drawn(show_turn, answer="\x1b[2J\x1b]0;title\x07 done\x9b31m[1]", question="\x1b[31m那 403 呢？\u202e")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


def test_a_quote_is_shown_once():
    assert drawn(show_turn).count("這個帳號沒有") == 1
    paraphrased = drawn(show_turn, 200, answer="你沒有權限。[1]")
    assert paraphrased.count("這個帳號沒有") == 1


def test_an_erased_source_is_said_to_be_one():
    gone = Citation(1, EvidenceClass.DOCUMENT, "p9", "a/gone.md", None, 0, 9)
    assert "erased" in drawn(show_turn, citations=(gone,), ranking=(RankedPassage("p9", 1, 0.1, {"bm25": 1}),))


def test_a_turn_that_searched_nothing_says_so():
    thanks = StandaloneQuery("謝謝", Decision.SMALL_TALK, 1.0)
    told = drawn(show_turn, query=thanks, ranking=(), citations=(), outcome=Outcome.SMALL_TALK)
    assert "nothing was searched" in told
    assert "query" not in told


def test_what_was_said_is_cited_by_its_turn():
    said = Citation(1, EvidenceClass.USER_STATEMENT, "t:0", "s", "我住在台中。", 0, 6, "2026-05-01", 3)
    assert "[1] turn 3 · 2026-05-01  “" in drawn(show_answer, citations=(said,))


@pytest.mark.parametrize(
    ("date", "shown"),
    [
        ("2026-05-01T16:30:05+00:00", "2026-05-02 00:30"),
        ("2026-05-01T16:30:05+08:00", "2026-05-01 16:30"),
        ("2026-05-01", "2026-05-01"),
        ("2026-05-01Tea", "2026-05-01Tea"),
    ],
)
def test_a_moment_is_shown_as_the_readers_clock_has_it(monkeypatch, date, shown):
    monkeypatch.setenv("TZ", "Asia/Taipei")
    time.tzset()
    said = Citation(1, EvidenceClass.USER_STATEMENT, "t:0", "s", "我住在台中。", 0, 6, date, 3)
    try:
        assert f"[1] turn 3 · {shown}  “" in drawn(show_answer, citations=(said,))
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_chat_says_in_one_line_what_was_searched_instead():
    assert drawn(show_decision) == "  follow-up → 403 錯誤是什麼意思？\n"


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize("width", [20, 33, 50, 79])
def test_lines_begin_with_no_mark_that_closes(language, width):
    lines = [line.plain for line in wrapped(Text(PROSE[language]), width)]
    assert all(cell_len(line) <= width + 2 for line in lines), "a closing mark may hang over by one character"
    assert not [line for line in lines if re.match("[、。，；」』”）]", line)]
    assert not [line for line in lines if re.search("[「『“（]$", line)]
    assert "".join(lines).replace(" ", "") == PROSE[language].replace(" ", "")


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.just("\n"), max_size=120), st.integers(8, 60))
def test_wrapping_loses_nothing_but_space(text, width):
    lines = [line.plain for line in wrapped(Text(text), width)]
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Mn", "Me", "Cf")), max_size=60), st.integers(2, 40))
def test_what_is_shortened_fits(text, width):
    assert cell_len(shortened(text, width)) <= width


def test_every_language_has_the_same_words():
    from anaphor.cli import labels

    tables = labels._tables()
    english = tables["en"].keys()
    for language in ("zh-Hant", "zh-Hans", "ja"):
        assert english <= tables[language].keys(), english - tables[language].keys()
