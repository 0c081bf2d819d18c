"""The bench of evidence beside others: what a peer gives back is packed and counted as ours is."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def peers(bench_called):
    return bench_called("peers")


def row(retriever, share, **more):
    names = ("evidence_all", "evidence_all_excerpt", "evidence_share", "evidence_share_of_oracle", "recall@10")
    return {
        "slice": "all",
        "lang": "en",
        "n": 3,
        "retriever": retriever,
        "metrics": {**dict.fromkeys(names, share), "tokens": 1480.4},
        **more,
    }


def test_differences_are_told_from_our_side(peers):
    versus = [
        {"retriever": "default", "metric": "evidence_share", "difference": -0.2, "interval": [-0.3, -0.1]},
        {"retriever": "rrf", "metric": "evidence_share", "difference": 0.1, "interval": [0.0, 0.2]},
        {"retriever": "default", "metric": "mrr", "difference": 0.1, "interval": [0.0, 0.2]},
    ]
    kept = peers._short(row("mem0", 0.5, versus=versus))
    assert [v["metric"] for v in kept["versus"]] == ["evidence_share"]
    run = {
        "data": "d",
        "command": "c",
        "commit": "0",
        "versions": {"mem0": "mem0ai 2"},
        "rows": [row("default", 0.7), kept],
    }
    told = "\n".join(peers.page([run]))
    assert "| mem0 | 0.500 / 0.500 | 0.500 | 0.500 | 0.500 | 1,480 |  | +0.200 [+0.100, +0.300] |" in told
    assert "mem0: mem0ai 2." in told


def test_a_text_that_was_said_twice_is_the_first_of_them(peers):
    from anaphor.types import Passage

    said = [Passage("a", "謝謝。", "s"), Passage("b", "Hello.", "s"), Passage("c", "謝謝。", "s")]
    assert peers._ids(said) == {"謝謝。": "a", "Hello.": "b"}


def test_without_peers_it_says_so(peers, tmp_path):
    with pytest.raises(SystemExit, match="--python"):
        peers.main([str(tmp_path)])
