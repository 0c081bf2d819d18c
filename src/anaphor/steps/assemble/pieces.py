"""Whether a question wants many pieces: a count, a list, an order, a comparison, a summary, how something changed."""

from __future__ import annotations

from anaphor.text.patterns import pattern

_PIECES = pattern(
    r"(?i)\bhow many\b|\bhow much (?:in total|altogether)\b|\bin total\b|\baltogether\b|\b(?:the|in) order\b|\blist\b"
    r"|\ball (?:the|my|of)\b|\beach of\b|\bevery\b|\bdifferent\b|\bacross\b|\bthroughout\b|\bover time\b|\bevol"
    r"|\bcompar|\bdifference between\b|\bsummar|\boverview\b|\btimeline\b|\bhow (?:did|has|have) .{1,60} changed?\b"
    r"|\bwhat (?:kinds?|types?|sorts?) of\b|\bwhich (?:of|ones)\b"
    "|幾[個次種家本位箱份天]|几[个次种家本位箱份天]|多少[個次種家本位箱份个种]|總共|总共|一共|合計|合计|全部|所有|哪些"
    "|依序|順序|顺序|先後|先后|列出|比較|比较|總結|总结|摘要|整理|變化|变化|分別|分别"
    "|いくつ|何[回個種冊人箱件社]|全部で|合わせて|すべて|順番|順に|比べ|違い|まとめ|一覧|それぞれ|どう変わ"
)


def wants_pieces(question: str) -> bool:
    return _PIECES.search(question[:2000]) is not None
