"""Light English stemming for matching; never shown, and the same for documents and queries.

Method: Harman's S stemmer (D. Harman, "How effective is suffixing?", JASIS 42, 1991), then step 1b of Porter's
(M. F. Porter, "An algorithm for suffix stripping", Program 14, 1980), which takes off *-ed* and *-ing* where a vowel is
left, then a final *e*, so that store, stored and storing meet.
"""

from __future__ import annotations

import functools


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word. Anything but four or more ASCII letters comes back as it is, less a possessive."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _without_e(_without_ed_or_ing(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    if word.endswith("s"):
        return word if word.endswith(("us", "ss")) else word[:-1]
    return word


def _without_ed_or_ing(word: str) -> str:
    for suffix in ("ed", "ing"):
        base = word.removesuffix(suffix)
        if base != word and len(base) > 2 and any(vowel in base for vowel in "aeiouy"):
            doubled = base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("e") else word
