"""A reply is cut into the same claims however its pieces fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.answer.claims import Cutter, cites_in


def cut(reply, piece=8, whole=True):
    cutter = Cutter()
    claims = []
    for start in range(0, len(reply), piece):
        claims += cutter.feed(reply[start : start + piece])
    return claims + cutter.close(whole)


def texts(reply, **how):
    return [(claim.text, claim.cites) for claim in cut(reply, **how)]


@pytest.mark.parametrize(
    ("reply", "claims"),
    [
        ("It costs 3.50 euros [1]. It is red.[2][3]", [("It costs 3.50 euros.", (1,)), ("It is red.", (2, 3))]),
        ("It costs 20 euros. [2] It is red. [1, 3]", [("It costs 20 euros.", (2,)), ("It is red.", (1, 3))]),
        ("費用是20元。[2]顏色是紅色。[1]", [("費用是20元。", (2,)), ("顏色是紅色。", (1,))]),
        ("费用是20元[2]。颜色是红色【1】。", [("费用是20元。", (2,)), ("颜色是红色。", (1,))]),
        ("料金は20ユーロです。［2］色は赤です［1］。", [("料金は20ユーロです。", (2,)), ("色は赤です。", (1,))]),
        ("According to [1], it is red.", [("According to, it is red.", (1,))]),
        ("All of it. [1-3]", [("All of it.", (1, 2, 3))]),
        ("Nothing cited.", [("Nothing cited.", ())]),
        ("[1]", []),
        ("", []),
    ],
)
@pytest.mark.parametrize("piece", [1, 3, 8, 1000])
def test_a_claim_is_a_sentence_with_the_marks_in_it_and_behind_it(reply, claims, piece):
    assert texts(reply, piece=piece) == claims


def test_list_marks_and_line_breaks_lead_and_claim_nothing():
    claims = cut("1. Open the lid. [1]\n2. Press start. [1]\n\n- Wait. [2]")
    assert [(c.text, c.cites) for c in claims] == [("Open the lid.", (1,)), ("Press start.", (1,)), ("Wait.", (2,))]
    assert "".join(c.shown for c in claims) == "1. Open the lid.[1]\n2. Press start.[1]\n\n- Wait.[2]"


def test_a_claim_is_given_back_when_the_next_one_has_begun_and_not_before():
    cutter = Cutter()
    assert cutter.feed("It is red.") == []
    assert cutter.feed(" [1") == []
    assert cutter.feed("]") == []
    (claim,) = cutter.feed(" It is")
    assert (claim.text, claim.cites) == ("It is red.", (1,))


def test_a_reply_that_breaks_off_loses_the_sentence_it_broke_off_in():
    assert texts("It is red. [1] It costs 4", whole=False) == [("It is red.", (1,))]
    assert texts("It is red. [1] It is big. [2]", whole=False) == [("It is red.", (1,)), ("It is big.", (2,))]
    assert texts("紅色的。[1]價格是", whole=False) == [("紅色的。", (1,))]


def test_a_fenced_block_is_one_claim():
    claims = cut("Run this: [1]\n```\npip install x\nx --start\n```\n")
    assert [c.text for c in claims] == ["Run this:", "```\npip install x\nx --start\n```"]


def test_marks_are_read_in_their_forms():
    assert cites_in("a [1] b【2】 c［3］ d [4, 5] e [6-8] f [source 9]") == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert cites_in("array[i] and [x] and (3) and [1999-2024 and [12345]") == ()


@given(st.text(alphabet="ab。.！? [1]【】2,\n-`#3、", max_size=80), st.integers(1, 9))
def test_pieces_do_not_matter_and_nothing_raises(reply, piece):
    """Blanks aside: where one sentence becomes two, the blank between them stands before the second."""
    written = ["".join("".join(text.split()) for text, _ in texts(reply, piece=size)) for size in (piece, 1000)]
    assert len(written[0]) == len(written[1])


@pytest.mark.parametrize("unit", ["word ", "Yes. ", "是的。", "[1]", "\n", "[", "1. ", "```\n", "…"])
def test_a_huge_reply_gives_no_more_than_was_said(unit):
    reply = unit * (200_000 // len(unit))
    said = "".join(claim.lead + claim.text for claim in cut(reply, piece=4_000))
    assert len("".join(said.split())) <= len("".join(reply.split()))  # a block of code gets lines of its own
    assert set(said) <= set(reply)
