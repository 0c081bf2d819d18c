"""supported_claims: what share of the claims of an answer do its sources say?

    supported_claims = Σ supported / Σ (supported + unsupported)

over the claims of all drafts that cite something, by the product's own verdict; a claim on which sources disagree is
supported by one of them. It says how much of what a reader (a model, above all) claims is kept. Whether the verdicts
themselves hold is ``unquoted_numbers``.
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.metrics.share import Share

HELD = ("supported", "conflicting")


def supported_claims(verdicts: Iterable[str]) -> Share:
    """One answer's part; an answer without claims weighs nothing."""
    cited = [verdict for verdict in verdicts if verdict != "uncited"]
    return Share(sum(verdict in HELD for verdict in cited), len(cited))
