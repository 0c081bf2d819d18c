"""``anaphor``: every command in a file of its own, imported when it is called, so that ``--help`` costs little.

Exit status: 0 done (declining and asking back are answers), 1 could not, 2 an unknown command or flag, a missing
argument, or something that erases without a terminal and without ``--yes``; 130 after Ctrl-C, 141 when nobody read on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

import click

from anaphor.errors import AnaphorError, MissingExtra

DONE, COULD_NOT, MISUSED, INTERRUPTED, NOBODY_READ_ON = 0, 1, 2, 130, 141

COMMANDS = {
    "ingest": "Take documents in: files, folders, patterns, - for standard input.",
    "chat": "A conversation over what was ingested.",
    "ask": "One question; --session continues a conversation.",
    "trace": "How an earlier turn was answered.",
    "reconstruct": "Standalone query from messages on standard input. No store, no model.",
    "sessions": "List, show, rename, branch, archive and delete conversations.",
    "memory": "What is remembered of a person: list, review, edit, take back.",
    "documents": "List, show and delete what was ingested.",
    "embed": "Embed what an ingest has left.",
    "erase": "Erase everything of a person, from every file of the store.",
    "export": "Everything of a person, as JSON Lines.",
    "import": "Take in an export, or conversations of ChatGPT, Claude, LINE and others.",
    "retention": "How long the sessions, traces and audit of a tenant are kept.",
    "audit": "Who read, exported, changed or erased what: ids, never contents.",
    "verify": "Whether the parts of the store agree: log, traces, indexes, vectors.",
    "rebuild": "Make again what is made from documents and turns; --embeddings.",
    "backup": "A copy of the store, while it is used.",
    "restore": "Put a copy in the place of the store.",
    "serve": "Answer over HTTP: OpenAI's protocol, and our own.",
    "keys": "Make, list and revoke API keys of the service.",
    "doctor": "What is installed, what is used and why.",
    "demo": "A sample knowledge base and one conversation a language.",
}
FILES = {"import": "import_"}  # a word of Python's own
PLUGGED_IN = {"eval": "Measure rewriting, retrieval, memory, answers and conversations."}


class Commands(click.Group):
    """Ours by name; others through the entry points ``anaphor.commands``."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*COMMANDS, *sorted({entry.name for entry in _plugged_in()} - COMMANDS.keys())]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name in COMMANDS:
            command: click.Command = import_module(f"anaphor.cli.{FILES.get(name, name)}").command
            return command
        entry = next((entry for entry in _plugged_in() if entry.name == name), None)
        return _loaded(entry) if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Of a misspelt name the nearest is told."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from difflib import get_close_matches  # only for who mistyped: --help costs little

            near = get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, COMMANDS.get(name) or PLUGGED_IN.get(name, "")) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _plugged_in() -> Sequence[EntryPoint]:
    return tuple(entry_points(group="anaphor.commands"))


def _loaded(entry: EntryPoint) -> click.Command:
    try:
        command: click.Command = entry.load()
    except Exception as error:
        package = entry.dist.name if entry.dist else "anaphor"
        cure = f"pip install 'anaphor[{entry.name}]'" if package == "anaphor" else f"see the package {package}"
        raise MissingExtra(f"the command {entry.name!r} cannot be loaded ({error}); {cure}") from error
    return command


@click.group(
    "anaphor",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="anaphor", message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Conversational question answering that rebuilds the context before it searches.

    Settings come from flags, the environment (ANAPHOR_…, OPENAI_API_KEY, OPENAI_BASE_URL), anaphor.toml, in this order.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    if "_ANAPHOR_COMPLETE" in os.environ:
        group.main(prog_name="anaphor")  # a shell asks what could be typed next
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit status. Whatever goes wrong is one line on standard error."""
    from anaphor.cli.terminal import complain, speak_utf8

    speak_utf8()
    try:
        with group.make_context("anaphor", list(arguments)) as ctx:
            status = group.invoke(ctx)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        return _misused(error)
    except click.ClickException as error:
        complain(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READ_ON
    except AnaphorError as error:
        _unless_debugging(error)
        complain(str(error))
    except Exception as error:
        _unless_debugging(error)
        complain(f"{_named(error)} (ANAPHOR_DEBUG=1 shows where)")
    return COULD_NOT


def _misused(error: click.UsageError) -> int:
    from anaphor.cli.terminal import complain

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return MISUSED
    bad_value = isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)
    where = f" ({error.ctx.command_path} --help tells more)" if error.ctx else ""
    if isinstance(error, click.NoSuchOption) and error.ctx and error.ctx.command is group:
        where = f" Options of a command stand behind its name: anaphor COMMAND {error.option_name} …{where}"
    complain(error.format_message() + where)
    return COULD_NOT if bad_value else MISUSED


def _named(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return f"unexpected {type(error).__name__}: {error}"


def _unless_debugging(error: Exception) -> None:
    if os.environ.get("ANAPHOR_DEBUG"):
        raise error
