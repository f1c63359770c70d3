"""What the assistant tells while a turn runs: small frozen records, each with ``to_json``.

The order of a turn is: ``StepStarted`` and ``StepFinished`` as nodes run, ``Rewritten`` where a follow-up was
completed from earlier turns, ``Token`` as text comes, then either ``Choices`` (the turn waits for ``Assistant.resume``)
or ``Citations``, ``ReadAs`` and ``Answered``; ``Warned`` anywhere, ``Failed`` at most once, ``Spent``, and always
``Done`` last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Literal

from triplewise.types import Answer, Reading, Source, StepStatus, Usage, Verdict

AnswerKind = Literal["answer", "verdict", "nothing", "prediction", "evidence", "chat"]
"""An answer from the graph, a verdict on a claim, "the graph does not know", predicted links, the proof of an earlier
answer, or talk without the graph."""


@dataclass(frozen=True, slots=True)
class Citation:
    """The triple that ``[n]`` in an answer points at. ``id`` is stable: ``<message id>#<n>``."""

    n: int
    id: str
    head: str
    relation: str
    tail: str
    labels: tuple[str, str, str]
    source: Source = "asserted"
    score: float | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. ``id`` goes to ``Assistant.resume``; ``hint`` tells it from its namesakes."""

    id: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; ``type`` names the kind in JSON."""

    type: ClassVar[str] = "event"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, ``{"type": …, …}``."""
        return {"type": self.type, **_plain(self)}


@dataclass(frozen=True, slots=True)
class StepStarted(Event):
    """A node began. ``step`` pairs it with its end; ``parent`` is the step that it runs within, or ""."""

    type: ClassVar[str] = "step_started"
    step: str
    node: str
    label: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class StepFinished(Event):
    """A node ended; ``detail`` holds JSON values a person can read."""

    type: ClassVar[str] = "step_finished"
    step: str
    node: str
    status: StepStatus = "ok"
    note: str = ""
    seconds: float = 0.0
    detail: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rewritten(Event):
    """A follow-up as the self-contained question that was asked; ``how`` says what was put in for what."""

    type: ClassVar[str] = "rewritten"
    original: str
    text: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Token(Event):
    """A piece of the answer's text as it comes; ``Answered.text`` is the whole, checked, and takes its place."""

    type: ClassVar[str] = "token"
    text: str


@dataclass(frozen=True, slots=True)
class Choices(Event):
    """The turn waits: one of ``options`` goes to ``Assistant.resume(thread_id, option id)``.

    ``about``: "entity" where a name fits several things, "reading" where the sentence can be read in several ways.
    """

    type: ClassVar[str] = "choices"
    message_id: str
    question: str
    options: tuple[Option, ...]
    about: Literal["entity", "reading"] = "entity"


@dataclass(frozen=True, slots=True)
class Citations(Event):
    """The evidence of the answer. ``context``: triples near the proof that the answer does not rest on."""

    type: ClassVar[str] = "citations"
    message_id: str
    citations: tuple[Citation, ...]
    context: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadAs(Event):
    """How the sentence was read; ``others`` go by position to ``Assistant.read_as``. ``reading`` is None where none was
    sure enough to be executed, and the others are offered instead."""

    type: ClassVar[str] = "read_as"
    message_id: str
    reading: Reading | None
    others: tuple[Reading, ...] = ()
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """The answer. ``text`` holds ``[n]``; ``answers`` are ids and labels; ``unsupported`` lists sentences of ``text``
    that no evidence supports; ``namesakes``: the things that a name of the sentence fits, the one that was taken for
    granted first, where several fit and nobody was asked."""

    type: ClassVar[str] = "answer"
    message_id: str
    text: str
    kind: AnswerKind = "answer"
    answers: tuple[Answer, ...] = ()
    verdict: Verdict | None = None
    unsupported: tuple[str, ...] = ()
    method: str = ""
    namesakes: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Warned(Event):
    """Something that a reader of the answer should know."""

    type: ClassVar[str] = "warning"
    text: str


@dataclass(frozen=True, slots=True)
class Failed(Event):
    """The turn failed. ``kind``: "user" (they can mend it), "backend" (the model), "budget" (a cap), "busy" (the
    thread runs another turn) or "internal"."""

    type: ClassVar[str] = "error"
    message: str
    hint: str = ""
    kind: Literal["user", "backend", "budget", "busy", "internal"] = "internal"


@dataclass(frozen=True, slots=True)
class Spent(Event):
    """Cost of the turn, summed over all inner calls, and its time."""

    type: ClassVar[str] = "usage"
    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True)
class Done(Event):
    """Always last. ``waiting``: for a choice; ``stopped``: by ``Assistant.stop`` or a closed connection."""

    type: ClassVar[str] = "done"
    thread_id: str
    message_id: str
    status: Literal["done", "waiting", "stopped", "failed"] = "done"


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
