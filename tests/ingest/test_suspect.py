"""Text taken out of a file that only draws it: mended, or told to be no text."""

import pytest

from anaphor.ingest.parse import Reader
from anaphor.ingest.parse.suspect import mended, suspicion
from anaphor.text.fold import radicals
from ingest import made

HONEST = [
    *made.TEXTS.values(),
    "高圧洗浄機の方向制御は一方向のみです。" * 20,
    "The quick brown fox jumps over the lazy dog. " * 20,
    "for (i = 0; i < n; i++) { cnt[k] += strtol(p, &q, 10); }\n" * 20,
    "Η γρήγορη αλεπού. Быстрая лиса. 빠른 갈색 여우. Zażółć gęślą jaźń. 👩‍👩‍👧‍👦 ✓ → ∑ ①",
    "0.12 3.45 6.78 | 9.10\n" * 40,
    "大廈通告：B座嘅𨋢逢星期三檢修。𠮷田㐂一。髙橋﨑。",
    "",
]


@pytest.mark.parametrize("text", HONEST)
def test_writing_is_not_suspected(text):
    assert suspicion(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "(cid:5561)(cid:6210) ੰ ࣨ",
        "(cid:12)(cid:34)(cid:56)" * 30,
        "\ue001\ue002\ue003 \ue004\ue005" * 10,
        "\ufffd\ufffd\ufffd\ufffd the " * 10,
        "Wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj dqg uxqv wkurxjk wkh zrrgv. " * 10,
        "ੰࣨܐߊऄঅਅଅఅಅ" * 3,
        "\x01\x02\x03\x04\x05\x06\x07\x08" * 10,
        "㐀㐁㐃㐄㐆㐇㐈㐉㐋㐌㐍㐎㐏㐐㐑㐒㐓㐔㐕㐖㐘㐙㐚㐛㐝㐞㐟㐠㐡㐢㐣㐤㐥㐦㐧",
    ],
)
def test_what_nobody_writes_is_suspected(text):
    assert suspicion(text)


def test_glyphs_without_a_meaning_are_suspected():
    assert suspicion("looks well", unmapped=0.2)
    assert not suspicion("looks well", unmapped=0.01)


def test_radicals_become_the_characters_they_stand_for():
    assert mended("⾼圧洗浄機の⽅向制御は⼀⽅向のみです。⻘色LEDは充電完了を⽰します。") == (
        "高圧洗浄機の方向制御は一方向のみです。青色LEDは充電完了を示します。"
    )
    assert not any(0x2E80 <= ord(character) <= 0x2FD5 for character in map(mended, map(chr, radicals())))


def test_ligatures_become_letters():
    assert mended("the oﬃce ﬁle") == "the office file"


def test_a_pdf_whose_glyphs_mean_nothing_is_told_and_can_be_found_by_that():
    with Reader() as reader:
        parsed = reader.read(made.meaningless_pdf(), "a.pdf")
    assert parsed.suspect
    assert parsed.remarks[0].startswith("suspect extraction: ")
