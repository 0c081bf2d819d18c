"""What Python's own reader of JSON takes and no evaluation may."""

from pathlib import Path

import pytest

from anaphor.errors import BadInput
from anaphor_eval.strict import parsed

FILE = Path("set.jsonl")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"n": NaN}', "not usable: NaN is no number"),
        ('{"n": -Infinity}', "not usable: -Infinity is no number"),
        ('{"n": 1e999}', "not usable: 1e999 is too large a number"),
        ('{"n": ' + "9" * 5000 + "}", "not usable: a number has too many digits"),
        ('{"答": 1, "b": {"答": 2}, "答": 3}', "not usable: the key '答' is twice in one object"),
        (r'{"text": "半個 \ud83d 字"}', r"not usable: \ud83d is half of a surrogate pair"),
        (r'{"\uDC00": 1}', r"not usable: \udc00 is half of a surrogate pair"),
        ("[" * 100_000, "not usable: nested too deeply"),
        ('{"a":' * 100_000, "not usable: nested too deeply"),
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
    ],
)
def test_what_is_refused_says_where_and_why(text, reason):
    with pytest.raises(BadInput) as caught:
        parsed(text, FILE, 7, BadInput)
    assert str(caught.value) == f"set.jsonl:7: {reason}"


def test_the_line_of_a_mistake_inside_a_whole_file_is_counted_from_where_it_begins():
    with pytest.raises(BadInput, match=r"set\.jsonl:4: not JSON"):
        parsed('{"a": 1,\n"b": 2,\n"c" 3}', FILE, 2, BadInput)


@pytest.mark.parametrize("text", ["東京", "台中", "厦门", "owl", r"\ud83d\ude00 😀", r"\\ud800 written out"])
def test_whole_characters_are_taken_however_they_are_written(text):
    assert parsed(f'["{text}", 0.5, 12]', FILE, 1, BadInput)[1:] == [0.5, 12]
