"""Kind ``ingest``: bytes and texts become documents that are found."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anaphor.ingest.chunk import chunk
from anaphor.ingest.parse import parse
from anaphor.ingest.parse.suspect import suspicion
from anaphor.types import Document
from cases.retrieving import found, query_of
from cases.rewriting import tag
from cases.scene import PERSON, Scene, locale_of, spelled_out


def check(case: Mapping[str, Any], _place: Path) -> None:
    given, expect = case["input"], case["expect"]
    if "steps" in given:
        _check_steps(given, expect)
        return
    if "extracted_pages" in given:
        _check_pages(case)
        return
    text = spelled_out(given["parts"]) if "parts" in given else given["text"]
    for variant in given.get("variants") or [given]:
        content = str(variant.get("text", text)).encode(variant.get("encoding", "utf-8"))
        _check_file(case, variant, text, content)
    if "max_chars" in given:
        _check_pieces(given, expect, text)


def newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _check_file(case: Mapping[str, Any], variant: Mapping[str, Any], text: str, content: bytes) -> None:
    given, expect = case["input"], case["expect"]
    wanted = {**expect, **expect.get("each_variant", {})}
    scene = Scene(locale_of(case))
    report = scene.files({given["filename"]: content})
    names = scene.names()
    assert names, f"{variant.get('encoding')}: nothing was stored; {report.files}"
    stored = newlines(scene.store.documents.get(PERSON, next(iter(names))).text)
    told = f"{variant.get('encoding')}: read as {stored[:60]!r}"
    if wanted.get("decoded_equals_text_after_newline_normalisation"):
        assert stored == newlines(text), told
    for part in wanted.get("none_of", ()):
        assert part not in stored, f"{told}, with {part!r}"
    if "last_row" in wanted:
        assert list(csv.reader(stored.splitlines()))[-1] == wanted["last_row"], told
    _check_search(scene, expect.get("search", ()))


def _check_search(scene: Scene, searches: Sequence[Mapping[str, Any]]) -> None:
    for one in searches:
        hits = found(scene, query_of(one["q"], tag(scene.locale)), keyword=True)
        names = [hit.passage.source for hit in hits]
        if "hit" in one:
            assert bool(hits) is one["hit"], f"search {one['q']!r}: {names}"
        if "hit_page" in one:
            assert names[:1] == [f"page {one['hit_page']}"], f"search {one['q']!r}: {names}"


def _check_pages(case: Mapping[str, Any]) -> None:
    scene = Scene(locale_of(case))
    pages = case["input"]["extracted_pages"]
    scene.files({f"page {n}": page.encode() for n, page in enumerate(pages, 1)})
    _check_search(scene, case["expect"].get("search", ()))
    if "garble_check" in case["expect"]:
        garbled = case["expect"]["garble_check"]
        assert garbled["flag"] == "extraction_suspect"
        assert suspicion(garbled["text"]), garbled
        assert not any(map(suspicion, pages)), pages


def _check_pieces(given: Mapping[str, Any], expect: Mapping[str, Any], text: str) -> None:
    whole = newlines(text)
    document = Document("d", given["filename"], "1", whole)
    pieces = [p.text for p in chunk(document, parse(whole, given["filename"]), len, given["max_chars"])]
    if "pieces_min" in expect:
        assert len(pieces) >= expect["pieces_min"], pieces
    if "piece_max_chars" in expect:
        assert max(map(len, pieces)) <= expect["piece_max_chars"], pieces
    if expect.get("concat_equals_text"):
        assert "".join("".join(pieces).split()) == "".join(whole.split()), pieces
    if "no_piece_starts_with_regex" in expect:
        wrong = [p for p in pieces if re.search(expect["no_piece_starts_with_regex"], p)]
        assert not wrong, wrong
    for part in expect.get("never_split_inside", ()):
        assert whole.count(part) == sum(p.count(part) for p in pieces), f"{part!r} was cut: {pieces}"


def _check_steps(given: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    """The same file again, a copy of it, and a search."""
    scene = Scene()
    text = "\n\n".join(given["text_sections"])
    counts, fates = [], []
    for step in given["steps"]:
        if step["op"] == "ingest":
            report = scene.files({step["name"]: text.encode()})
            fates.append((step["name"], str(report.files[0].fate), report.files[0].detail))
            counts.append(scene.store.describe()["passages"])
        elif step["op"] == "search":
            hits = found(scene, query_of(step["q"], "en"), keyword=True)
            texts = [hit.passage.text for hit in hits[: step["k"]]]
            most = expect.get("search_identical_texts_max")
            assert most is None or all(texts.count(t) <= most for t in texts), texts
        else:
            raise AssertionError(f"this runner cannot read step {step['op']!r}")
    assert counts[0] == counts[1], f"passages after each: {counts}"
    assert fates[1][1] in ("unchanged", "duplicate"), fates
    if len(fates) > 2:
        assert fates[2][1] in ("duplicate", "added"), fates
        assert fates[2][1] == "added" or given["steps"][0]["name"] in fates[2][2], fates
    if expect.get("all_sections_searchable"):
        for section in given["text_sections"]:
            assert found(scene, query_of(section, "en"), keyword=True), section
