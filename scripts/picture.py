"""Draw docs/picture.svg: two turns of the demonstration, as ``anaphor demo`` shows them.

    python scripts/picture.py [FILE]

The conversations are played for real, over the sample knowledge base and with the local embedder if it is installed;
what is drawn is what came out.
"""

from __future__ import annotations

import html
import io
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len
from rich.color import Color
from rich.console import Console
from rich.terminal_theme import TerminalTheme

from anaphor.cli.labels import Labels
from anaphor.cli.show import Stage, show_turn
from anaphor.demo import knowledge, script
from anaphor.settings import read
from anaphor.wiring import build

PICTURE = Path(__file__).parent.parent / "docs/picture.svg"
TURNS = (("en", 4), ("zh-Hant", 9))  # an ordinal; a correction
WIDTH = 96
CELL = 12.2  # units of a terminal cell in rich's drawing
FONTS = "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono CJK TC', monospace"
NORMAL = "3c4048 e06c75 98c379 e5c07b 61afef c678dd 56b6c2 abb2bf"
BRIGHT = "7f848e f08c94 acd492 f0d096 82c3f5 d696e8 78ccd6 f0f2f6"
TEXT = re.compile(r'<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)" textLength="[^"]*"([^>]*)>([^<]*)</text>')


def main(arguments: list[str]) -> None:
    path = Path(arguments[0]) if arguments else PICTURE
    path.write_text(drawn(), "utf-8")


def drawn() -> str:
    """The picture."""
    console = Console(record=True, file=io.StringIO(), width=WIDTH, force_terminal=True, color_system="truecolor")
    console.print("[bold]$ anaphor demo[/bold]", highlight=False)
    with tempfile.TemporaryDirectory() as folder:
        settings = read({"store": f"{folder}/demo.db"}, environment={}, directory=Path(folder))
        stage = Stage(console, Labels(settings.locale), settings.budget)
        with build(settings) as assistant:
            assistant.ingest(knowledge(), base=knowledge())
            for language, seq in TURNS:
                session = assistant.sessions.start().session_id
                for line in script(language).lines[:seq]:
                    answer = assistant.ask(line.say, session=session)
                console.print()
                show_turn(stage, answer, assistant.passages(answer), stage.labels(line.shows))
    return in_cells(without_the_network(console.export_svg(title="anaphor", theme=theme(), unique_id="anaphor")))


def theme() -> TerminalTheme:
    normal, bright = ([Color.parse(f"#{c}").get_truecolor() for c in colours.split()] for colours in (NORMAL, BRIGHT))
    return TerminalTheme((27, 30, 36), (215, 218, 224), normal, bright)


def without_the_network(svg: str) -> str:
    """The fonts of the reader's own machine: nothing is fetched to look at a picture."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S)
    return re.sub(r"font-family: ?Fira Code[^;]*;", f"font-family: {FONTS};", svg)


def in_cells(svg: str) -> str:
    """Every run of Chinese or Japanese twice as wide as as much Latin: rich counts characters where it needs cells."""
    return TEXT.sub(_runs, svg)


def _runs(found: re.Match[str]) -> str:
    style, x, y, rest, text = found.groups()
    at, drawn = float(x), []
    for wide, run in groupby(html.unescape(text), key=lambda c: cell_len(c) == 2):
        shown = "".join(run)
        length = len(shown) * CELL * (2 if wide else 1)
        if shown.strip("\xa0 "):
            written = html.escape(shown).replace("\xa0", "&#160;")
            where = f'x="{at:.1f}" y="{y}" textLength="{length:.1f}"'
            drawn.append(f'<text class="{style}" {where}{rest}>{written}</text>')
        at += length
    return "".join(drawn)


if __name__ == "__main__":
    main(sys.argv[1:])
