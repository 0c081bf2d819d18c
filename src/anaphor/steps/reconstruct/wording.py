"""What a text is made of, as far as the guard cares: names, identifiers, plain words, runs of Han or katakana.

Words are compared folded (case, width, script), inflected forms as one, identifiers character for character but for a
space or hyphen between letters and digits.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from anaphor.text.fold import matching

LATIN = "0-9A-Za-z\u00c0-\u024f\u0370-\u04ff"
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KATAKANA = "\u30a1-\u30fa\u30fc"

_TOKEN = re.compile(
    rf"(?P<address>https?://[^\s<>\"'{HAN}\u3000-\u30ff\uff00-\uffef]+|[\w.+-]+@[\w-]+\.[\w.-]+)"
    rf"|(?P<latin>[{LATIN}](?:[{LATIN}_.'’\-/+#@&]*[{LATIN}])?(?:\+\+|#)?)"
    rf"|(?P<katakana>[{KATAKANA}][{KATAKANA}・]*)|(?P<han>[{HAN}]+)|(?P<kana>[\u3041-\u309f]+)"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？:：;\n])\s*[\"“”「」『』()（）\-–—]*\s*\Z")
_ORDINARY_WITH_DIGITS = re.compile(
    r"\d+(?:st|nd|rd|th|s|x|-?(?:year|month|week|day|hour|minute|yr|hr)s?(?:-old)?)", re.I
)
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]?")  # U.S., as US
_QUOTED = re.compile(r"[「『《“]([^「」『』《》“”\n]{1,24})[」』》”]")


LONGEST_FREE = 4  # characters of a free Han word


class Kind(Enum):
    ADDRESS = auto()  # URL, e-mail address
    IDENTIFIER = auto()  # QX-20731, app.yaml
    NUMBER = auto()  # digits alone; their value is compared elsewhere
    NAME = auto()  # a Latin word with a capital where the sentence asks for none
    WORD = auto()  # any other Latin word
    KATAKANA = auto()
    HAN = auto()
    KANA = auto()  # hiragana: grammar, mostly


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` as written, ``term`` folded; ``opens`` a sentence."""

    text: str
    term: str
    kind: Kind
    start: int
    opens: bool = False


def tokens(text: str, language: str = "und") -> list[Token]:
    """The tokens of a text in order. In headings and shouting (most words with capitals) no capital makes a name."""
    text = unicodedata.normalize("NFKC", text)
    shouted = _mostly_capitals(text)
    return [_token(m, text, language, shouted) for m in _TOKEN.finditer(text)]


def _token(found: re.Match[str], text: str, language: str, shouted: bool) -> Token:
    group, written = found.lastgroup, found.group()
    if group == "latin":
        opens = bool(_SENTENCE_START.search(text, max(0, found.start() - 4), found.start()))
        if written.isascii() and written.isalpha() and written.islower():
            return Token(written, written, Kind.WORD, found.start(), opens)  # the commonest case by far
        kind = _latin_kind(written, opens or shouted)
    else:
        opens = False
        kind = {"address": Kind.ADDRESS, "katakana": Kind.KATAKANA, "han": Kind.HAN}.get(group or "", Kind.KANA)
    term = matching(written, language)
    if _DOTTED.fullmatch(term):
        term = term.replace(".", "")
    return Token(written, term, kind, found.start(), opens)


def _latin_kind(written: str, capital_says_nothing: bool) -> Kind:
    if all(c.isdigit() or c in ".,/-:" for c in written):
        return Kind.NUMBER
    if any(c.isdigit() for c in written):
        return Kind.WORD if _ORDINARY_WITH_DIGITS.fullmatch(written) else Kind.IDENTIFIER
    if re.search(r"\w{2}[._@]\w{2}", written):
        return Kind.IDENTIFIER
    inner_capital = any(c.isupper() for c in written[1:]) and not written.isupper()
    if inner_capital or (written[0].isupper() and not capital_says_nothing and written not in ("I", "I'm", "I've")):
        return Kind.NAME
    return Kind.WORD


def _mostly_capitals(text: str) -> bool:
    words = re.findall(r"[A-Za-z]{4,}", text)
    return len(words) > 2 and sum(w[0].isupper() for w in words) > 0.9 * len(words)


def quoted(text: str) -> list[str]:
    """What stands between 「」, 《》 or “”: titles and names, mostly."""
    return _QUOTED.findall(text)


def same_identifier(identifier: str, text: str) -> bool:
    """Whether the folded identifier stands in the folded text, not as part of a longer one.

    ``gpt4`` is ``gpt-4`` and ``gpt 4``; ``E44130`` is not ``E4413``.
    """
    return bool(_identifier(identifier).search(text))


@functools.lru_cache(maxsize=256)
def _identifier(identifier: str) -> re.Pattern[str]:
    parts = re.findall(r"\d+|[^\W\d_]+|[^\w\s-]+|_", identifier)
    return re.compile(r"(?<![0-9a-z])" + r"[\s\-]?".join(map(re.escape, parts)) + r"(?![0-9a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """Everything a rewrite may draw on: the utterance and what may be carried."""

    written: str
    folded: str
    stems: frozenset[str]
    pairs: frozenset[str]  # of neighbouring Han or kana characters
    acronyms: frozenset[str]  # that its words in a row would make
    names: frozenset[str]  # stems of the words that stand with a capital inside a sentence

    @classmethod
    def of(cls, texts: Sequence[str], language: str = "und") -> Source:
        found = [token for text in texts for token in tokens(text, language)]
        latin = [token for token in found if token.kind in _LATIN_KINDS]
        folded = "\n".join(matching(text, language) for text in texts)
        return cls(
            written=unicodedata.normalize("NFKC", "\n".join(texts)),
            folded=folded,
            stems=frozenset(stem(part) for token in latin for part in parts(token.term)),
            pairs=frozenset(folded[i : i + 2] for i in range(len(folded) - 1)),
            acronyms=frozenset(
                [*_acronyms([t.term for t in latin], 3), *_acronyms([t.term for t in latin if t.text[0].isupper()], 2)]
            ),
            names=frozenset(stem(token.term) for token in latin if token.kind is Kind.NAME),
        )

    def has_word(self, term: str) -> bool:
        """The word itself, an inflected form, a compound of words that are there, or an acronym of them."""
        pieces = parts(term)
        return (
            stem(term) in self.stems
            or self._has_form_of(stem(term))
            or all(stem(piece) in self.stems or self._has_form_of(stem(piece)) for piece in pieces)
            or (2 <= len(term) <= 6 and term.replace(".", "") in self.acronyms)
        )

    def has_spelling_of(self, term: str) -> bool:
        """Another spelling of a longish word, one letter off: people and models both mend typing errors."""
        return len(term) > 5 and any(_one_letter_off(stem(term), known) for known in self.stems)

    def has_acronym_of(self, words: Sequence[str]) -> bool:
        """Whether the source has the acronym of these words in a row."""
        return any(stem(acronym) in self.stems for acronym in _acronyms(words, len(words)))

    def _has_form_of(self, root: str) -> bool:
        """A stem that this one continues, or that continues this one: treat, treatable; chemo, chemotherapy."""
        if len(root) < 4:
            return False
        shortest = 5 if len(root) > 8 else 4
        return any(root[:n] in self.stems for n in range(shortest, len(root))) or root in self._beginnings

    @functools.cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(s[:n] for s in self.stems for n in range(max(4, len(s) - 4), len(s)))


_LATIN_KINDS = frozenset({Kind.IDENTIFIER, Kind.NAME, Kind.WORD, Kind.NUMBER})
_SUFFIXES = (
    *("ization", "isation", "ations", "ation", "ments", "ment", "ities", "ity", "ness", "ings", "ing", "edly", "ied"),
    *("ies", "ed", "ers", "er", "ors", "or", "ally", "ly", "able", "ible", "ful", "ive", "ous", "ions", "ion", "als"),
    *("al", "es", "s", "e", "y"),
)
_INFLECTIONS = frozenset(("ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y"))


def stem(word: str) -> str:
    """The word without possessive and one suffix, where enough of it remains to be told from others."""
    word = re.sub(r"['’](?:s|re|ve|ll|d)?\Z", "", word)
    for suffix in _SUFFIXES:
        least = 3 if suffix in _INFLECTIONS else 4
        if word.endswith(suffix) and len(word) - len(suffix) >= least and not word.endswith("ss"):
            return word[: -len(suffix)]
    return word


def _one_letter_off(a: str, b: str) -> bool:
    """One letter put in, left out, replaced, or two neighbours swapped."""
    if len(a) > len(b):
        a, b = b, a
    if len(b) - len(a) > 1 or len(a) < 4:
        return False
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return a[same:] == b[same + 1 :]
    swapped = a[same : same + 2] == b[same : same + 2][::-1] and a[same + 2 :] == b[same + 2 :]
    return swapped or a[same + 1 :] == b[same + 1 :]


def parts(term: str) -> list[str]:
    """A compound's words beside itself: self-made, and/or, app.yaml."""
    return [term, *(p for p in re.split(r"[-/._@&+]", term) if p)] if re.search(r"[-/._@&+]", term) else [term]


def _acronyms(words: Sequence[str], shortest: int) -> Iterator[str]:
    for row in (words, [w for w in words if w not in ("of", "and", "the", "for", "in", "de", "&")]):
        for length in range(shortest, min(6, len(row)) + 1):
            for i in range(len(row) - length + 1):
                yield "".join(w[0] for w in row[i : i + length])


def unsupported(run: str, source: Source, free: frozenset[str], *, whole: bool) -> list[str]:
    """The stretches of a Han run that the source does not have, free words aside.

    A character is supported when it stands beside the same neighbour in the source. ``whole`` (Japanese): a free
    character counts only as the whole run, since there kana already part the words. A single character is reported
    only if the source does not have it anywhere.
    """
    if run in free:
        return []
    supported = bytearray(len(run))
    for at in range(len(run)):
        for length in range(2 if whole else 1, min(LONGEST_FREE, len(run) - at) + 1):
            if run[at : at + length] in free:
                supported[at : at + length] = b"\1" * length
        if run[at : at + 2] in source.pairs:
            supported[at : at + 2] = b"\1\1"
    supported = supported[: len(run)]
    stretches = (run[m.start() : m.end()] for m in re.finditer(b"\0+", bytes(supported)))
    return [stretch for stretch in stretches if len(stretch) > 1 or stretch not in source.folded]
