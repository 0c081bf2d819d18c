"""``anaphor memory``: what is remembered of a person beyond the conversation at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from anaphor.assistant import Assistant
from anaphor.cli.terminal import (
    confirmed,
    existing,
    json_flag,
    one_line,
    print_json,
    say,
    when,
    with_settings,
    yes_flag,
)
from anaphor.facts import (
    Fact,
    Saying,
    Status,
    contested_as_dict,
    fact_as_dict,
    saying_as_dict,
    summary_as_dict,
    summary_version_as_dict,
    version_as_dict,
)
from anaphor.settings import Settings
from anaphor.types import Json

WIDE = 100  # characters of a value that a line shows

why_option = click.option("--why", default="", metavar="TEXT", help="The reason, kept in the history.")


@click.group("memory")
def command() -> None:
    """What is remembered of a person: facts over what was said, to look at, decide about and take back.

    Each fact is named by its id and leads to the turns that say it.
    """


@command.command("list")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([str(status) for status in Status]),
    help="Only facts of this status; can be repeated. Without: what is current.",
)
@click.option("--all", "everything", is_flag=True, help="Facts of every status.")
@click.option("--pinned", is_flag=True, help="Only what is pinned.")
@click.option("--limit", type=int, default=100, metavar="N", show_default=True, help="At most so many.")
@json_flag
@with_settings
def list_(
    settings: Settings, statuses: tuple[str, ...], everything: bool, pinned: bool, limit: int, as_json: bool
) -> None:
    """What was said last first."""
    wanted = [str(status) for status in Status] if everything else statuses
    with existing(settings) as assistant:
        facts = assistant.memory.list(wanted, pinned=True if pinned else None, limit=limit)
        waiting = assistant.memory.waiting
    if as_json:
        print_json({"facts": [fact_as_dict(fact) for fact in facts], "waiting": waiting})
        return
    for fact in facts:
        say(_line(fact))
    if waiting:
        off = ", as the setting memory is off" if settings.memory == "off" else ""
        say(f"{waiting} turns are not read yet{off}: anaphor memory refresh reads them")


@command.command("show")
@click.argument("fact")
@json_flag
@with_settings
def show(settings: Settings, fact: str, as_json: bool) -> None:
    """FACT with the turns that say it."""
    with existing(settings) as assistant:
        found, sayings = assistant.memory.get(fact), assistant.memory.sayings(fact)
    if as_json:
        print_json({**fact_as_dict(found), "sources": [saying_as_dict(saying) for saying in sayings]})
        return
    say(_line(found))
    for name, told in _told(found):
        say(f"    {name:<12} {told}")
    for saying in sayings:
        say(_source(saying))


@command.command("history")
@click.argument("fact")
@json_flag
@with_settings
def history(settings: Settings, fact: str, as_json: bool) -> None:
    """Every version of FACT, oldest first: who, when, why."""
    with existing(settings) as assistant:
        versions = assistant.memory.history(fact)
    if as_json:
        print_json([version_as_dict(version) for version in versions])
        return
    for version in versions:
        told = version.fact
        what = f"{told.status}: {one_line(told.statement.value)[:WIDE]}"
        line = f"{told.version:>3}  {when(version.at)}  {one_line(version.by)}  {version.does}  {what}"
        say(line + (f"  ({one_line(version.why)})" if version.why else ""))


@command.command("review")
@json_flag
@with_settings
def review(settings: Settings, as_json: bool) -> None:
    """What waits for a decision: contradictions with both sources, what reads like an instruction, and facts that an
    answer went against."""
    with existing(settings) as assistant:
        queue = assistant.memory.review()
        if as_json:
            print_json([_case(assistant, fact, others) for fact, others in queue])
            return
        for fact, others in queue:
            for one in (fact, *others):
                say(_line(one))
                for saying in assistant.memory.sayings(one.fact_id):
                    say(_source(saying))
            for claim in assistant.memory.contested(fact.fact_id):
                where = f"answered in turn {claim.seq} of session {claim.session_id}, {when(claim.asked_at)}"
                say(f"      against it: {one_line(claim.text)[:WIDE]}  ({where})")
            say("")
    if not queue:
        say("nothing waits for a decision")


@command.command("accept")
@click.argument("fact")
@why_option
@json_flag
@with_settings
def accept(settings: Settings, fact: str, why: str, as_json: bool) -> None:
    """FACT is so: what contradicts it is superseded."""
    _decide(settings, as_json, lambda assistant: assistant.memory.accept(fact, why))


@command.command("reject")
@click.argument("fact")
@why_option
@json_flag
@with_settings
def reject(settings: Settings, fact: str, why: str, as_json: bool) -> None:
    """FACT is not so: it is kept as retired, and what was said of it is not answered with."""
    _decide(settings, as_json, lambda assistant: assistant.memory.reject(fact, why))


@command.command("edit")
@click.argument("fact")
@click.option("--value", metavar="TEXT", help="What it says.")
@click.option("--quantity", type=float, metavar="N", help="How many.")
@click.option("--unit", metavar="TEXT", help="Of what.")
@click.option("--state", type=click.Choice(["current", "past", "planned", "cancelled"]), help="How the thing stands.")
@click.option("--applies-when", metavar="TEXT", help="Under which condition.")
@click.option("--valid-from", metavar="DATE", help="From which day (ISO 8601).")
@click.option("--valid-to", metavar="DATE", help="To which day (ISO 8601).")
@why_option
@json_flag
@with_settings
def edit(settings: Settings, fact: str, why: str, as_json: bool, **changes: Any) -> None:
    """Put FACT in other words, which are answered with from now on. The turn stays as it was said."""
    given = {name: value for name, value in changes.items() if value is not None}
    _decide(settings, as_json, lambda assistant: assistant.memory.edit(fact, why, **given))


@command.command("pin")
@click.argument("fact")
@click.option("--off", is_flag=True, help="No longer.")
@why_option
@json_flag
@with_settings
def pin(settings: Settings, fact: str, off: bool, why: str, as_json: bool) -> None:
    """Have FACT come first whenever something is remembered, and never fade."""
    _decide(settings, as_json, lambda assistant: assistant.memory.pin(fact, not off, why))


@command.command("revert")
@click.argument("fact")
@click.argument("version", type=int)
@why_option
@json_flag
@with_settings
def revert(settings: Settings, fact: str, version: int, why: str, as_json: bool) -> None:
    """FACT is again what it was in VERSION, exactly."""
    _decide(settings, as_json, lambda assistant: assistant.memory.revert(fact, version, why))


@command.command("delete")
@click.argument("fact")
@click.option("--words", is_flag=True, help="The words that say it are not recalled any more either.")
@yes_flag
@json_flag
@with_settings
def delete(settings: Settings, fact: str, words: bool, yes: bool, as_json: bool) -> int:
    """Delete FACT with its history; it is not read out of its turns again.

    The turns themselves stay, and what they say is still answered with, unless --words ends that too. What is not so
    is rather rejected or edited. anaphor sessions delete SESSION --turn N erases a turn.
    """
    with existing(settings) as assistant:
        found = assistant.memory.get(fact)
        if not confirmed(f"Delete {one_line(found.statement.value)[:WIDE]!r} with its history?", yes):
            return 1
        assistant.memory.delete(fact, words=words)
    if as_json:
        print_json({"deleted": found.fact_id})
    else:
        stays = "" if words else "; what was said can still be recalled: --words ends that too"
        say(f"deleted {found.fact_id}{stays}")
    return 0


@command.command("summary")
@click.argument("session")
@click.option("--history", "past", is_flag=True, help="Every version, oldest first: who, when, why.")
@click.option("--revert", "to", type=int, metavar="N", help="As it was in version N.")
@why_option
@json_flag
@with_settings
def summary(settings: Settings, session: str, past: bool, to: int | None, why: str, as_json: bool) -> None:
    """What the turns of SESSION that have left the window said, and what that lacks."""
    with existing(settings) as assistant:
        found = assistant.memory.summary(session)
        if to is not None:
            found = assistant.memory.revert_summary(session, to, why)
        versions = assistant.memory.summary_history(session) if past else ()
    if as_json:
        print_json([summary_version_as_dict(one) for one in versions] if past else found and summary_as_dict(found))
        return
    for one in versions:
        reason = f"  ({one_line(one.why)})" if one.why else ""
        told = one_line(one.summary.text)[:WIDE]
        say(f"{one.summary.version:>3}  {when(one.at)}  {one_line(one.by)}, {one.summary.written_by}  {told}{reason}")
    if found and not past:
        say(found.text)
        for what, seq in found.left_out:
            say(f"    left out: {one_line(what)} (turn {seq})")
    if found is None:
        say("no summary yet: every turn is still within the window")


@command.command("refresh")
@click.option("--again", is_flag=True, help="Read every turn again, as this version reads.")
@click.option("--fade", is_flag=True, help="Also let go what its time is over of.")
@json_flag
@with_settings
def refresh(settings: Settings, again: bool, fade: bool, as_json: bool) -> None:
    """Read the turns that were not read yet.

    ask, chat and serve do so by themselves, after the answer, unless the setting memory is off.
    """
    with existing(settings) as assistant:
        done = assistant.memory.rebuild() if again else assistant.memory.refresh()
        faded = len(assistant.memory.fade()) if fade else 0
    if as_json:
        told = {"turns": done.turns, **done.did, "faded": faded, "summaries": done.summaries, "retried": done.retried}
        print_json({**told, "skipped": done.skipped, "blocked": list(done.blocked), "waiting": done.waiting})
        return
    did = ", ".join(f"{n} {what}" for what, n in sorted(done.did.items()))
    say(f"{done.turns} turns read" + (f": {did}" if did else "") + (f", {faded} faded" if faded else ""))


def _decide(settings: Settings, as_json: bool, decision: Callable[[Assistant], Fact]) -> None:
    with existing(settings) as assistant:
        fact = decision(assistant)
    if as_json:
        print_json(fact_as_dict(fact))
    else:
        say(_line(fact))


def _line(fact: Fact) -> str:
    told = fact.statement
    marks = [str(fact.status)] if fact.status is not Status.CURRENT else []
    marks += ([str(told.state)] if told.state != "current" else []) + (["pinned"] if fact.pinned else [])
    change = {"add": "+", "remove": "−"}.get(str(told.change), "")
    value = f"{change}{one_line(told.value)[:WIDE]}"
    relation = {"likes": "dislikes"}.get(told.relation, told.relation) if told.negated else told.relation  # as said
    what = " ".join(part for part in (one_line(told.about), str(told.kind), one_line(relation)) if part)
    tail = f"  ({', '.join(marks)})" if marks else ""
    return f"{fact.fact_id}  {when(fact.said_at)}  {what}: {value}{tail}"


def _told(fact: Fact) -> list[tuple[str, str]]:
    told = fact.statement
    several = {
        "quantity": f"{told.quantity:g} {told.unit}".strip() if told.quantity is not None else "",
        "valid from": told.valid_from,
        "valid to": told.valid_to,
        "applies when": told.applies_when,
        "context": told.context,
        "said": f"{fact.times} times" if fact.times > 1 else "",
        "replaced by": fact.replaced_by,
        "against": ", ".join(fact.against),
        "why": fact.why,
    }
    return [(name, one_line(text)) for name, text in several.items() if text]


def _source(saying: Saying) -> str:
    return f"    {when(saying.said_at)}  {saying.session_id} turn {saying.seq}: {one_line(saying.text)}"


def _case(assistant: Assistant, fact: Fact, others: Sequence[Fact]) -> Json:
    def whole(one: Fact) -> Json:
        sources = [saying_as_dict(saying) for saying in assistant.memory.sayings(one.fact_id)]
        return {**fact_as_dict(one), "sources": sources}

    answers = [contested_as_dict(claim) for claim in assistant.memory.contested(fact.fact_id)]
    return {**whole(fact), "disputed_with": [whole(other) for other in others], "answers": answers}
