import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.ingest.chunk import chunk, split
from anaphor.ingest.parse import Kind, parse
from anaphor.types import Document
from growth import in_proportion

QUOTES = (
    "班长说：“先断电。再拆机。”随后签字。请观看影片《快跑吧！小鹿》后答题。压力上限为３．５兆帕（详见附录……），"
    "超出即停机。记录保存两年！真的？是的。审核人：𠮷田、阿㐂。完成后在群里回复👷🏻。"
)
MARKDOWN = """\
---
title: Gateway handbook
---
# Errors

Every error has a code.

## 401 Unauthorized

The token is missing or has expired.
Sign in again.

```sh
# not a heading
curl -H "Authorization: Bearer $TOKEN" https://api.example/v1/me
```

## 403 Forbidden

| role | may write |
|---|---|
| viewer | no |
| editor | yes |

Retired codes
-------------

## 418 is never sent
"""


def document(text, source="doc.md", language="und"):
    return Document("d1", source, "v" * 16, text, language=language)


def passages(text, source="doc.md", language="und", **limits):
    return chunk(document(text, source, language), parse(text, source), **limits)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("# 錯誤\n\n沒有權杖時回傳 401。\n\n## 限流\n\n每分鐘一百次。\n", "zh-Hant"),
        ("# 错误\n\n没有令牌时返回 401。\n\n## 限流\n\n每分钟一百次。\n", "zh-Hans"),
        ("# エラー\n\nトークンがないと401です。\n\n## 制限\n\n毎分百回までです。\n", "ja"),
        ("# Errors\n\nWithout a token it is 401.\n\n## Limits\n\nA hundred a minute.\n", "en"),
    ],
)
def test_a_passage_is_verbatim_and_stays_under_its_heading(text, language):
    found = passages(text, language=language)
    assert len(found) == 2
    assert all(p.text == text[p.start : p.end] for p in found)
    assert [p.section for p in found] == ["", re.findall(r"## (.*)", text)[0]]
    assert {p.title for p in found} == {re.findall(r"^# (.*)", text)[0]}
    assert all(p.language == language for p in found)


def test_markdown_is_cut_by_its_structure():
    found = passages(MARKDOWN)
    assert {p.title for p in found} == {"Gateway handbook"}
    assert [p.section for p in found] == [
        "Errors",
        "Errors › 401 Unauthorized",
        "Errors › 403 Forbidden",
        "Errors › Retired codes",
        "Errors › 418 is never sent",
    ]
    assert "curl" in found[1].text
    assert found[1].text.endswith("```")
    assert found[3].text == "Retired codes\n-------------", "a heading with nothing under it is still said somewhere"


def test_fenced_code_is_never_a_heading_and_stays_whole():
    code = "```py\n" + "".join(f"# step {n}\nrun({n})\n\n" for n in range(60)) + "```\n"
    found = passages("# Guide\n\nFirst this.\n\n" + code)
    assert any(p.text == code.strip() for p in found)
    blocks = parse(code, "a.md").blocks
    assert [b.kind for b in blocks] == [Kind.CODE]


def test_code_that_is_far_too_long_is_cut_between_lines():
    code = "```\n" + "some_call(argument_one, argument_two)\n" * 400 + "```\n"
    found = passages(code)
    assert len(found) > 2
    assert all(p.text.startswith(("```", "some_call")) for p in found)


@pytest.mark.parametrize("text", ["|" * 50_000, "```\n" + "x=1;" * 20_000 + "\n```\n"])
def test_a_line_that_is_far_too_long_is_cut_too(text):
    assert max(len(p.text) for p in passages(text)) < 8_000


def test_a_fence_that_nothing_closes_runs_to_the_end():
    assert [b.kind for b in parse("text\n\n```\n# a\n\n# b", "a.md").blocks] == [Kind.PROSE, Kind.CODE]


@pytest.mark.parametrize(
    "sentence",
    ["每分鐘最多一百次呼叫。", "每分钟最多一百次调用。", "毎分百回まで呼び出せます。", "A hundred calls a minute. "],
)
def test_a_long_paragraph_is_cut_after_sentences(sentence):
    found = passages(sentence * 200, source="long.txt")
    assert len(found) > 3
    assert all(p.text.endswith(sentence.strip()) and p.text.startswith(sentence[:4]) for p in found)
    assert "".join(p.text for p in found).replace(" ", "") == (sentence * 200).replace(" ", "")


def test_a_plain_text_takes_its_title_from_the_file_name():
    assert passages("第一段。\n\n第二段。", source="手冊/安全須知.txt")[0].title == "安全須知"


def test_marks_that_close_stay_with_what_they_close():
    pieces = [QUOTES[s.start : s.end] for s in split(QUOTES, 40, len)]
    assert "".join(pieces) == QUOTES
    assert len(pieces) >= 3
    assert max(map(len, pieces)) <= 40
    assert not [p for p in pieces if re.match("[”’」』》）】。！？…．，、]", p)]
    for whole in ("《快跑吧！小鹿》", "３．５", "附录……）", "。”", "👷🏻"):
        assert any(whole in p for p in pieces), whole


def test_a_number_a_title_and_a_character_of_several_are_not_torn():
    text = "壓力上限是三點五兆帕也就是3.5兆帕請務必在每次操作之前先確認《操作手冊！第二版》的內容👩‍👩‍👧‍👦並且簽名か゚" * 3
    for limit in (14, 17, 20, 25):
        pieces = [text[s.start : s.end] for s in split(text, limit, len)]
        assert "".join(pieces) == text
        assert sum(p.count("3.5") for p in pieces) == 3
        assert sum(p.count("👩‍👩‍👧‍👦") for p in pieces) == 3
        assert sum(p.count("か゚") for p in pieces) == 3


@given(st.text(max_size=300), st.integers(8, 60))
def test_pieces_are_the_text_whatever_it_is(text, limit):
    spans = split(text, limit, len)
    assert "".join(text[s.start : s.end] for s in spans) == text
    assert all(0 < s.end - s.start <= limit for s in spans)


@given(st.text(alphabet=st.sampled_from("# \n`~-=|字あa。「」()*>1.\t"), max_size=200))
def test_any_markdown_gives_verbatim_passages_in_order(text):
    found = passages(text)
    assert all(p.text == text[p.start : p.end] and p.text.strip() == p.text != "" for p in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_han_alone_inside_a_japanese_document_is_japanese():
    found = passages("# 規程\n\nこれは社内規程です。\n\n## 別表\n\n東京本社、大阪支社、名古屋支社\n", language="ja")
    assert {p.language for p in found} == {"ja"}


def test_ten_megabytes_without_a_break_are_cut():
    found = passages("字" * 200_000, source="a.txt")
    assert sum(len(p.text) for p in found) == 200_000


def test_the_published_case_of_quotation_marks_and_titles():
    cases = Path(__file__).parents[1] / "cases"
    lines = [line for file in cases.glob("*.jsonl") for line in file.read_text("utf-8").splitlines() if '"Z27"' in line]
    for line in lines:
        case = json.loads(line)
        text, expect = case["input"]["text"], case["expect"]
        pieces = [text[s.start : s.end] for s in split(text, case["input"]["max_chars"], len)]
        assert "".join(pieces) == text
        assert not [p for p in pieces if re.match(expect["no_piece_starts_with_regex"], p)]
        assert all(any(whole in p for p in pieces) for whole in expect["never_split_inside"])


@pytest.mark.parametrize("unit", ["Kestrel keeps messages for 7 days. ", "x", "保存期間は七日です。", "「字", "(a "])
def test_a_large_text_of_one_line_is_cut_in_time_that_grows_with_its_size(unit):
    def work(size):
        text = unit * (size // len(unit))
        assert sum(span.end - span.start for span in split(text, 260)) == len(text)

    assert in_proportion(work, 20_000)
