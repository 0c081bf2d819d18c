import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.ingest.decode import NotText, decode

HANT = "台中市的人口有多少？請先登入，再到設定頁面更換密碼。\r\n門市營業時間為上午十點到晚上九點。\r\n"
HANS = "东京的人口是多少？请先登录，再到设置页面更换密码。\r\n门店营业时间为上午十点到晚上九点。\r\n"
JPAN = "東京の人口は何人ですか。設備台帳：給水ポンプ三号機、点検済み。\r\n第二倉庫の鍵は守衛室にあります。\r\n"
ENGLISH = "The café's naïve façade cost £40 — or €50.\r\nÜber die Brücke, señor.\r\n"

WRITTEN = [
    *((HANT, e) for e in ("big5", "big5hkscs", "cp950", "gb18030", "utf-8", "utf-8-sig", "utf-16", "utf-32")),
    *((HANS, e) for e in ("gb18030", "gbk", "gb2312", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")),
    *((JPAN, e) for e in ("cp932", "shift_jis", "euc_jp", "iso2022_jp", "utf-8", "utf-8-sig", "utf-16")),
    *((ENGLISH, e) for e in ("cp1252", "utf-8", "utf-16-be")),
]


@pytest.mark.parametrize(("text", "encoding"), WRITTEN)
def test_text_comes_back_whatever_it_was_written_in(text, encoding):
    found = decode(text.encode(encoding))
    assert found.text == text.replace("\r\n", "\n")
    assert found.damaged == 0


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("镕金仓库签收单：㐂字号，共12箱。", "gb18030"),
        ("大廈通告：B座嘅𨋢逢星期三檢修，請行樓梯。查詢請打管理處啲電話，唔使留名㗎。", "big5hkscs"),
        ("設備台帳：給水ポンプ三号機、点検済み。", "euc_jp"),
        ("会议室预订", "gb18030"),
        ("會議室預訂", "big5"),
        ("会議室の予約", "cp932"),
        ("有給休暇の申請", "euc_jp"),
        ("重いﾎｼｮｳ", "cp932"),
    ],
)
def test_a_short_text_is_told_too(text, encoding):
    assert decode(text.encode(encoding)).text == text


def test_a_long_ascii_beginning_does_not_decide():
    text = "id,name,note\n" + "1001,unit,ok\n" * 400 + "1002,髙橋倉庫,ﾎｼｮｳ２年\n"
    assert decode(text.encode("cp932")).text == text


def test_escape_codes_are_read_and_not_left_in_the_text():
    found = decode("設備台帳：点検済み。".encode("iso2022_jp"))
    assert found.text == "設備台帳：点検済み。"
    assert "\x1b" not in found.text


def test_a_file_cut_off_in_the_middle_of_a_character_is_read_and_counted():
    found = decode((HANS * 20).encode("utf-8")[:-4])
    assert found.encoding == "utf-8"
    assert found.damaged == 1


@pytest.mark.parametrize(("text", "encoding"), [(HANT, "big5"), (HANS, "gb18030"), (JPAN, "cp932"), (JPAN, "euc_jp")])
def test_a_cut_off_file_in_an_older_encoding_is_read_too(text, encoding):
    whole = (text * 20).strip() + "了す"[encoding in ("cp932", "euc_jp")]
    found = decode(whole.encode(encoding)[:-1])
    assert found.text.startswith(whole.replace("\r\n", "\n")[:-1])


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0", bytes(range(256)) * 8])
def test_a_binary_file_is_said_to_be_one(content):
    with pytest.raises(NotText):
        decode(content)


def test_nothing_is_an_empty_text():
    assert decode(b"").text == ""


@given(st.binary(max_size=400))
def test_any_bytes_end_in_text_or_in_a_named_refusal(content):
    try:
        found = decode(content)
    except NotText:
        return
    found.text.encode("utf-8")
    assert "\0" not in found.text
    assert "\r" not in found.text


WRITING = st.text(st.characters(exclude_categories=("Cs", "Cc", "Co", "Cn")) | st.sampled_from("\n\t"), max_size=200)


@given(WRITING)
def test_any_writing_comes_back_from_utf8(text):
    if not text.startswith("\ufeff"):
        assert decode(text.encode("utf-8")).text == text


def test_a_stray_nul_in_a_text_is_taken_out():
    assert decode(("一行文字\n" * 40 + "\0").encode()).text == "一行文字\n" * 40


@pytest.mark.parametrize("text", ["保存期間", "錯", "团队版", "夏季休暇は5日", "Ñandú and naïve é", "完成👷", "a·字"])
@pytest.mark.parametrize("missing", [1, 2, 3])
def test_utf8_that_is_cut_in_its_last_character_stays_utf8(text, missing):
    content = ("前" + text).encode("utf-8")
    last = len(text[-1].encode("utf-8"))
    decoded = decode(content[: len(content) - min(missing, last - 1)] if last > 1 else content)
    assert decoded.encoding == "utf-8"
    assert decoded.text.rstrip("\ufffd") == ("前" + text)[: -1 if last > 1 else None]
    assert decoded.cut is (last > 1)


def test_an_accented_last_letter_of_an_older_encoding_is_no_cut():
    assert decode("The sky is very blå".encode("cp1252")[:-1] + b"\xe5").encoding != "utf-8"


# ── every encoding that can hold it ──

PROSE = {
    "zh-Hant": """
        台中市的人口有多少？ 請先登入，再到設定頁面更換密碼。 門市營業時間為上午十點到晚上九點。
        圖書館的座位要先預約。 這份契約自簽署之日起生效。 會議改到星期四下午三點。
        機車停在地下二樓，電梯在左邊。 錯誤碼E4413表示權杖已過期。
    """,
    "zh-Hans": """
        东京的人口是多少？ 请先登录，再到设置页面更换密码。 门店营业时间为上午十点到晚上九点。
        图书馆的座位要先预约。 这份合同自签署之日起生效。 会议改到星期四下午三点。
        摩托车停在地下二层，电梯在左边。 错误码E4413表示令牌已过期。
    """,
    "ja": """
        東京の人口は何人ですか。 設備台帳：給水ポンプ三号機、点検済み。 第二倉庫の鍵は守衛室にあります。
        会議は木曜の午後三時からです。 この契約は署名の日から効力を持つ。
        駐車場は地下二階です。 エラーE4413は期限切れです。
    """,
    "en": "Café~costs~£40. Über~die~Brücke,~señor. He~said~“no”~—~and~left. Crème~brûlée:~€7.",
}
SENTENCES = {language: [s.replace("~", " ") for s in prose.split()] for language, prose in PROSE.items()}
HOLDING = {
    "zh-Hant": ("big5", "big5hkscs", "cp950", "gb18030"),
    "zh-Hans": ("gb2312", "gbk", "gb18030"),
    "ja": ("cp932", "shift_jis", "euc_jp", "iso2022_jp", "iso2022_jp_ext"),
    "en": ("cp1252",),
}
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")


@st.composite
def written(draw):
    """Some lines that people of one language write, in an encoding that can hold them."""
    language = draw(st.sampled_from(sorted(SENTENCES)))
    lines = draw(st.lists(st.sampled_from(SENTENCES[language]) | st.just("id,name,note"), min_size=1, max_size=30))
    text = draw(st.sampled_from(("\n", "\r\n", " "))).join(lines)
    return text, draw(st.sampled_from((*HOLDING[language], *UNICODE)))


@given(written())
def test_text_in_every_encoding_that_can_hold_it_comes_back_equal(case):
    text, encoding = case
    try:
        content = text.encode(encoding)
    except UnicodeError:
        return
    found = decode(content)
    assert found.text == text.replace("\r\n", "\n"), f"{encoding} read as {found.encoding}"
    assert not found.damaged


@given(written(), st.integers(1, 3))
def test_a_file_that_is_cut_off_anywhere_keeps_what_is_whole(case, missing):
    text, encoding = case
    text = text.replace("\r\n", "\n") + "\n" + text.replace("\r\n", "\n")
    try:
        content = text.encode(encoding)
    except UnicodeError:
        return
    found = decode(content[:-missing])
    assert text[: len(text) - 4].startswith(found.text[: len(text) - 4].rstrip("\ufffd"))
    assert len(found.text) >= len(text) - 4


@pytest.mark.parametrize(
    ("first", "encoding", "second"),
    [(HANT, "big5", HANT), (HANS, "gb18030", JPAN), (JPAN, "cp932", JPAN), (JPAN, "euc_jp", HANS)],
)
def test_two_encodings_in_one_file_are_read_line_by_line(first, encoding, second):
    content = first.encode(encoding) + second.encode("utf-8")
    found = decode(content)
    assert found.text == (first + second).replace("\r\n", "\n")
    assert not found.damaged
    assert "line by line" in found.remarks[0]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["東京の人口は何人ですか", "台中市的人口有多少", "会议改到星期四下午三点"])
def test_utf16_without_a_mark_and_without_a_single_ascii_character_is_told(text, encoding):
    assert decode(text.encode(encoding)).text == text


def test_a_cut_off_mail_encoding_leaves_no_escape_codes():
    found = decode("設備台帳：点検済み。第二倉庫の鍵は守衛室にあります。".encode("iso2022_jp")[:-4])
    assert found.text.startswith("設備台帳：点検済み。第二倉庫の鍵は守衛室にありま")
    assert "\x1b" not in found.text


@pytest.mark.parametrize(
    ("text", "encoding", "declared"),
    [
        (HANS, "gb18030", "gb2312"),
        (JPAN, "cp932", "Shift_JIS"),
        (HANT, "big5hkscs", "big5"),
        (ENGLISH, "cp1252", "iso-8859-1"),
    ],
)
def test_what_is_declared_is_believed_where_it_fits(text, encoding, declared):
    assert decode(text.encode(encoding), declared).text == text.replace("\r\n", "\n")
    assert decode(text.encode("utf-8"), declared).text == text.replace("\r\n", "\n")
    assert decode(text.encode(encoding), "no-such-charset").text == text.replace("\r\n", "\n")
