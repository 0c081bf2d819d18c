"""A row of a table is one sentence; it is told with the names of its columns, and cited as it stands."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.answer.quote import quote
from anaphor.steps.commit import citations
from anaphor.steps.reading import read
from anaphor.steps.tables import row_at, rows
from anaphor.steps.verify import verify, verify_claim
from anaphor.types import Claim, Decision, Evidence, Outcome, Passage, Span, StandaloneQuery, Support

CSV = {
    "en": "item,size,price,stock\nBlue mug,small,12 EUR,40\nRed mug,large,15 EUR,3\n",
    "zh-Hant": "品項,規格,價格,庫存\n藍色馬克杯,小,120 元,40\n紅色馬克杯,大,150 元,3\n",
    "zh-Hans": "品项,规格,价格,库存\n蓝色马克杯,小,120 元,40\n红色马克杯,大,150 元,3\n",
    "ja": "品目,サイズ,価格,在庫\n青いマグ,小,1200円,40\n赤いマグ,大,1500円,3\n",
}
ASKED = {
    "en": ("How much is the red mug?", "item: Red mug; size: large; price: 15 EUR; stock: 3"),
    "zh-Hant": ("紅色馬克杯多少錢？", "品項：紅色馬克杯；規格：大；價格：150 元；庫存：3"),
    "zh-Hans": ("红色马克杯多少钱？", "品项：红色马克杯；规格：大；价格：150 元；库存：3"),
    "ja": ("赤いマグはいくらですか？", "品目：赤いマグ；サイズ：大；価格：1500円；在庫：3"),
}


def barred(text):
    first, *others = [f"| {' | '.join(line.split(','))} |" for line in text.splitlines()]
    return "\n".join([first, "|" + "---|" * first.count(" | ") + "---|", *others])


def passage(text, language="en", source="prices.csv", **more):
    return Passage("p", text, source, language=language, end=len(text), **more)


def asked(text, language="en"):
    return StandaloneQuery(text, Decision.STANDALONE, 1.0, language)


@pytest.mark.parametrize("language", CSV)
@pytest.mark.parametrize("as_bars", [False, True])
def test_a_row_is_told_with_the_names_of_its_columns_and_cited_verbatim(language, as_bars):
    text = barred(CSV[language]) if as_bars else CSV[language]
    evidence = Evidence((passage(text, language, "prices.md" if as_bars else "prices.csv"),))
    question, told = ASKED[language]
    query = asked(question, language)
    draft = quote(query, evidence, language)
    verdict = verify(draft, query, evidence)
    assert [claim.text for claim in draft.claims] == [told]
    assert verdict.outcome is Outcome.ANSWERED
    (cited,) = citations(verdict, evidence)
    assert cited.quote in text.splitlines()
    assert text[cited.start : cited.end] == cited.quote


def test_what_is_released_is_what_is_committed():
    evidence = Evidence((passage(CSV["en"]),))
    draft = quote(asked(ASKED["en"][0]), evidence, "en")
    assert verify_claim(draft.claims[0], evidence).verdict is Support.SUPPORTED


def test_a_row_told_with_another_cell_is_not_supported():
    evidence = Evidence((passage(CSV["en"]),))
    claim = Claim("item: Red mug; size: large; price: 12 EUR; stock: 3", (1,))
    assert verify_claim(claim, evidence).verdict is Support.UNSUPPORTED


def test_the_header_is_never_quoted():
    for text, source in ((CSV["en"], "a.csv"), (barred(CSV["en"]), "a.md")):
        found = [text[s.start : s.end] for s in read(passage(text, source=source)).sentences if s.quotable]
        assert len(found) == 2
        assert not any("price" in row for row in found)


def test_a_part_of_a_table_has_the_header_that_its_section_carries():
    part = passage(
        "Green plate,medium,9 EUR,17\n", section="Kitchen › item | size | price | stock", start=400, source="p.csv"
    )
    assert rows(part)[0].told == "item: Green plate; size: medium; price: 9 EUR; stock: 17"


def test_without_a_header_or_with_another_number_of_names_a_row_stands_as_it_is():
    bare = passage("Green plate,medium,9 EUR,17\nBowl,small,4 EUR,2\n", start=400)
    assert [row.told for row in rows(bare)] == ["", ""]
    short = passage("Green plate,medium,9 EUR,17\n", section="item | price", start=400)
    assert [row.told for row in rows(short)] == [""]


def test_a_cell_with_sentences_or_lines_does_not_cut_its_row():
    text = 'item,care,price\nMug,"Wash by hand. Never heat it.\nDry it at once.",12 EUR\nBowl,None needed.,4 EUR\n'
    found = rows(passage(text))
    assert [row.cells[0] for row in found] == ["item", "Mug", "Bowl"]
    assert found[1].told == "item: Mug; care: Wash by hand. Never heat it. Dry it at once.; price: 12 EUR"
    sentences = read(passage(text)).sentences
    assert [Span(s.start, s.end) for s in sentences] == [row.span for row in found]


def test_empty_cells_are_left_out_and_bars_in_prose_are_no_table():
    text = "| Item | Size | Price |\n|---|:-:|--:|\n| Mug |  | 12 EUR |"
    assert rows(passage(text, source="a.md"))[-1].told == "Item: Mug; Price: 12 EUR"
    assert rows(passage("Use a|b or a pipe | to choose.", source="a.md")) == ()


def test_a_list_in_a_table_is_found_by_its_row():
    text = barred(CSV["en"])
    span = rows(passage(text, source="a.md"))[2].span
    assert row_at(passage(text, source="a.md"), span).cells == ("Blue mug", "small", "12 EUR", "40")
    assert row_at(passage(text, source="a.md"), Span(0, 3)) is None


@given(st.text(alphabet='ab,|"\n\t -:1一。', max_size=300), st.sampled_from(["a.csv", "a.tsv", "a.md"]))
def test_rows_of_any_text_are_in_order_inside_it_and_apart(text, source):
    found = rows(passage(text, source=source))
    at = 0
    for row in found:
        assert at <= row.span.start < row.span.end <= len(text)
        assert not row.columns or len(row.columns) == len(row.cells)
        at = row.span.end
    sentences = read(passage(text, source=source)).sentences
    assert all(a.end <= b.start for a, b in pairwise(sentences))
