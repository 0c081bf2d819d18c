"""What a server's refusals mean, and what a person can do about each."""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anaphor.adapters.openai.decoded import decoded
from anaphor.errors import ModelError, ModelRefused, ModelRejected, ModelUnavailable

KEY_CURE = "check ANAPHOR_API_KEY or OPENAI_API_KEY"
URL_CURE = "check the base URL (ANAPHOR_BASE_URL, OPENAI_BASE_URL, or base_url in anaphor.toml)"
MODEL_CURE = "check the model's name (ANAPHOR_MODEL, or model in anaphor.toml) and the base URL"

_KEY_LIKE = re.compile(r"[\w-]*\*{3,}[\w*-]*|\b(?:sk|pk|gsk)[-_][\w-]{6,}|\bAIza[\w-]{6,}")
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_FILTERED = frozenset({"content_filter", "content_policy_violation"})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"})


class TryAgain(Exception):
    """This attempt failed and another may not. ``after``: seconds the server asked to be left alone, if it said."""

    def __init__(self, error: ModelUnavailable, after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after


class Refused(Exception):
    """The server answered, with an error."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as a server reported it, by status or inside its reply. ``status`` is 0 where it gave none."""

    status: int
    message: str = ""
    code: str = ""  # the server's own word for it
    field: str = ""  # the field of the request it does not like
    after: float | None = None

    @property
    def about_the_key(self) -> bool:
        return self.status == 401 or self.code == "invalid_api_key" or "api key not valid" in self.message.lower()

    def error(self, who: str, keyed: bool) -> ModelError | TryAgain:
        """``who`` is the model and its address; ``keyed`` whether a key was sent. The server's words are quoted
        only where they cannot hold a part of the key."""
        said = f": {self.message}" if self.message else ""
        if self.about_the_key:
            what = "does not accept the API key" if keyed else "asks for an API key"
            return ModelRejected(f"{who} {what} ({self.status}); {KEY_CURE}")
        if self.code in _FILTERED:
            return ModelRefused(f"{who} declined to reply (content filter)")
        if self.status == 402 or self.code in _NO_CREDIT:
            return ModelRejected(f"{who} says that the account has no credit left ({self.status})")
        if self.status == 403:
            return ModelRejected(f"{who} forbids this ({self.status}){said}; {KEY_CURE}")
        if self.status == 404:
            return ModelRejected(f"{who} was not found ({self.status}){said}; {MODEL_CURE}")
        if self.status in _AGAIN or self.status == 0 or self.status >= 500:
            number = f" ({self.status})" if self.status else ""
            return TryAgain(ModelUnavailable(f"{who} cannot reply now{number}{said}"), self.after)
        return ModelRejected(f"{who} rejected the request ({self.status}){said}")


def refusal(status: int, body: bytes, headers: Mapping[str, str], key: str = "") -> Refusal:
    """Read an error response; ``key`` and whatever looks like one is taken out of what the server says."""
    text = body.decode("utf-8", "replace")
    try:
        reported = decoded(text)
    except ValueError:
        page = text.lstrip().startswith("<")
        return Refusal(status, "" if page else _said(text, key), after=_after(headers, {}))
    found = reported_error(reported) or {}
    return Refusal(
        status,
        _said(_message(found) or text, key),
        str(found.get("code") or found.get("type") or ""),
        str(found.get("param") or ""),
        _after(headers, found),
    )


def refusal_in_reply(error: Mapping[str, Any], key: str = "") -> Refusal:
    """Read an error that came inside a reply that had begun well."""
    code = error.get("code", error.get("status"))
    status = int(code) if re.fullmatch("[45][0-9][0-9]", str(code)) else 0
    word = str(error.get("type") if str(code).isdecimal() else code or error.get("type") or "")
    return Refusal(status, _said(_message(error), key), word, after=_after({}, error))


def reported_error(value: Any) -> dict[str, Any] | None:
    """The error object in a decoded body, in any of the shapes servers use; ``None`` if there is none."""
    if isinstance(value, list):  # Gemini
        return next(filter(None, map(reported_error, value)), None)
    if not isinstance(value, dict):
        return None
    error = value.get("error")
    if isinstance(error, dict):
        return error
    if error:
        return {"message": str(error)}
    if value.get("object") == "error":  # older vLLM
        return value
    if "detail" in value and "choices" not in value:  # FastAPI
        return {"message": value["detail"]}
    return None


def _message(error: Mapping[str, Any]) -> str:
    message = error.get("message", "")
    return message if isinstance(message, str) else json.dumps(message, ensure_ascii=False)


def _said(text: str, key: str) -> str:
    """One line of at most 300 characters, without anything that could be a key."""
    line = " ".join(text.split())
    if key:
        line = line.replace(key, "…")
    line = _KEY_LIKE.sub("…", line[:2000])
    return line if len(line) <= 300 else line[:299] + "…"


def _after(headers: Mapping[str, str], error: Mapping[str, Any]) -> float | None:
    """Seconds to wait: ``retry-after-ms``, ``Retry-After`` in seconds or as a date, or Google's ``retryDelay``."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    written = headers.get("retry-after", "")
    seconds = _number(written)
    if seconds is not None:
        return seconds
    if written:
        return _until(written)
    details = error.get("details")
    for detail in details if isinstance(details, list) else []:
        if isinstance(detail, dict) and "retryDelay" in detail:
            return _number(str(detail["retryDelay"]).removesuffix("s"))
    return None


def _until(date: str) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def _number(written: str) -> float | None:
    try:
        value = float(written)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None
