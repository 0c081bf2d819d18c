"""How large a passage should be, whether neighbours should overlap, and whether a passage should carry its title.

    python benchmarks/chunking.py DATA --cache DIR [--to DIR] [--questions N] [--dense SET=DOCUMENTS …]

The passages of a data set that come from one document are put together again and cut by ``ingest.chunk``. A question's
gold is a place in the document: the answer inside its gold passage (DRCD, JSQuAD), or the gold passages themselves
(MTRAG, with a person's rewrite as the query). Small passages lose nothing by being small if enough of them are shown,
so what is measured is not recall at k but what stands in the evidence: the best passages are taken, best first, until a
budget of tokens is full (headers counted, by the evaluation's own counter), and ``shown`` is the share of the gold that
is in them. Whatever overlaps is counted once. Intervals are drawn over documents (conversations for MTRAG).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anaphor.ingest.chunk import TOKENS, chunk
from anaphor.ingest.parse import parse
from anaphor.settings import read as read_settings
from anaphor.text.sentences import sentences
from anaphor.types import Decision, Document, Passage, Span, StandaloneQuery
from anaphor_eval.cache import Cache, key_of
from anaphor_eval.product import Product
from anaphor_eval.rows import commit, machine
from anaphor_eval.statistics import Sample, difference, interval, mean
from anaphor_eval.tasks.plan import code
from anaphor_eval.tokens import count as count_tokens

SIZES = (100, 160, 260, 400, 600)
BUDGETS = (500, 1500)
SEED = 20261130


@dataclass(frozen=True, slots=True)
class Cut:
    """One way of cutting. ``tokens`` as ``text.tokens.estimate`` counts them."""

    tokens: int
    overlap: int = 0  # sentences of the passage before
    carried: bool = True  # title and section are indexed with the text

    def __str__(self) -> str:
        return f"{self.tokens}, overlap {self.overlap}, {'with' if self.carried else 'without'} title"


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with the places that answer it: any one of ``places`` (DRCD, JSQuAD), or all (MTRAG)."""

    question_id: str
    question: str
    language: str
    group: str
    document: str
    places: tuple[Span, ...]
    all_of_them: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    name: str
    documents: Mapping[str, Document]
    golds: tuple[Gold, ...]


# ── the data sets, their documents put together again ────────────────────────────────────────────────────────────


def rows_of(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def joined(passages: Path, language: str, key: Any) -> tuple[dict[str, Document], dict[str, tuple[str, Span]]]:
    """Documents by name, and where in which document each passage stands."""
    by_name: dict[str, list[Any]] = {}
    for row in rows_of(passages):
        by_name.setdefault(key(row), []).append(row)
    documents, places = {}, {}
    for name, parts in by_name.items():
        text = ""
        for row in sorted(parts, key=lambda row: order(row["id"])):
            piece = row["text"].strip("\n")
            start = overlapping(text, piece)
            if start is None:
                text += "\n\n" if text else ""
                start = len(text)
            text = text[:start] + piece
            places[row["id"]] = (name, Span(start, start + len(piece)))
        title = parts[0].get("title") or ""
        documents[name] = Document(f"d{len(documents)}", f"{name}.txt", "1", text, title, language=language)
    return documents, places


def order(passage_id: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", passage_id)[-3:])


def overlapping(text: str, piece: str) -> int | None:
    """Where the piece begins if its head is the text's tail, as in passages that were cut with an overlap."""
    at = text.rfind(piece[:60], max(0, len(text) - 3000)) if len(piece) >= 60 else -1
    return at if at >= 0 and piece.startswith(text[at:]) else None


def questions_with_answers(data: Path, name: str, stem: str, language: str) -> Material:
    documents, places = joined(data / f"retrieval/{stem}_passages.jsonl", language, lambda row: row["title"])
    golds = []
    for row in rows_of(data / f"retrieval/{name}.jsonl"):
        document, where = places[row["gold_passages"][0]]
        passage = documents[document].text[where.start : where.end]
        found = [
            Span(where.start + m.start(), where.start + m.end())
            for answer in row["answers"]
            if answer
            for m in re.finditer(re.escape(answer), passage)
        ]
        if found:
            golds.append(Gold(row["id"], row["question"], language, document, document, tuple(found)))
    return Material(name, documents, tuple(golds))


def mtrag(data: Path) -> Material:
    def key(row: Any) -> str:
        return str(row["id"]).split("_")[0] if row["collection"] == "clapnq" else str(row["id"]).rsplit("-", 2)[0]

    documents, places = joined(data / "rag/mtrag_passages.jsonl", "en", key)
    golds = []
    for row in rows_of(data / "rag/mtrag_human.jsonl"):
        for turn in row["turns"]:
            ids = [i for i in turn["gold_passages"] if i in places]
            if not ids or not turn.get("standalone"):
                continue
            for document in {places[i][0] for i in ids}:
                spans = tuple(places[i][1] for i in ids if places[i][0] == document)
                golds.append(Gold(turn["task_id"], turn["standalone"], "en", row["id"], document, spans, True))
    return Material("mtrag_human", documents, tuple(golds))


def fewer(material: Material, n: int, most: int) -> Material:
    """So many of the documents that are asked about, with at most so many of the questions about them."""
    asked = sorted({gold.document for gold in material.golds})
    kept = random.Random(SEED).sample(asked, min(n, len(asked)))
    golds = tuple(sample([gold for gold in material.golds if gold.document in kept], most))
    documents = {name: material.documents[name] for name in kept}
    return Material(f"{material.name}, {len(kept)} documents", documents, golds)


def sample(golds: list[Gold], most: int) -> list[Gold]:
    return golds if not most or len(golds) <= most else random.Random(SEED).sample(golds, most)


# ── one way of cutting, measured ─────────────────────────────────────────────────────────────────────────────────


def cut_up(material: Material, cut: Cut) -> list[Passage]:
    made: list[Passage] = []
    for document in material.documents.values():
        parsed = replace(parse(document.text, document.source), title=document.title)
        passages = chunk(document, parsed, tokens=cut.tokens)
        if cut.overlap:
            passages = list(with_overlap(document.text, passages, cut.overlap))
        made += passages if cut.carried else [replace(p, title="", section="") for p in passages]
    return made


def with_overlap(text: str, passages: Sequence[Passage], n: int) -> Iterator[Passage]:
    before: Passage | None = None
    for passage in passages:
        start = passage.start
        if before and not text[before.end : passage.start].strip():
            starts = [before.start + s.start for s in sentences(before.text)][-n:]
            start = starts[0] if starts and starts[0] > before.start else start
        yield replace(passage, start=start, text=text[start : passage.end])
        before = passage


def measured(material: Material, cut: Cut, retriever: str, product: Product) -> dict[str, list[float]]:
    """Per question, in order: the share of its gold that is shown within each budget; and the reciprocal rank."""
    passages = cut_up(material, cut)
    product.put(passages)
    by_id = {p.passage_id: p for p in passages}
    queries = [StandaloneQuery(g.question, Decision.STANDALONE, 1.0, g.language) for g in material.golds]
    product.prepare(retriever, queries)
    found: dict[str, list[float]] = {name: [] for name in (*(f"shown@{b}" for b in BUDGETS), "mrr")}
    for gold, query in zip(material.golds, queries, strict=True):
        ranking = product.ranking(retriever, query, limit=60)
        hits = [by_id[hit.passage.passage_id] for hit in ranking.hits]
        document = material.documents[gold.document]
        for budget in BUDGETS:
            found[f"shown@{budget}"].append(share_shown(gold, packed(hits, budget), document))
        ranks = (n for n, hit in enumerate(hits, 1) if share_shown(gold, [hit], document) > 0)
        found["mrr"].append(1 / next(ranks, float("inf")))
    found["passages"] = [float(len(passages))]
    return found


def packed(hits: Iterable[Passage], budget: int) -> list[Passage]:
    shown = []
    for hit in hits:
        price = count_tokens(f"{hit.title}\n{hit.text}")
        if price <= budget:
            shown.append(hit)
            budget -= price
    return shown


def share_shown(gold: Gold, shown: Iterable[Passage], document: Document) -> float:
    spans = [Span(p.start, p.end) for p in shown if p.document_id == document.document_id]
    shares = [covered(place, spans) / (place.end - place.start) for place in gold.places]
    if gold.all_of_them:
        sizes = [place.end - place.start for place in gold.places]
        return sum(share * size for share, size in zip(shares, sizes, strict=True)) / sum(sizes)
    return float(any(share == 1 for share in shares))


def covered(place: Span, spans: Iterable[Span]) -> int:
    reach, total = place.start, 0
    for span in sorted(spans, key=lambda s: s.start):
        start, end = max(span.start, reach), min(span.end, place.end)
        if start < end:
            total, reach = total + end - start, end
    return total


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────────────


def samples(material: Material, found: Mapping[str, list[float]]) -> dict[str, Sample]:
    turns = [f"{g.question_id}/{g.document}" for g in material.golds]
    groups = [g.group for g in material.golds]
    return {name: mean(values, turns, groups) for name, values in found.items() if name != "passages"}


def row(name: str, retriever: str, cut: Cut, found: Any, own: dict[str, Sample], usual: dict[str, Sample]) -> Any:
    told: dict[str, Any] = {
        "data": name,
        "retriever": retriever,
        "tokens": cut.tokens,
        "overlap": cut.overlap,
        "carried": cut.carried,
        "passages": int(found["passages"][0]),
        "n": next(iter(own.values())).n,
        "metrics": {k: s.value for k, s in own.items()},
        "intervals": {k: interval(s) for k, s in own.items()},
        "versus": {},
    }
    for metric, each in own.items():
        against = difference(each, usual[metric])
        if against:
            told["versus"][metric] = {"difference": against.value, "interval": against.interval, "p": against.p}
    return told


def table(rows: Sequence[Any]) -> str:
    out = []
    for name, retriever in dict.fromkeys((r["data"], r["retriever"]) for r in rows):
        here = [r for r in rows if (r["data"], r["retriever"]) == (name, retriever)]
        out += [
            f"### {name}, {retriever}, n = {here[0]['n']}\n",
            "| tokens | overlap | title | passages | shown in 500 | Δ | shown in 1,500 | Δ | mrr |",
            "|---|---|---|---|---|---|---|---|---|",
        ]
        for r in here:
            cells = [str(r["tokens"]), str(r["overlap"]), "carried" if r["carried"] else "–", f"{r['passages']:,}"]
            for metric in (f"shown@{b}" for b in BUDGETS):
                cells += [f"{r['metrics'][metric]:.3f}", shown_difference(r["versus"].get(metric))]
            out.append(f"| {' | '.join([*cells, format(r['metrics']['mrr'], '.3f')])} |")
        out.append("")
    return "\n".join(out)


def shown_difference(told: Any) -> str:
    if not told or (told["difference"] == 0 and told["p"] == 1):
        return "–"
    low, high = told["interval"] or (float("nan"), float("nan"))
    mark = " ▲" if low > 0 else " ▼" if high < 0 else ""
    return f"{told['difference']:+.3f} [{low:+.3f}, {high:+.3f}]{mark}"


def cuts() -> list[Cut]:
    usual = Cut(TOKENS)
    sizes = [Cut(size) for size in SIZES]
    overlapping = [Cut(size, overlap=1) for size in SIZES]
    bare = [Cut(size, carried=False) for size in (160, TOKENS, 400)]
    return list(dict.fromkeys([usual, *sizes, *overlapping, *bare]))


def plans(every: Sequence[Material], dense: Mapping[str, int], most: int) -> list[tuple[str, Material, list[Cut]]]:
    """Retriever, material, and the ways of cutting it; the first of them is what the others are held against."""
    found = [("bm25", replace(material, golds=tuple(sample([*material.golds], most))), cuts()) for material in every]
    sizes = [Cut(TOKENS), *(Cut(size) for size in SIZES if size != TOKENS)]
    for material in every:
        if material.name in dense:
            part = fewer(material, dense[material.name], most)
            found += [(retriever, part, sizes) for retriever in ("bm25", "dense", "rrf")]
    return found


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path)
    options.add_argument("--to", type=Path, default=Path("docs/benchmarks"))
    options.add_argument("--cache", type=Path, required=True, help="vectors and finished cells; a killed run goes on")
    options.add_argument("--questions", type=int, default=1500, help="of each set, drawn by a seed; 0: all")
    options.add_argument(
        "--dense", nargs="*", default=[], help="SET=N: measured with vectors too, sizes alone, over N documents of it"
    )
    options.add_argument("--cells", type=int, default=10_000, help="stop after so many that were not there yet")
    given = options.parse_args(arguments)
    materials = [
        questions_with_answers(given.data, "drcd_zh_hant", "drcd", "zh-Hant"),
        questions_with_answers(given.data, "jsquad_ja", "jsquad", "ja"),
        mtrag(given.data),
    ]
    dense = {name: int(n) for name, _, n in (told.partition("=") for told in given.dense)}
    rows: list[Any] = []
    left = given.cells
    with Cache(given.cache) as cache:
        for retriever, material, ways in plans(materials, dense, given.questions):
            usual: dict[str, Sample] = {}
            made = []
            for cut in ways:
                key = key_of("chunking", code(), material.name, retriever, str(cut), str(given.questions))
                found = cache.cell(key)
                if found is None:
                    if left == 0:
                        return 0
                    left -= 1
                    with Product(read_settings(), cache) as product:
                        found = measured(material, cut, retriever, product)
                    cache.keep_cell(key, found)
                own = samples(material, found)
                usual = usual or own
                made.append(row(material.name, retriever, cut, found, own, usual))
                print(f"{material.name} {retriever} {cut}: {made[-1]['metrics']}", file=sys.stderr, flush=True)
            rows += sorted(made, key=lambda r: (not r["carried"], r["overlap"], r["tokens"]))
    command = " ".join(["python", "benchmarks/chunking.py", "DATA", *arguments[1:]])
    told = {"command": command, "commit": commit(), "machine": machine(), "rows": rows}
    (given.to / "chunking.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
