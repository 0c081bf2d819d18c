from anaphor.text.fold import fold
from anaphor.text.language import detect
from anaphor.text.segment import content_words, index_terms, query_terms
from anaphor.text.sentences import sentences


def test_first() -> None:
    assert fold("臺北").text == "台北"
    assert detect("人口") == "und"
    assert detect("台中市人口") == "und"
    assert detect("臺中市人口數") == "zh-Hant"
    assert detect("人口统计") == "zh-Hans"
    assert detect("人口はどれくらい") == "ja"
    assert "人口" in index_terms("台中市人口")
    assert query_terms("what is app.yaml")
    assert [s for s in sentences("一。二。")]
    assert content_words("會議室A的租金是多少？", "zh-Hant")
