"""What an expression that points back points at."""

from __future__ import annotations

import re
from dataclasses import replace

from anaphor.steps.reconstruct.asked_for import asked_name, asked_who, may_be_named, relative
from anaphor.steps.reconstruct.centre import centre
from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import called, kind
from anaphor.steps.reconstruct.likeness import likeness
from anaphor.steps.reconstruct.lists import pair
from anaphor.steps.reconstruct.persons import agreeing, agrees, may_be_somebody
from anaphor.steps.reconstruct.phrase import QUOTED, Phrase
from anaphor.steps.reconstruct.ranking import ranked
from anaphor.steps.reconstruct.references import Reference
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Said, Thread
from anaphor.text.fold import matching

# How much more salient the name is that the last question asked for, by the kind of expression.
ASKED_FOR = {"persons": 1.5, "places": 1.0}
ASKED_FOR_OTHERWISE = 0.6
RANKED = ("persons", "things", "plural", "places", "owners", "demonstratives", "definites")  # in English by ``ranking``
CENTRED = ("persons", "things", "places", "owners", "demonstratives")  # in Chinese by ``centre``
LIKELY_CENTRE = 0.5  # the probability from which the centre is meant, whatever the rule says
CLEAR_CHANCE = 0.5
CLEAR = 0.25  # how far ahead of the next the antecedent must be to be sure


def antecedent(
    reference: Reference, heard: Heard, thread: Thread, taken: frozenset[str] = frozenset()
) -> Mention | None:
    """The best mention that fits the expression. ``taken``: what another expression of the utterance means already."""
    found = _antecedent(reference, heard, thread, taken)
    if found is None or reference.kind not in ("things", "owners"):
        return found
    return _asked_since(found, thread, {p.key for p in heard.topics}) or found


def _asked_since(mention: Mention, thread: Thread, own: set[str]) -> Mention | None:
    """單人房呢？ 它… after a question about a double room: what was asked about since, if it is of the same sort."""
    last = thread.last
    if last is None:
        return None
    if last.given and (arranged := next((p for p in last.phrases if p.key in _ARRANGED and p.key not in own), None)):
        return Mention(arranged, last.seq, "question", mention.salience, last.standalone)  # is breakfast included?
    if mention.phrase.key in matching(last.standalone, last.language):
        return None
    since = [p for p in last.topics if p.text in last.question and p.key not in own and not p.attribute]
    old = mention.phrase
    alike = [p for p in since if likeness(p, old) >= OF_A_SORT and p.key not in old.key and old.key not in p.key]
    if not alike and _is_stale(mention, last) and len(since) == 1 and _NEW.match(last.question.casefold()):
        alike = since  # and the mill, who built that? — what happened to it?
    return Mention(alike[0], last.seq, "question", mention.salience, last.standalone) if alike else None


_NEW = re.compile("(?:and|but|what about|how about|那|じゃあ?|では)[, 、]*")


def _is_stale(mention: Mention, last: Said) -> bool:
    return mention.seq < last.seq and mention.phrase.key not in matching(last.answer, last.answer_language)


_ARRANGED = frozenset(
    ("breakfast", "lunch", "dinner", "parking", "delivery", "shipping", "registration", "training", "admission", "tour")
)
OF_A_SORT = 2.0  # likeness from which what was asked about last takes an earlier thing's place


def _antecedent(reference: Reference, heard: Heard, thread: Thread, taken: frozenset[str]) -> Mention | None:
    if heard.language == "en" and reference.kind in RANKED:
        return _in_english(reference, heard, thread, taken)
    by_rule = _asked_for(reference, heard, thread) or _by_rule(reference, heard, thread)
    if not heard.language.startswith("zh") or reference.kind not in CENTRED:
        return by_rule
    own = frozenset(p.key for p in heard.topics)
    rule = by_rule.phrase.key if by_rule else ""
    found = centre(
        thread, reference.kind, reference.head, own, lambda phrase: _may_mean(reference, phrase, thread), rule
    )
    if found is None or found.probability < LIKELY_CENTRE or found.place.phrase.key == rule:
        return by_rule
    if reference.kind == "persons" and by_rule and _is_better(by_rule.phrase, found.mention.phrase, reference, heard):
        return by_rule
    return found.mention


def _is_better(one: Phrase, other: Phrase, reference: Reference, heard: Heard) -> bool:
    """Somebody over something, and whoever "she" may be over who she cannot be."""
    worth = [(agrees(p, reference.text, heard.language), may_be_somebody(p)) for p in (one, other)]
    return worth[0] > worth[1]


def _asked_for(reference: Reference, heard: Heard, thread: Thread) -> Mention | None:
    """He, after who: whoever the answer named."""
    somebody = reference.kind == "persons" or _OF_SOMEBODY.fullmatch(reference.head)
    name = asked_who(thread) if somebody and reference.text[-1:] not in "们們ら" else ""
    found = next((m for m in thread.mentions() if name and m.phrase.text == name), None)
    return found if found and agrees(found.phrase, reference.text, heard.language) else None


def _may_mean(reference: Reference, phrase: Phrase, thread: Thread) -> bool:
    """Whether a pronoun in Chinese may mean it at all."""
    if reference.kind == "persons":
        if phrase.text.startswith(("《", "〈")):
            return False  # 《三洞奉道科誡》
        return phrase.kind in ("", "person") or (reference.text[-1:] in "们們" and phrase.kind in ("body", "shop"))
    if reference.kind in ("things", "owners"):
        return phrase.kind != "person" and phrase.text != asked_who(thread)
    if reference.kind == "places":
        return phrase.kind not in ("person", "code", "vehicle")
    if reference.kind == "demonstratives":
        sort = kind(reference.head)
        return not sort or phrase.kind in ("", sort)
    return True


_OF_SOMEBODY = re.compile("先生|人|方|医生|医师|老师|教练|律师|经理|店長|教授|監督|選手")


def _by_rule(reference: Reference, heard: Heard, thread: Thread) -> Mention | None:
    """The most salient mention that fits."""
    own = {p.key for p in heard.topics}
    mentions = [m for m in thread.mentions() if m.phrase.key not in own]
    if not mentions:
        return None
    if reference.kind == "demonstratives":
        return _called(reference, mentions, heard.language, thread)
    if reference.kind == "places":
        mentions = [m for m in mentions if not (m.phrase.verbal or m.phrase.attribute)] or mentions
    if reference.kind in ("things", "places"):
        person = asked_who(thread)
        mentions = [m for m in mentions if m.phrase.text != person] or mentions
    named = asked_name(thread)
    more = ASKED_FOR.get(reference.kind, ASKED_FOR_OTHERWISE)
    mentions = [replace(m, salience=m.salience + more) if m.phrase.key == named else m for m in mentions]
    if reference.kind == "alternatives":
        return _beside_the_topic(mentions, thread, reference.text) or _best(mentions)
    if reference.kind == "plural" and (both := _both(thread, reference.text)):
        return both
    fitting = [m for m in mentions if _fits(reference, m)]
    if reference.kind == "persons" and (near := relative(thread, reference.text)):
        return near
    if reference.kind == "persons":
        fitting = agreeing(fitting, lambda m: m.phrase, reference.text, heard.language)
        somebody = [m for m in fitting if may_be_somebody(m.phrase)]
        fitting = somebody if somebody and reference.text[-1:] not in "们們ら" else fitting
    if reference.kind == "persons" and not fitting:
        fitting = [m for m in mentions if _may_be_somebody(m)]
        return _best(fitting) if fitting else None
    if reference.kind == "places" and fitting:
        best = _best(mentions)
        fitting = [m for m in fitting if m.salience >= 0.5 * best.salience] or [best]
    return _best(fitting or mentions)


def _in_english(reference: Reference, heard: Heard, thread: Thread, taken: frozenset[str]) -> Mention | None:
    if reference.kind == "plural" and (both := _both(thread, reference.text)):
        return both
    whole = reference.text in ("it", "its", "it's") and bool(pattern("en", "of_the_whole").search(heard.seen.text))
    own = frozenset(p.key for p in heard.topics) | taken
    found = ranked(
        reference.kind, reference.text, thread, asked_name(thread), own, _is_whole if whole else None, reference.head
    )
    return found.mention if found else None


LEVEL = 0.85  # of the better one's chance: from there two are about equally likely


def level(reference: Reference, heard: Heard, thread: Thread) -> tuple[str, str] | None:
    """Two names that an English expression may mean equally well."""
    if heard.language != "en" or reference.kind not in RANKED:
        return None
    own = frozenset(p.key for p in heard.topics)
    found = ranked(reference.kind, reference.text, thread, asked_name(thread), own, None, reference.head)
    rival = found.rival if found else None
    if found is None or rival is None or rival.salience < LEVEL * found.probability:
        return None
    best = found.mention
    named = best.phrase.named and rival.phrase.named and best.said_in == rival.said_in == "question"
    return (best.text, rival.text) if named and best.text != rival.text else None


def _is_whole(phrase: Phrase, asked: bool) -> bool:
    """A name the person said, or a noun for the whole of a thing: what is weighed, bought, repaired is no red light."""
    named = phrase.named and phrase.kind in ("", "code") and asked
    return named or phrase.head in (
        "machine",
        "device",
        "product",
        "model",
        "bike",
        "car",
        "phone",
        "printer",
        "camera",
    )


def _best(mentions: list[Mention]) -> Mention:
    return max(mentions, key=lambda m: m.salience)


def _fits(reference: Reference, mention: Mention) -> bool:
    phrase = mention.phrase
    english = phrase.text.isascii()
    if reference.kind == "persons":
        many = reference.text[-1:] in "们們ら" and phrase.kind in ("body", "shop")
        return phrase.kind == "person" or many or may_be_named(phrase) or (not english and not phrase.kind)
    if reference.kind == "places":
        return phrase.kind in ("place", "shop", "body", "room") or (phrase.named and phrase.kind != "code")
    if english and (reference.kind == "plural" or reference.text in ("their", "theirs")):
        return phrase.key.endswith("s") or (phrase.named and phrase.kind in ("", "body"))
    if reference.text in ("it", "its", "it's"):
        return phrase.kind != "person" and not (english and phrase.key.endswith("s") and not phrase.named)
    return True


def _may_be_somebody(mention: Mention) -> bool:
    """One capitalised word in the person's own question; outside English, whatever the person asked about."""
    phrase = mention.phrase
    if mention.said_in != "question" or phrase.kind:
        return False
    return not phrase.text.isascii() or (phrase.named and " " not in phrase.key)


def _beside_the_topic(mentions: list[Mention], thread: Thread, said: str = "") -> Mention | None:
    """そっち, the other one: what the last answer brought up beside what was asked about; 另一位 is somebody."""
    last = thread.last
    if last is None:
        return None
    if _ANOTHER_PERSON.search(said):
        talked = asked_name(thread)
        others = [m for m in mentions if may_be_somebody(m.phrase) and m.phrase.key != talked]
        others = [m for m in others if m.phrase.key not in matching(last.standalone, last.language)]
        return _best(others) if others else None
    asked = [p.key for p in last.topics]
    new = [
        m
        for m in mentions
        if m.said_in == "answer" and m.seq == last.seq and not any(key.startswith(m.phrase.key) for key in asked)
    ]
    named = [m for m in new if m.phrase.named] or new
    return max(named, key=lambda m: m.phrase.start) if named else None


_ANOTHER_PERSON = re.compile("位|人$")


def _called(reference: Reference, mentions: list[Mention], language: str, thread: Thread) -> Mention | None:
    """This train, 那家供應商: what is called so in more words; else of that sort; else what the answer began with.

    該國 and 同社 go back to the topic, never to what the answer only brought up.
    """
    head = _INSIDE.sub("", reference.head) or reference.head
    to_the_topic = reference.text[:1] in "该該此同"
    if to_the_topic and (part := _part_called(head, mentions)):
        return part
    so_called = [m for m in mentions if _has_head(m.phrase.key, head) and len(m.phrase.key) >= len(head) + 2]
    if so_called:
        return _best(so_called)
    if sort := kind(head):
        alike = [m for m in mentions if m.phrase.kind == sort and m.phrase.key != head]
        alike = [m for m in alike if m.said_in == "question" or not to_the_topic] or alike
        if alike and (to_the_topic or alike[0].phrase.named or alike[0].said_in == "answer"):
            return _best(alike)
    if _BODY.fullmatch(head):
        mentions = [m for m in mentions if m.phrase.kind != "place"] or mentions
    if _WORK.fullmatch(head):
        titles = [m for m in mentions if QUOTED.search(m.phrase.text)]
        mentions = titles or [m for m in mentions if m.phrase.kind not in ("place", "body", "person")] or mentions
    rest = [m for m in mentions if m.phrase.key != head]
    if language == "en":
        names = [m for m in rest if m.phrase.named]
        return _best(names) if names and head in table("en").sorts else None
    asked = [m for m in rest if m.said_in == "question"] or rest
    if to_the_topic:
        return _best(asked) if asked else None
    named = asked_name(thread)
    given = [m for m in rest if m.phrase.key == named]
    return next(iter(given), None) or _opening(mentions, thread) or (_best(rest) if rest else None)


_NO_NAMES = frozenset(
    ("都市", "大都市", "全国", "各国", "外国", "诸国", "諸国", "他国", "両国", "会社", "本社", "支社", "学校", "大学")
)


def _part_called(head: str, mentions: list[Mention]) -> Mention | None:
    """The most salient mention with a part that is called so, cut to that part: 長崎縣 of 長崎縣內."""
    for mention in sorted(mentions, key=lambda m: (m.said_in != "question", -m.salience)):
        phrase = mention.phrase
        name = called(phrase.key, head) if len(phrase.key) == len(phrase.text) else ""
        if len(name) > len(head) and name not in _NO_NAMES:
            at = phrase.key.index(name)
            start, end = phrase.start + at, phrase.start + at + len(name)
            text = re.sub("全(?=.$)", "", phrase.text[at : at + len(name)])  # 長崎全縣
            cut = replace(phrase, text=text, start=start, end=end, key=re.sub("全(?=.$)", "", name))
            return replace(mention, phrase=cut)
    return None


_INSIDE = re.compile("(?:境内|境內|内|內|中|里|裡|内部)$")
_BODY = re.compile(  # no place is called so
    "社|会社|公司|企业|企業|集团|品牌|品|产品|製品|店|店家|校|学校|机构|機構|单位|党|团|団体|报|紙|刊"
)
_WORK = re.compile(  # nor these
    "本|书|小说|小説|电影|影片|映画|片|歌|曲|歌曲|戏|剧|作品|漫画|专辑|文章|论文|論文|画|アルバム|アニメ|ドラマ"
)


def named_in_answer(head: str, thread: Thread, language: str) -> str:
    """The name that the last answer gave to what was asked for: 哪家供應商？ — 鴻達."""
    last = thread.last
    named = asked_name(thread)
    if last is None:
        return ""
    titled = next((p for p in last.answer_phrases if _has_head(p.key, head) and len(p.key) > len(head)), None)
    if titled is not None and not any(titled.key in p.key for p in last.phrases):
        return titled.text  # 指揮周牧
    if named is None:
        return ""
    asked = re.search(rf"(?:哪|どの|which |what ).{{0,4}}{re.escape(head)}", matching(last.standalone, language))
    if not asked and head not in table("en").sorts:
        return ""
    return next((p.text for p in last.answer_phrases if p.key == named), "")


def _has_head(key: str, head: str) -> bool:
    if not head:
        return False
    if head.isascii():
        stem = head[:-1] if head.endswith("s") and len(head) > 3 else head
        return stem in key.split(" ") or head in key.split(" ")
    return key.endswith(head) or (len(head) > 1 and key.startswith(head))  # 市長 is no 市


def _opening(mentions: list[Mention], thread: Thread) -> Mention | None:
    """The phrase with which the last answer began, if the question had not said it."""
    last = thread.last
    if last is None or not last.answer_phrases:
        return None
    first = last.answer_phrases[0]
    if first.start > 6 or any(first.key in p.key for p in last.phrases):
        return None
    return next((m for m in mentions if m.phrase.key == first.key), None)


_TWO = re.compile("两.|二者|両|兩.|the two|both|どちらも")


def _both(thread: Thread, said: str) -> Mention | None:
    """They, after a question about two things, are both; "the two" and 兩個 are so also later."""
    found = pair(thread if _TWO.match(said) else Thread(thread.said[-1:]))
    turn = thread.by(found.seq) if found else None
    if turn is None or found is None or not all(item in turn.standalone for item in found.items):
        return None
    start = turn.standalone.index(found.items[0])
    end = turn.standalone.index(found.items[-1], start) + len(found.items[-1])
    first = next(p for p in turn.phrases if p.start >= start)
    whole = replace(first, text=turn.standalone[start:end], start=start, end=end, named=True)
    return Mention(whole, turn.seq, "question", 2.0, turn.standalone)


def is_clear(reference: Reference, mention: Mention, thread: Thread) -> bool:
    """Nothing else that fits comes near."""
    if mention.text.isascii() and reference.kind in RANKED:
        return mention.salience >= CLEAR_CHANCE
    others = [m for m in thread.mentions() if m.phrase.key != mention.phrase.key and _fits(reference, m)]
    return not others or mention.salience - max(m.salience for m in others) >= CLEAR
