"""Words that point back: it, 它, それ, this train, 該公司, そっち."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.phrase import Phrase
from anaphor.steps.reconstruct.seen import Seen, pattern, see
from anaphor.steps.reconstruct.tables import table
from anaphor.text.fold import matching

KINDS = ("alternatives", "persons", "plural", "owners", "places", "demonstratives", "things")


@dataclass(frozen=True, slots=True)
class Reference:
    """An expression that points back: offsets in the folded text. ``head`` is the noun in "that train"."""

    kind: str
    start: int
    end: int
    text: str
    head: str = ""


def references(seen: Seen, language: str) -> list[Reference]:
    """Every expression that points back, in order; what stands in quotation marks does not."""
    text = pattern(language, "not_pointing").sub(lambda m: "\u25a0" * len(m[0]), seen.unquoted())
    taken: list[Reference] = []
    for name in KINDS:
        for match in pattern(language, name).finditer(text):
            start, end = _without_particle(match, language)
            if start < end and all(end <= t.start or t.end <= start for t in taken):
                groups = match.groupdict()
                head = groups.get("head") or groups.get("named") or ""
                if language == "en" and head.endswith("n't"):
                    continue  # a bicycle that wasn't locked
                if language == "en" and head in table("en").adjectives and not text[end:].strip(" ?.!"):
                    name, end, head = "things", start + 4, ""  # is that safe?
                taken.append(Reference(name, start, end, text[start:end], head.strip()))
    return sorted(taken, key=lambda r: r.start)


_PARTICLES = re.compile("(?:だけ|について|より|なら|は|が|を|に|で|も|の|と|へ|から|には|では|へは)$")


def _without_particle(match: re.Match[str], language: str) -> tuple[int, int]:
    """In Japanese the particle stays where it is; ``って`` goes with the pronoun and becomes は."""
    start, end = match.span()
    if language != "ja" or match.groupdict().get("head"):
        return start, end
    particle = _PARTICLES.search(match[0], 2)
    return start, start + particle.start() if particle else end


def from_outside(found: list[Reference], heard: Heard) -> list[Reference]:
    """Those whose meaning is not in the utterance itself; a pronoun said twice means the same both times."""
    outside: list[Reference] = []
    for reference in found:
        again = any(_is_said_again(r, reference) for r in outside)
        if again or not _meant_within(reference, heard):
            outside.append(reference)
    return outside


def _is_said_again(before: Reference, reference: Reference) -> bool:
    """It … it; but it's showing W3, what does that mean?"""
    if before.kind != reference.kind or before.kind == "demonstratives":
        return False
    return (before.text in _NEAR) == (reference.text in _NEAR)


_NEAR = ("that", "this")


def _meant_within(reference: Reference, heard: Heard) -> bool:
    """In "Who was Willy Brandt and what did he do" it is: in an earlier clause, or as the owner of what follows."""
    before = heard.bare[: heard.seen.folded.source(reference.start, reference.end).start]
    if reference.kind in ("demonstratives", "alternatives", "things") and _in_apposition(reference, before, heard):
        return True
    for phrase in heard.topics:
        if phrase.end > len(before):
            return False
        between = matching(before[phrase.end :], heard.language)
        if _ADJUNCT.match(between) or _ADJUNCT.match(phrase.key[-1:]):
            continue  # 七七事變後，它…: says when or where
        if not pattern(heard.language, "clause").search(between) and not _is_subject(phrase, reference, heard):
            continue
        if reference.kind == "persons" and not _may_be_he(phrase, heard.language):
            continue
        if not _may_be_there(phrase, reference) or _is_a_relative(phrase, reference, heard.language):
            continue
        if reference.kind not in ("demonstratives", "alternatives"):
            return True
    return False


_ADJUNCT = re.compile("[后時时前中间間内里上下際]|之后|之前|以后|以前|期间|以来")


def _in_apposition(reference: Reference, before: str, heard: Heard) -> bool:
    """《分手快樂》這首歌, "one is X, the other": the noun, or what it stands beside, has just been said."""
    if reference.kind == "alternatives":
        return one_of_two(before)
    if reference.kind == "demonstratives" and _said_in_the_sentence(reference, before, heard):
        return True
    if reference.head and reference.head in see(before, heard.language).text:
        return True
    if heard.language == "en":
        at = len(before)
        return any(p.named and " " in p.key and at <= p.start <= at + len(reference.text) for p in heard.topics)
    if heard.language.startswith("zh") and matching(before)[-2:] in table("zh").verbs:
        return False  # 出現這個錯誤
    if heard.language.startswith("zh") and _PART_OF_A_WORD.search(matching(before)):
        return True
    return any(p.end == len(before.rstrip()) for p in heard.topics)


# A character of content right before 這 or 那: it stands beside its noun (君為輕這句話) or in a name (路易斯安那州).
_NO_CONTENT = (
    "在是和跟对從从到把被给用以为与于的了过有去来问说看买查找选由让比向往订搭坐而但就也还都将拿等想要知道如关除针且并"
)
_PART_OF_A_WORD = re.compile(f"[\u4e00-\u9fff](?<![{_NO_CONTENT}])$")
_ONE_OF_TWO = re.compile(r"(?:^|[^另第])(?:一[個个种種家間间項项]|(?:一|1|ひと)つ)|\bone\b|[^ぁ-ん]と、?$")
_FORMAL = re.compile("[该此]")
_SAYS_WHERE = re.compile("[依按照據据就在對对從从除由自於于以]|根[據据]|[關关][於于]")
_GOES_ON = {"zh": re.compile("[,，]"), "ja": re.compile("を?[^、。]*、|から|[はが][^、。]*を")}


def one_of_two(before: str) -> bool:
    """一項是…，另一項, 手と、もう一つ: the first of the two has just been said."""
    return bool(_ONE_OF_TWO.search(before.casefold()))


def _said_in_the_sentence(reference: Reference, before: str, heard: Heard) -> bool:
    """多倫多大學是研究型大學，該校…, 応力テンソルからその成分を…: written as one sentence, it needs no other."""
    goes_on = _GOES_ON.get(heard.language[:2])
    if goes_on is None or (heard.language != "ja" and not _FORMAL.match(reference.text)):
        return False
    if _SAYS_WHERE.match(before):
        return False  # 依氣候分類，該市…
    find = goes_on.match if heard.language == "ja" else goes_on.search
    return any(p.end <= len(before) and p.kind != "group" and find(before[p.end :]) for p in heard.topics)


_OWNERS = re.compile(r"(?:its|his|her|their|其)")
_HELPS = re.compile(r"\b(?:does|did|do|is|was|are|were|has|had|have|can|could|will|would|should) (?:the |an? )?$")


def _is_subject(phrase: Phrase, reference: Reference, heard: Heard) -> bool:
    """Where does Doctor Strange get his powers: an owner may be the subject of its own clause."""
    if not _OWNERS.fullmatch(reference.text):
        return False
    return heard.language != "en" or bool(_HELPS.search(heard.bare[: phrase.start].casefold()))


def _may_be_he(phrase: Phrase, language: str) -> bool:
    return phrase.named or language != "en" or _somebody(phrase.key, language)


def _may_be_there(phrase: Phrase, reference: Reference) -> bool:
    """電話是 8802，這裡…: a number is no place, and nothing that points means a telephone."""
    if phrase.kind in ("number", "time") or _TELEPHONE.fullmatch(phrase.key):
        return False
    return reference.kind != "places" or phrase.kind not in ("code", "person", "group", "card", "plan")


def _is_a_relative(phrase: Phrase, reference: Reference, language: str) -> bool:
    """My daughter is nine. How much is it? — she is no it."""
    return language == "en" and reference.kind == "things" and phrase.head in table("en").relatives


_TELEPHONE = re.compile(r"\+?[0-9][0-9 ()\-]{3,}")


def _somebody(key: str, language: str) -> bool:
    return bool(pattern(language, "somebody").search(key))
