"""Statements are dated from the day they were said on."""

from datetime import date

import pytest

from anaphor.memory.extract_days import when

FRIDAY = date(2026, 5, 15)


@pytest.mark.parametrize(
    ("text", "language", "first", "last"),
    [
        ("再来週の水曜に健康診断があります", "ja", "2026-05-27", "2026-05-27"),
        ("運転免許は令和11年3月まで有効です", "ja", "", "2029-03-31"),
        ("先週の金曜に父と会いました", "ja", "2026-05-08", "2026-05-08"),
        ("下禮拜四我要去嘉義", "zh", "2026-05-21", "2026-05-21"),
        ("上周五过的户", "zh", "2026-05-08", "2026-05-08"),
        ("下個月搬家", "zh", "2026-06-01", "2026-06-30"),
        ("七月領了離婚證書", "zh", "2025-07-01", "2025-07-31"),
        ("三天后出发", "zh", "2026-05-18", "2026-05-18"),
        ("民國115年10月2日結婚", "zh", "2026-10-02", "2026-10-02"),
        ("we fly out next Thursday", "en", "2026-05-21", "2026-05-21"),
        ("it's Dr Lindqvist as of last Monday", "en", "2026-05-11", ""),
        ("I moved here two years ago", "en", "2024-01-01", "2024-12-31"),
        ("on 3 August", "en", "2026-08-03", "2026-08-03"),
        ("nothing dated here", "en", "", ""),
    ],
)
def test_a_day_in_words_is_resolved(text, language, first, last):
    assert when(text, FRIDAY, language) == (first, last)


def test_just_after_midnight_is_the_day_of_the_person():
    assert when("明後日、大家さんが来ます", date(2026, 5, 16), "ja") == ("2026-05-18", "2026-05-18")
