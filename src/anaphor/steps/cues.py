"""What a question says about *who* and *when*, held against who said a passage and which days it speaks of; and what a
person has asked for once and for all.

All are cheap enough for every candidate. The weights are on the scale of ``fuse.blend``, where the ten best passages
of one retriever have 1 on average; they were chosen by hand (``docs/provenance.md``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from anaphor.steps.beside import SAID, speaker
from anaphor.steps.days import Days, Named, named, relative, said_on, told
from anaphor.text.patterns import pattern
from anaphor.types import EvidenceClass, Hit, Passage, StandaloneQuery

SPEAKER = 0.5  # said by the one person whom the question names
DAY = 0.7  # said on, or about, a day that the question names
STANDING = 1.5  # how the person wants such questions answered: "Always give versions when I ask about libraries"
LONGEST = 600  # characters of a text in which a preference is looked for
PREFERS = 1.0  # what the person likes, where advice is asked for
SOON_AFTER, WITHIN = 0.35, 7  # said at most so many days after it: people tell what has just happened

# What one of them is always in: looked for first, for nearly no message has any.
_HINTS = (
    *(
        "always",
        "never",
        "from now on",
        "i ask",
        "一律",
        "務必",
        "务必",
        "以後",
        "以后",
        "從現在",
        "从现在",
        "今後",
        "今后",
    ),
    *("每次都", "我問", "我问", "これから", "必ず", "いつも", "毎回"),
)
_STANDING = pattern(
    r"\s*(?:please )?(?:always|never)\b|[^.?!]{0,80}\bfrom now on\b|[^.?!]{0,160}\bwhen(?:ever)? i ask\b"
    "|\\s*(?:請|请)?(?:一律|務必|务必|以後都|以后都|從現在起|从现在起|今後|今后|每次都)|.{0,40}(?:我問到?|我问到?).{0,30}[時时的]"
    "|\\s*(?:これから|今後)は|\\s*(?:必ず|いつも|毎回).{1,60}(?:ください|下さい|して)"
)

_ADVICE = pattern(
    r"(?i)\b(?:suggest|recommend|advi[sc]e|tips?|ideas?|options?)\w*\b|\bhelp me (?!remember|recall)"
    r"|\bhow (?:should|can|could|do) i\b|\bwhat should i\b|\bwalk me through\b|\b(?:show|tell|teach) me how\b"
    r"|\b(?:explain|plan)\b|\bi(?:'m| am) (?:looking|planning)\b"
    "|推薦|推荐|建議|建议|適合我|适合我|幫我(?:選|挑|排|安排|規劃|想|找)|帮我(?:选|挑|排|安排|规划|想|找)|[該该](?:怎[麼么]|如何)"
    "|おすすめ|お勧め|オススメ|提案|アドバイス|どう(?:すれば|したら)|何がいい|選んで|教えてくれ(?:ますか|る)|考えて"
)
_PREFERS = pattern(
    r"(?i)\bi(?: (?:really|much|usually|generally|always|also|still|just))? (?:prefer|love|like|enjoy|hate|dislike"
    r"|avoid|can't stand|tend to)\b|\bi(?:'d| would) (?:much )?(?:prefer|rather)\b|\bmy favou?rites?\b"
    r"|\bi'm (?:allergic|vegetarian|vegan)\b"
    "|我(?:比較|比较|最|很|不|更|還是|还是|都|一向|一直|平常|平時|平时)?(?:喜歡|喜欢|偏好|偏愛|偏爱|愛|爱(?!人)|討厭|讨厌|習慣|习惯|怕|受不了)"
    "|(?:好き|苦手|嫌い|好み|お気に入り)(?:で|な|の|だ|じゃ|が|。|$)|(?:派|ほう)(?:です|だ|が(?:好き|いい|良い))"
)


def cued(query: StandaloneQuery, hits: Sequence[Hit], now: date | None = None) -> list[Hit]:
    """The hits with what the cues add to their scores, best first. ``now``: the day on which the question is asked."""
    speakers = [speaker(hit.passage) for hit in hits]
    whom = _named(query.text, set(speakers))
    when = _Asked(query.text, now)
    standing = _standing([hit.passage for hit in hits])
    advice = _ADVICE.search(query.text, 0, LONGEST) is not None
    scores = [
        hit.score
        + SPEAKER * (bool(whom) and who == whom)
        + STANDING * (hit.passage.passage_id in standing)
        + PREFERS * (advice and _prefers(hit.passage))
        + when.worth(hit.passage)
        for hit, who in zip(hits, speakers, strict=True)
    ]
    order = sorted(range(len(hits)), key=lambda i: -scores[i])
    return [Hit(hits[i].passage, scores[i], n, hits[i].ranks, hits[i].best) for n, i in enumerate(order, 1)]


def _standing(passages: Sequence[Passage]) -> frozenset[str]:
    """The ids of those in which the person asks for something for good."""
    own = [(p, p.text[:200].casefold()) for p in passages if p.evidence_class is EvidenceClass.USER_STATEMENT]
    together = "\n".join(start for _, start in own)  # hints are rare: one look at all of them tells which there are
    there = [hint for hint in _HINTS if hint in together]
    return frozenset(
        p.passage_id for p, start in own if any(hint in start for hint in there) and _STANDING.match(start)
    )


def _prefers(passage: Passage) -> bool:
    own = passage.evidence_class is EvidenceClass.USER_STATEMENT
    return own and _PREFERS.search(passage.text, 0, LONGEST) is not None


def _named(question: str, speakers: Iterable[str]) -> str:
    """The speaker whom the question names, if it is one; who names two asks about both."""
    asked = question.casefold()
    found = [name for name in speakers if name and name in asked and _is_a_word(name, asked)]
    return found[0] if len(found) == 1 else ""


def _is_a_word(name: str, text: str) -> bool:
    """Not the beginning or end of another word; in a script without spaces there is no such thing."""
    at = text.find(name)
    before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
    return not name.isascii() or not ((before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha()))


class _Asked:
    """The days that a question names; false if it names none."""

    def __init__(self, question: str, now: date | None) -> None:
        self._named: list[Named] = named(question)
        self._fixed: list[Days] = list(relative(question, now)) if now else []

    def __bool__(self) -> bool:
        return bool(self._named or self._fixed)

    def worth(self, passage: Passage) -> float:
        said = said_on(passage.date) if passage.evidence_class in SAID else None
        if said is None or not self:
            return 0.0
        asked = [*self._fixed, *(days for one in self._named if (days := one.days(said)))]
        if any(days.meets(Days(said, said)) for days in asked):
            return DAY
        if any(days.meets(spoken) for spoken in told(passage.text, said) for days in asked):
            return DAY
        return SOON_AFTER if any(days.before(said, WITHIN) for days in asked) else 0.0
