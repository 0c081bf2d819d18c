"""Settings: a frozen value, read once, here.

Each key is looked for in this order: an explicit argument → the environment (``ANAPHOR_`` and the key in capitals; for
a model's address and key also ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``) → ``anaphor.toml`` in the current directory,
or the file that ``ANAPHOR_CONFIG`` names → the default. In the file, ``window_turns`` may stand as ``[window] turns``.

A key that came with OpenAI's own variable name is never sent to an address that only a file named: a folder that
somebody else made must not be able to collect it. ``ANAPHOR_API_KEY`` goes wherever the settings point.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from anaphor.errors import BadSettings
from anaphor.facts import Kind
from anaphor.setting_keys import IN_THIS_PROCESS, KEYS, Secret, a_locale
from anaphor.types import ContextBudget, HighRisk, Window

OPENAI = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4o-mini"  # when there is a key for OpenAI and no model is named
OPENAI_EMBEDDING = "text-embedding-3-small"
GOOGLE = "https://generativelanguage.googleapis.com/v1beta"
GEMINI_EMBEDDING = "gemini-embedding-001"
ONNX_EMBEDDING = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"

SHOWN = 80  # characters of a value that cannot be used


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model on an OpenAI-compatible server; without a name there is none. ``timeout``: seconds for a whole reply."""

    name: str = ""
    base_url: str = OPENAI
    api_key: Secret = field(default_factory=Secret)
    timeout: float = 60.0

    @property
    def address(self) -> str:
        """The base URL as it may be shown."""
        return without_credentials(self.base_url)

    def __repr__(self) -> str:
        return f"ModelSettings({self.name!r}, {self.address!r}, {self.api_key!r}, {self.timeout!r})"


def without_credentials(url: str) -> str:
    """The address with dots for the user and password in it, and for the query, where keys stand too."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return _masked(url)
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit(
        (parts.scheme, ("••••@" if user or at else "") + host, parts.path, "••••" if parts.query else "", "")
    )


def _masked(text: str) -> str:
    """Whatever may be a user and a password in an address that cannot be read."""
    return re.sub(r"(//|\A)[^@\s]*@", r"\1••••@", text)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. Seconds for ``lease`` and ``wait``, tokens for window and budget."""

    store: str = "anaphor.db"
    tenant: str = "local"
    user: str = "local"
    collections: tuple[str, ...] = ("default",)
    rewriter: ModelSettings = ModelSettings(timeout=5.0)
    writer: ModelSettings = ModelSettings()
    embedding: ModelSettings = ModelSettings()
    embedder: str = "auto"
    ask_back: str = "off"  # where two things may be meant equally well, the person is asked which
    rewrite_below: float = 0.8  # the rewriting model is asked when the embedded decision is less sure than this
    answer_temperature: float = 0.3
    other_script: str = "as_written"  # quotes in the other script of Chinese: so, or converted beside as well
    high_risk: tuple[HighRisk, ...] = ()  # topics on which nothing is answered before conditions are confirmed
    reranker: str = "embedded"  # or a folder with a cross-encoder in the ONNX format
    remembered: str = "user"  # whose words can be recalled later: the person's own, or both sides'
    memory: str = "embedded"  # how turns are read for facts: by rule, by the model that answers too, or off
    memory_rules: str = ""  # a file with an operator's own rules for reading facts
    memory_terms: tuple[str, ...] = ()  # terms that a summary must not lose
    memory_refuses: tuple[Kind, ...] = ()  # kinds of which no facts are made
    zone: str = ""  # where the person's days begin and end; empty: this machine's
    window: Window = Window()
    budget: ContextBudget = ContextBudget()
    hits: int = 60
    lease: float = 120.0
    wait: float = 10.0  # how long to wait for another turn of the same session to end
    trace_days: float = 30.0
    locale: str | None = None


def read(
    explicit: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
) -> Settings:
    """The settings in force. ``None`` as an explicit value means "not given".

    Raises ``BadSettings`` naming the key and where it came from.
    """
    env = os.environ if environment is None else environment
    given = {
        **dict(_from_file(*_file(env, directory or Path()))),
        **dict(_from_environment(env)),
        **dict(_from_arguments(explicit or {})),
    }
    return _settings({key: replace(found, value=_parsed(key, found)) for key, found in given.items()}, env)


def unheard(environment: Mapping[str, str] | None = None) -> list[str]:
    """A line for each ``ANAPHOR_…`` variable that sets nothing, most often misspelt.

    Not an error: another version may know it.
    """
    env = os.environ if environment is None else environment
    ours = {_variable(key): key for key in KEYS}
    strangers = sorted(name for name in env if name.startswith("ANAPHOR_") and name not in ours.keys() | NOT_SETTINGS)
    return [f"{_cut(name)} sets nothing{_closest(name, ours)}" for name in strangers]


# ── where values come from ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Given:
    """A value as it was written, and where."""

    value: Any
    origin: str
    in_file: bool = False


# Variables of ours that are looked at elsewhere: by the command line, the tests, the benches.
NOT_SETTINGS = frozenset(
    {
        *("ANAPHOR_CONFIG", "ANAPHOR_DEBUG", "ANAPHOR_CASES", "ANAPHOR_DATA"),
        *("ANAPHOR_PICTURES", "ANAPHOR_OPENAPI_EXAMPLES", "ANAPHOR_BENCH_FOLDER"),
    }
)


def _variable(key: str) -> str:
    return "ANAPHOR_" + key.upper()


def _from_arguments(explicit: Mapping[str, Any]) -> Iterator[tuple[str, Given]]:
    for key, value in explicit.items():
        if key not in KEYS:
            raise BadSettings(f"unknown setting {key!r}{_closest(key)}")
        if value is not None:
            yield key, Given(value, f"the argument {key}")


def _from_environment(env: Mapping[str, str]) -> Iterator[tuple[str, Given]]:
    for key in KEYS:
        variable = _variable(key)
        if env.get(variable, "").strip():
            yield key, Given(env[variable].strip(), variable)


def _file(env: Mapping[str, str], directory: Path) -> tuple[Path, bool]:
    named = env.get("ANAPHOR_CONFIG", "").strip()
    return (Path(named).expanduser(), True) if named else (directory / "anaphor.toml", False)


def _from_file(path: Path, must_exist: bool) -> Iterator[tuple[str, Given]]:
    try:
        written = list(_flat(tomllib.loads(path.read_bytes().decode("utf-8-sig"))))
    except FileNotFoundError:
        if must_exist:
            raise BadSettings(f"ANAPHOR_CONFIG names {path}, which does not exist") from None
        return
    except OSError as error:
        raise BadSettings(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadSettings(f"{path} is not UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise BadSettings(f"{path} is nested too deeply: settings need one level of tables") from None
    except ValueError as error:  # TOMLDecodeError, and a number of more digits than Python reads
        raise BadSettings(f"{path} is not TOML: {error}") from None
    for name, value in written:
        key = name.replace(".", "_")
        if key not in KEYS:
            raise BadSettings(f"{path}: unknown key {_cut(name)!r}{_closest(key)}")
        yield key, Given(value, f"{path}: {name}", in_file=True)


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield above + key, value


def _closest(key: str, among: Iterable[str] = KEYS) -> str:
    near = difflib.get_close_matches(key[:SHOWN], among, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


# ── what may be written ───────────────────────────────────────────────────────────────────────────────────────────


def _parsed(key: str, given: Given) -> Any:
    try:
        return KEYS[key](given.value)
    except (ValueError, TypeError) as error:
        raise BadSettings(f"{given.origin} must be {error}, not {_shown(key, given.value)}") from None


def _shown(key: str, value: Any) -> str:
    if key.endswith("api_key") or not isinstance(value, str | int | float):
        return type(value).__name__
    try:
        told = repr(_masked(value) if key.endswith("base_url") and isinstance(value, str) else value)
    except ValueError:
        return "a number of thousands of digits"
    return _cut(told)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


# ── what follows from them ────────────────────────────────────────────────────────────────────────────────────────


def _settings(given: Mapping[str, Given], env: Mapping[str, str]) -> Settings:
    values = {key: found.value for key, found in given.items()}
    own = {field.name for field in fields(Settings)}  # what a key alone decides; the rest follows from several
    default = Settings()
    budget = ContextBudget(**_below(values, "budget_"))
    if budget.total <= budget.rules:
        raise BadSettings(f"budget_total {budget.total} leaves nothing beside budget_rules {budget.rules}")
    models = _Models(given, env)
    return Settings(
        **{"locale": _locale_of_the_terminal(env), **{key: value for key, value in values.items() if key in own}},
        rewriter=models.chat("rewrite", default.rewriter.timeout),
        writer=models.chat("answer", default.writer.timeout),
        embedding=models.embedding(default.embedding.timeout),
        window=Window(**_below(values, "window_")),
        budget=budget,
    )


def _below(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)}


def _locale_of_the_terminal(env: Mapping[str, str]) -> str | None:
    """Only Chinese and Japanese tell something: an English terminal is what everybody has."""
    tag = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    try:
        found = a_locale(tag)
    except ValueError:
        return None
    return found if found != "en" else None


class _Models:
    """Which model is where: a role's own settings, then those for all roles, then OpenAI's variables."""

    def __init__(self, given: Mapping[str, Given], env: Mapping[str, str]) -> None:
        self._given = given
        self._openai_key = env.get("OPENAI_API_KEY", "").strip()
        self._openai_url = env.get("OPENAI_BASE_URL", "").strip()
        self._google_key = (env.get("GEMINI_API_KEY") or env.get("GOOGLE_API_KEY") or "").strip()

    def chat(self, role: str, default_timeout: float) -> ModelSettings:
        timeout = self._value(f"{role}_timeout", default_timeout)
        address = self._address(role)
        key = self._key(role, address)
        name = self._name(role, address, key)
        if not name:
            return ModelSettings(timeout=timeout)
        if address.value == OPENAI and not key:
            raise BadSettings(
                f"the model {name!r} has neither a key nor an address: set OPENAI_API_KEY, or ANAPHOR_BASE_URL to a "
                "server that needs no key"
            )
        return ModelSettings(name, address.value, key, timeout)

    def embedding(self, default_timeout: float) -> ModelSettings:
        timeout = self._value("embed_timeout", default_timeout)
        embedder = self._value("embedder", "auto")
        if embedder in IN_THIS_PROCESS:
            return ModelSettings(timeout=timeout)
        if embedder == "fastembed":
            return ModelSettings(self._value("embed_model", ONNX_EMBEDDING), timeout=timeout)
        if embedder == "gemini":
            return self._gemini(timeout)
        address = self._address("embed")
        name = self._value("embed_model", OPENAI_EMBEDDING if address.value == OPENAI else "")
        if not name:
            raise BadSettings(
                f"the embedder at {without_credentials(address.value)} needs a model's name: set ANAPHOR_EMBED_MODEL"
            )
        return ModelSettings(name, address.value, self._key("embed", address), timeout)

    def _gemini(self, timeout: float) -> ModelSettings:
        """Google's address unless another is given for embedding alone; OpenAI's key is never sent there."""
        address = self._given.get("embed_base_url") or Given(GOOGLE, "")
        own = self._given.get("embed_api_key")
        key: Secret = own.value if own else Secret("" if address.in_file else self._google_key)
        if not key:
            raise BadSettings("the embedder gemini needs a key: set GEMINI_API_KEY, or ANAPHOR_EMBED_API_KEY")
        return ModelSettings(self._value("embed_model", GEMINI_EMBEDDING), address.value, key, timeout)

    def _value(self, key: str, default: Any) -> Any:
        return self._given[key].value if key in self._given else default

    def _address(self, role: str) -> Given:
        own, shared = self._given.get(f"{role}_base_url"), self._given.get("base_url")
        if own or (shared and not shared.in_file):
            return own or shared  # type: ignore[return-value]
        if self._openai_url:
            variable = Given(self._openai_url, "OPENAI_BASE_URL")
            return replace(variable, value=_parsed("base_url", variable))
        return shared or Given(OPENAI, "")

    def _key(self, role: str, address: Given) -> Secret:
        own, shared = self._given.get(f"{role}_api_key"), self._given.get("api_key")
        if own:
            return own.value  # type: ignore[no-any-return]
        if shared and (address.in_file or not shared.in_file or not self._openai_key):
            return shared.value  # type: ignore[no-any-return]
        return Secret() if address.in_file else Secret(self._openai_key)

    def _name(self, role: str, address: Given, key: Secret) -> str:
        if any(k in self._given for k in ("model", "rewrite_model", "answer_model")):
            name = self._value(f"{role}_model", "") or self._value("model", "none")
            return "" if name == "none" else str(name)
        if address.value == OPENAI:
            return OPENAI_MODEL if key else ""
        raise BadSettings(
            f"{address.origin} names a server ({without_credentials(address.value)}) but no model: set ANAPHOR_MODEL "
            "to one it offers, or to none to do without"
        )
