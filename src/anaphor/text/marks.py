"""The mark that an item of a list begins with."""

from __future__ import annotations

import re

MARK = re.compile(
    r"[ \t]*(?P<mark>\*(?!\*)|[-+•・‧●○◦■□▪–]|[(（]?\d{1,2}(?:[.)．）]|、)(?!\d)|[①-⑳]"
    r"|[(（][一二三四五六七八九十]{1,2}[)）]|[一二三四五六七八九十]{1,2}、"
    r"|(?:第[一二三四五六七八九十\d]{1,2}(?:步|に)|[Ss]tep \d{1,2}|步[驟骤][一二三四五六七八九十\d]{1,2}"
    r"|手順\s?\d{1,2})\s?[:：.、，,]?)[ \t\u3000]*(?=\S)"
)
