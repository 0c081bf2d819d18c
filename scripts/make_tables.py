"""Derive the character tables in ``src/anaphor/text/tables`` from OpenCC (Apache-2.0), a development dependency."""

from __future__ import annotations

from pathlib import Path

import opencc

TABLES = Path(__file__).parent.parent / "src/anaphor/text/tables"
HAN = [*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0x20000, 0x2FA20)]


def common_in_big5(character: str) -> bool:
    """Level 1 of Big5: in everyday use in Traditional Chinese."""
    encoded = character.encode("big5", "ignore")
    return bool(encoded) and encoded < b"\xc9"


def main() -> None:
    t2s, s2t = opencc.OpenCC("t2s"), opencc.OpenCC("s2t")
    pairs = {c: t2s.convert(c) for c in map(chr, HAN) if t2s.convert(c) != c}
    pairs["著"] = "着"
    pairs = {a: b for a, b in pairs.items() if len(b) == 1}
    unchanged = {b for b in pairs.values() if s2t.convert(b) == b or common_in_big5(b)}
    lines = ["".join(pairs), "".join(pairs.values()), "".join(sorted(unchanged))]
    TABLES.mkdir(exist_ok=True)
    (TABLES / "simplified.txt").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
