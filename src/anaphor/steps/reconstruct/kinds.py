"""What sort of thing a phrase names, by how it is written: a place, a time, a code, a vehicle.

Two phrases of one sort can stand in each other's place (那自強號呢？ after a question about the train), which is all
that is asked of it; a sort that is not told costs a little precision, nothing else.
"""

from __future__ import annotations

import functools
import re

from anaphor.steps.reconstruct.tables import words

_NUMERAL = "(?:\\d[\\d,.]*|[一二三四五六七八九十百千万兩两半]+)"
_TIME = re.compile(
    f"{_NUMERAL}(?:年度?|个?月(?:份)?|日|号|点|点半|時|時半|分|周|週|天|季|小时|分钟|週間|ヶ月|か月|歳|世纪|世紀|年代)(?:{_NUMERAL}.{{1,2}})*"
    "|(?:今|明|后|昨|前|去|本|上|下|来|每|毎|平|当|先|翌)(?:天|年|日|个?月|周|週|周末|週末|季|学期|早|晚|晩|朝)(?:早上|上午|中午|下午|晚上)?"
    "|(?:周|星期|礼拜|週)(?:[一二三四五六日天末]|\\d)|(?:[月火水木金土日]曜日?)|周末|週末|平日|假日|休日|祝日|早上|上午|中午|下午|晚上|午前|午後|夜|朝|春节|农历年|国定假日|连假|年末年始"
    "|(?:19|20)\\d\\d(?:年)?|q[1-4]|(?:next|last|this|every) \\w+|\\w*(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?: .*)?"
    "|(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)(?: .*)?"
    "|weekends?|weekdays?|holidays?|today|tomorrow|yesterday|tonight|mornings?|evenings?|afternoons?|\\d{1,2}(?::\\d\\d)?\\s?(?:am|pm)?|\\d{1,2}[/:]\\d{2}"
)
_NUMBER = re.compile(
    f"{_NUMERAL}\\s*(?:元|块|円|圆|人|名|个|位|次|倍|折|成|公里|公斤|公尺|公分|米|岁|层|楼|坪|度|gb|mb|tb|kg|km|cm|%|％|歳|回|個|件|本|枚|台|泊|階|字|行|页|種|種類|种|ヶ所|箇所|班|间|家|款|辆|張|张|usd|dollars?|percent|hours?|minutes?|days?|weeks?|months?|years?)?(?:左右|以上|以下|以内|程度|前後)?"
)
_CODE = re.compile(r"(?=.*\d)[a-z]*[\w.\-/#+]*|[a-z]+(?:[-_./:][\w]+)+")
_SUFFIXES = {
    "place": "市 县 県 区 州 省 乡 镇 村 路 街 国 岛 島 湾 港 站 駅 机场 空港 府 都 半岛 地区 地方 山 湖 河 海岸 车站",
    "vehicle": "号 车 火车 列车 高铁 捷运 巴士 公车 客运 飞机 航班 班机 渡轮 电车 電車 新幹線 新干线 線 バス タクシー 地铁 機 便 フェリー", "shop": "门市 分店 店 支店 本店 分行 分公司 分馆 分校 营业所 据点 支社 本社 本馆 本館 館 馆 棟 栋 校区 校 キャンパス 営業所 支局", "body": "公司 银行 銀行 集团 会社 大学 学校 医院 病院 基金会 协会 法院 部 局 署 院 厅 庁 社", "room": "会议室 会議室 教室 房 室 ルーム 厅 ホール", "leave": "假 休暇 休 休業 休假", "plan":
    "方案 套餐 专案 计画 计划 プラン コース パック 版 方式 版本 セット", "insurance": "险 保险 保険", "tax": "税",
    "card": "卡 カード 证 証", "illness": "病 症 癌 炎", "subject": "学 系 科 课 課",
}
_PLACES = words(
    "台湾 台北 新北 桃园 台中 台南 高雄 基隆 新竹 苗栗 彰化 南投 云林 嘉义 屏东 宜兰 花莲 台东 澎湖 金门 马祖 板桥 左营 垦丁 淡水 九份 " "中国 北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 青岛 大连 厦门 福州 昆明 哈尔滨 香港 澳门 西藏 新疆 云南 四川 " "日本 东京 大阪 京都 名古屋 横滨 神户 福冈 札幌 仙台 广岛 冲绳 北海道 奈良 東京 横浜 神戸 福岡 広島 沖縄 千葉 埼玉 金沢 那覇 熊本 鹿児島 長崎 箱根 軽井沢 " "韩国 首尔 釜山 韓国 ソウル 美国 纽约 洛杉矶 旧金山 西雅图 芝加哥 华盛顿 アメリカ ニューヨーク 英国 伦敦 イギリス ロンドン 法国 巴黎 フランス パリ 德国 柏林 ドイツ ベルリン " "意大利 义大利 罗马 イタリア 西班牙 スペイン 荷兰 瑞士 スイス 瑞典 挪威 芬兰 丹麦 俄罗斯 莫斯科 印度 インド 泰国 曼谷 タイ 越南 ベトナム 新加坡 シンガポール 马来西亚 菲律宾 印尼 澳洲 澳大利亚 悉尼 オーストラリア 加拿大 カナダ 巴西 墨西哥 埃及 土耳其 " "taiwan taipei taichung tainan kaohsiung hualien taitung china beijing shanghai shenzhen hongkong japan tokyo osaka kyoto nagoya yokohama kobe fukuoka sapporo sendai nara okinawa korea seoul busan " "america usa us uk england britain london paris france germany berlin munich hamburg frankfurt italy rome milan spain madrid barcelona portugal lisbon netherlands amsterdam belgium brussels switzerland zurich geneva " "austria vienna sweden stockholm norway oslo finland helsinki denmark copenhagen poland warsaw ireland dublin scotland edinburgh russia moscow ukraine turkey istanbul greece athens egypt cairo india delhi mumbai bangalore " "thailand bangkok vietnam hanoi singapore malaysia indonesia jakarta philippines manila australia sydney melbourne canada toronto vancouver montreal mexico brazil argentina chile peru africa europe asia " "california texas florida ohio nevada oregon washington boston chicago seattle denver dallas houston austin atlanta miami phoenix portland philadelphia detroit york angeles francisco diego vegas"
)


def time_at_edge(key: str) -> int:
    """How many characters at the beginning (positive) or the end (negative) of a longer phrase are a time; else 0."""
    match = _TIME.match(key)
    if match and len(match[0]) > 1 and len(key) - len(match[0]) > 1 and not key.isascii():
        return len(match[0])
    for size in range(min(6, len(key) - 2), 1, -1):
        if _TIME.fullmatch(key[-size:]) and not key.isascii():
            return -size
    return 0


@functools.cache
def _suffixes() -> list[tuple[str, str]]:
    pairs = [(suffix, kind) for kind, listed in _SUFFIXES.items() for suffix in listed.split()]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def kind(key: str) -> str:
    """Of a folded phrase: ``time number code place vehicle shop …``, or ``""`` where nothing tells."""
    if key in _PLACES or (key.isascii() and key.split(" ")[-1] in _PLACES and " " not in key):
        return "place"
    if _TIME.fullmatch(key):
        return "time"
    if _NUMBER.fullmatch(key) and not re.fullmatch(r"\d{3,}", key):
        return "number"
    if key.isascii():
        return "code" if _CODE.fullmatch(key.split(" ")[-1]) else ""
    for suffix, named in _suffixes():
        if len(key) > len(suffix) and key.endswith(suffix):
            return named
    return next((named for suffix, named in _suffixes() if key == suffix and len(key) > 1), "")


def shape(key: str) -> str:
    """How a code is written: ``e-4401`` is ``a-9999``; two codes of one shape name things of one sort."""
    return re.sub(r"\d", "9", re.sub(r"[a-z]", "a", key))
