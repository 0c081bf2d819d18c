"""What clients send, as models with examples; what they get is told by the values' own ``as_dict``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(max_length=1_000_000)]


class Strict(BaseModel):
    """Of our own API: a misspelt field is an error and not a wish that was not heard."""

    model_config = ConfigDict(extra="forbid")


class NewSession(Strict):
    name: Name = Field(
        "", description="A label, unique for this person; the key is the id.", examples=["trip to Kyoto"]
    )
    ephemeral: bool = Field(False, description="Nothing of it reaches a disk; gone with the service, or a day unused.")


class Renamed(Strict):
    name: Name = Field(description="The new label.", examples=["trip to Nara"])


class Branched(Strict):
    after_seq: int = Field(ge=0, description="The last turn that the branch shares with its session.", examples=[2])
    name: Name = ""


class Asked(Strict):
    """One question."""

    question: Text = Field(description="The person's own words.", examples=["那它的增長率呢？"])
    turn_id: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="The client's own id: the same again returns the stored answer.", examples=["q-17"]
    )
    sources: Literal["documents", "memory", "both"] | None = Field(
        None, description="Where to look.", examples=["documents"]
    )
    filters: dict[str, str] = Field(
        default_factory=dict, description="Metadata that a document must have.", examples=[{"team": "sales"}]
    )
    expected_seq: int | None = Field(
        None, ge=0, description="The newest turn the client knows; 409 when there is a newer one.", examples=[1]
    )
    wait: float | None = Field(
        None, ge=0, le=600, description="Seconds to wait for another turn of the session.", examples=[5]
    )
    stream: bool = Field(True, description="Server-sent events, or the answer when it is there.")


class Told(Strict):
    """Messages for the small door."""

    messages: list[dict[str, Any]] = Field(
        description="Oldest first.",
        examples=[
            [{"role": "user", "content": "Orin 方案多少錢？"}, {"role": "assistant", "content": "每月 300 元。"}]
        ],
    )
    question: Text | None = Field(None, examples=["那 Vega 呢？"])
    language: Literal["zh-Hant", "zh-Hans", "ja", "en"] | None = None


class Searched(Strict):
    text: Text = Field(description="A query that needs no history.", examples=["Orin 方案 退款"])
    sources: Literal["documents", "memory", "both"] = "documents"
    limit: int = Field(10, ge=1, le=100)


class Judged(Strict):
    """What a person thought of an answer."""

    thumbs: Literal["up", "down"] | None = Field(None, examples=["up"])
    score: int | None = Field(None, ge=1, le=5, examples=[4])
    comment: str = Field("", max_length=5_000, examples=["有幫助"])


class Part(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: str = "text"
    text: str | None = None


class ChatMessage(BaseModel):
    model_config = ConfigDict(extra="allow")
    role: Annotated[str, Field(max_length=40)]
    content: str | list[Part] | None = None

    @property
    def words(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or () if part.text)


class StreamOptions(BaseModel):
    model_config = ConfigDict(extra="allow")
    include_usage: bool = False


class Completion(BaseModel):
    """OpenAI's chat completion. What is honoured, ignored and refused: docs/service.md."""

    model_config = ConfigDict(extra="allow")
    model: Annotated[str, Field(max_length=200)] = "anaphor"
    messages: list[ChatMessage] = Field(
        min_length=1, max_length=10_000, examples=[[{"role": "user", "content": "What about the second one?"}]]
    )
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    n: int | None = 1
    metadata: dict[str, Any] | None = Field(None, examples=[{"session_id": "trip to Kyoto"}])
    user: str | None = None
    response_format: dict[str, Any] | None = None
    modalities: list[str] | None = None
    logprobs: bool | None = None
