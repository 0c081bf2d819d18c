"""A quote in the other script of Chinese, told beside in the person's own, and labelled as that.

What is quoted stays as its source has it: the conversion claims nothing, and nobody is asked to trust it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anaphor.steps.answer.phrases import in_your_script
from anaphor.text.language import detect
from anaphor.types import Draft

Convert = Callable[[str, str], str]
"""A text put in ``zh-Hant`` or ``zh-Hans``."""

OTHER = {"zh-Hant": "zh-Hans", "zh-Hans": "zh-Hant"}


def in_persons_script(draft: Draft, language: str, convert: Convert | None) -> Draft:
    """The draft, with a conversion beside each quote that is in the other script; as it is for other languages."""
    if convert is None or language not in OTHER:
        return draft
    claims = []
    for claim in draft.claims:
        theirs = bool(claim.cites) and detect(claim.text) == OTHER[language]
        other = convert(claim.text, language) if theirs else claim.text
        claims.append(claim if other == claim.text else replace(claim, beside=in_your_script(language, other)))
    return replace(draft, claims=tuple(claims))
