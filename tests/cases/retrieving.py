"""Kind ``retrieve``: documents go in, queries find them."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anaphor
from anaphor.adapters.fake import Store
from anaphor.steps.retrieve import retrieve
from anaphor.types import Decision, Document, Hit, Passage, Question, Recollection, Scope, Sources, StandaloneQuery
from cases import checks
from cases.rewriting import tag
from cases.scene import PERSON, Scene, locale_of


def check(case: Mapping[str, Any], _place: Path) -> None:
    given, expect = case["input"], case["expect"]
    if "generator" in given:
        _check_vectors(given, expect)
        return
    scene = Scene(locale_of(case))
    scene.documents(given["docs"])
    for one in given["queries"]:
        query = query_of(one["q"], tag(scene.locale))
        try:
            _check(scene, query, one, expect)
        except AssertionError as failure:
            raise AssertionError(f"{one['q']!r}: {failure}") from failure


def query_of(text: str, language: str | None) -> StandaloneQuery:
    """As it would be asked without any history; text without a letter is searched as it is."""
    if any(map(str.isalnum, text)):
        return anaphor.reconstruct([], text, language=language)
    return StandaloneQuery(text, Decision.STANDALONE, 1.0)


def found(scene: Scene, query: StandaloneQuery, *, keyword: bool) -> Sequence[Hit]:
    """Of the lexical index alone, or the final ranking."""
    if keyword:
        return scene.store.lexical.search(PERSON, query, limit=20)
    question = Question(query.text, "q", sources=Sources.DOCUMENTS)
    asked = StandaloneQuery(query.text, Decision.STANDALONE, 1.0, query.language, query.queries, query.terms)
    return retrieve((scene.store.lexical,), None, PERSON, question, asked, Recollection(), 20).hits


def _check(scene: Scene, query: StandaloneQuery, one: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    hits = found(scene, query, keyword=expect.get("leg") == "keyword" or bool(one.get("keyword_empty")))
    ranked = list(dict.fromkeys(hit.passage.source for hit in hits))
    if one.get("keyword_empty"):
        assert not ranked, f"found {ranked}, but nothing was to be found"
    if "top1" in one:
        checks.first(one["top1"], ranked, query.text)
    if "hit_any" in one:
        assert set(one["hit_any"]) & set(ranked), f"none of {one['hit_any']} among {ranked}"
    checks.excluding("ranking", one.get("exclude", ()), ranked, query.text)
    for top in (one.get("top_k"), expect.get("top_k")):
        if top:
            checks.among_first(top, ranked, query.text)
    if "max_from_group" in expect:
        group, most = expect["max_from_group"]["group"], expect["max_from_group"]["max"]
        shown = [name for name in ranked[: one.get("k", 10)] if name in group]
        assert len(shown) <= most, f"{len(shown)} of {group} among the first: {ranked}"
    checks.none_of("query shown", expect.get("shown_query_none_of", ()), [query.text])
    for hit in hits:
        _is_verbatim(scene, hit)


def _is_verbatim(scene: Scene, hit: Hit) -> None:
    whole = scene.store.documents.get(PERSON, hit.passage.document_id).text
    assert whole[hit.passage.start : hit.passage.end] == hit.passage.text, f"{hit.passage.text!r} is not verbatim"
    hit.passage.text.encode("utf-8")  # half a surrogate pair would raise


class Vectors:
    """An embedder that knows its texts beforehand: scaled to length 1."""

    name = "given"
    dimensions = 3

    def __init__(self, known: Mapping[str, Sequence[float]]) -> None:
        self._known = known

    def embed(self, texts: Sequence[str], *, query: bool) -> Sequence[Sequence[float]]:
        return [[x / math.hypot(*self._known[t]) for x in self._known[t]] for t in texts]


def _check_vectors(given: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    """Tenants with many passages nearer to the query than the only ones that may be found."""
    generator = given["generator"]
    known = {"query": generator["query_vector"]}
    store = Store()
    for group in generator["groups"]:
        for i in range(1, group["n"] + 1):
            name = generator["id"].format(tenant=group["tenant"], i=i)
            known[name] = vector(group["vector"], i)
            document = Document(name, name, "1", name)
            passage = Passage(name, name, name, document_id=name, end=len(name))
            store.documents.put(Scope(group["tenant"], "u"), document, [passage])
    index = store.dense(Vectors(known))
    while index.refresh(1000):
        pass
    query = StandaloneQuery("query", Decision.STANDALONE, 1.0)
    hits = index.search(Scope(given["filter"]["tenant"], "u"), query, limit=given["k"])
    names = [hit.passage.source for hit in hits]
    if "count" in expect:
        assert len(names) == expect["count"], f"{len(names)} hits: {names}"
    if "ids_set" in expect:
        checks.exactly("ids", expect["ids_set"], set(names), "")
    if "order_by_similarity" in expect:
        assert names == expect["order_by_similarity"], f"order: {names}"


def vector(written: str, i: int) -> list[float]:
    """``[0.5, 0.8, 0.01*i]``: sums and products of numbers and ``i``."""

    def value(node: ast.expr) -> float:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return float(node.value)
        if isinstance(node, ast.Name) and node.id == "i":
            return float(i)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            return {ast.Mult: a * b, ast.Add: a + b, ast.Sub: a - b, ast.Div: a / b if b else 0.0}[type(node.op)]
        raise AssertionError(f"this runner cannot read the vector {written!r}")

    parsed = ast.parse(written, mode="eval").body
    assert isinstance(parsed, ast.List)
    return [value(element) for element in parsed.elts]
