"""An answer in the shapes of the OpenAI API, with its citations (docs/serve.md, "Citations").

``[n]`` stands in the text. Chat completions carry ``annotations`` of type ``url_citation`` that point at the answer's
evidence page, and the triples themselves in ``triplewise.citations``; a last line says how the question was read where
it can be read in several ways, for clients that show only text. Under ``/openwebui/v1`` the annotations are
Open WebUI's ``source`` events instead.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from triplewise.agents.assistant.events import (
    Answered,
    Choices,
    Citation,
    Citations,
    Done,
    Event,
    Failed,
    Option,
    ReadAs,
    Spent,
    StepStarted,
    Warned,
)
from triplewise.interfaces.read_as import readings_line
from triplewise.interfaces.serve.answer_form import AnswerForm
from triplewise.interfaces.serve.service import new_id
from triplewise.types import Reading, Usage

MARK = re.compile(r"\[(\d{1,4})\]")
_STATUS = {"user": 400, "busy": 429, "budget": 429, "backend": 502, "internal": 500}
_KIND = {"user": "invalid_request_error", "busy": "rate_limit_error", "budget": "insufficient_quota"}
_PIECE = 24
"""Characters of a streamed piece, about, of a text that came as a whole."""


@dataclass
class Reply:
    """One answer as it comes together out of a turn's events."""

    model: str
    base: str
    openwebui: bool = False
    id: str = field(default_factory=lambda: f"chatcmpl-{new_id()}")
    created: int = field(default_factory=lambda: int(time.time()))
    text: str = ""
    message_id: str = ""
    thread_id: str = ""
    citations: tuple[Citation, ...] = ()
    warnings: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    read: ReadAs | None = None
    failure: Failed | None = None
    answered: bool = False
    form: AnswerForm | None = None
    """The JSON that was asked for in place of a sentence."""
    streamed: str = ""
    """The text that a stream has told so far."""

    def take(self, event: Event) -> None:
        """Note what an event says."""
        match event:
            case Answered():
                self.text, self.message_id, self.answered = event.text, event.message_id, True
                self.extra |= {"kind": event.kind, "verdict": event.verdict, "method": event.method}
                self.extra["answers"] = [{"id": a.id, "label": a.label} for a in event.answers]
                self.extra["unsupported"] = list(event.unsupported)
                self.extra["namesakes"] = [option_json(o) for o in event.namesakes]
            case Citations():
                self.citations, self.message_id = event.citations, event.message_id
            case ReadAs():
                self.read = event
                self.extra["read_as"] = event.reading.text if event.reading else None
                self.extra["reading"] = event.reading.number if event.reading else None
                self.extra["other_readings"] = [reading_json(other) for other in event.others]
                self.extra["margin"] = event.margin
            case Choices():
                lines = [f"{i}. {o.label}{f' ({o.hint})' if o.hint else ''}" for i, o in enumerate(event.options, 1)]
                self.text, self.answered = "\n".join([event.question, *lines]), True
            case Warned():
                self.warnings.append(event.text)
            case Spent():
                self.usage = event.usage
                self.extra["seconds"] = event.seconds
            case Failed():
                self.failure = event
            case Done():
                self.thread_id = event.thread_id

    # plain ---------------------------------------------------------------------------------------

    def completion(self) -> dict[str, Any]:
        """The whole answer."""
        message: dict[str, Any] = {"role": "assistant", "content": f"{self.content}{self.note}", "refusal": None}
        message["annotations"] = self.annotations()
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return self._object("chat.completion", [choice]) | {"usage": self.usage_json(), "triplewise": self.details()}

    @property
    def content(self) -> str:
        """What is said: the answer's text, or the JSON that was asked for."""
        return self.text if self.form is None else self.form.content(self.text, self.extra, self.citations)

    @property
    def note(self) -> str:
        """The last line; JSON has none."""
        line = "" if self.form else readings_line(self.read)
        return f"\n\n{line}" if line else ""

    def annotations(self, before: int = 0) -> list[dict[str, Any]]:
        """A ``url_citation`` per ``[n]`` of the text that has a triple; ``before``: characters told before the text."""
        if self.form is not None:
            return []
        found = {c.n: c for c in self.citations}
        return [
            {
                "type": "url_citation",
                "url_citation": {
                    "url": f"{self.base}#{match.group(1)}",
                    "title": sentence(found[int(match.group(1))]),
                    "start_index": before + match.start(),
                    "end_index": before + match.end(),
                },
            }
            for match in MARK.finditer(self.text)
            if int(match.group(1)) in found
        ]

    def details(self) -> dict[str, Any]:
        """What the OpenAI API has no place for."""
        return {
            "citations": [citation_json(c) for c in self.citations],
            "evidence_url": self.base,
            "thread_id": self.thread_id,
            "warnings": self.warnings,
            "cost": self.usage.cost,
            **self.extra,
        }

    def usage_json(self) -> dict[str, Any]:
        """The sum over all inner calls."""
        used = self.usage
        return {
            "prompt_tokens": used.prompt_tokens,
            "completion_tokens": used.completion_tokens,
            "total_tokens": used.prompt_tokens + used.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": used.cached_tokens},
        }

    # streamed ------------------------------------------------------------------------------------

    def chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
        """One chunk of a stream."""
        return (
            self._object(
                "chat.completion.chunk", [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
            )
            | more
        )

    def status(self, event: StepStarted) -> dict[str, Any]:
        """Open WebUI's line of what is being done."""
        return self.chunk({}, event={"type": "status", "data": {"description": event.label, "done": False}})

    def token(self, text: str) -> dict[str, Any] | None:
        """A piece of the text as it comes; None where only the whole can be told."""
        if self.form is not None:
            return None
        self.streamed += text
        return self.chunk({"content": text})

    def text_chunks(self) -> list[dict[str, Any]]:
        """What of the text was not yet told, citations, and the last chunk of the choice."""
        content, told = self.content, self.streamed.rstrip()
        before = len(told) - len(content) if told.endswith(content) else len(self.streamed)
        rest = "" if told.endswith(content) else content
        if not told or content.startswith(told):
            before, rest = 0, content[len(self.streamed) :]
        elif rest:
            before, rest = before + 2, f"\n\n{rest}"
        chunks = [self.chunk({"content": piece}) for piece in (*_pieces(rest), *_pieces(self.note))]
        if self.openwebui:
            chunks.append(
                self.chunk({}, event={"type": "status", "data": {"description": "", "done": True, "hidden": True}})
            )
            chunks += [self.chunk({}, event=event) for event in self._sources()]
        elif annotations := self.annotations(before):
            chunks.append(self.chunk({"annotations": annotations}))
        return [*chunks, self.chunk({}, "stop", triplewise=self.details())]

    def usage_chunk(self) -> dict[str, Any]:
        """The last chunk where usage was asked for."""
        return self._object("chat.completion.chunk", []) | {"usage": self.usage_json()}

    def _sources(self) -> list[dict[str, Any]]:
        """``[n]`` points at the nth source, and sources of one id are merged: an id each, in order, none left out."""
        events = []
        for c in sorted(self.citations, key=lambda c: c.n):
            name = f"{c.n}. {sentence(c)}"
            source_id = f"{self.message_id}#{c.n}"  # also of an answer that belongs to no thread
            source = {"id": source_id, "name": name, "embed_url": f"{self.base}#{c.n}"}
            data = {
                "source": source,
                "document": [f"{sentence(c)} ({words_of_source(c)})"],
                "metadata": [{"source": source_id, "name": name}],
            }
            events.append({"type": "source", "data": data})
        return events

    # errors ----------------------------------------------------------------------------------------

    def error(self) -> tuple[int, dict[str, Any]]:
        """The status and the error object of a turn that failed."""
        failure = self.failure or Failed("The turn ended without an answer.")
        message = f"{failure.message} {failure.hint}".strip()
        kind = _KIND.get(failure.kind, "server_error")
        return _STATUS[failure.kind], {"error": {"message": message, "type": kind, "param": None, "code": failure.kind}}

    def _object(self, kind: str, choices: list[Any]) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model, "choices": choices}


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading under the number that takes it, with what it would answer."""
    return {"number": reading.number, "text": reading.text, "answers": list(reading.answers)}


def option_json(option: Option) -> dict[str, Any]:
    """One of the things that a name fits, and what tells it from the others."""
    return {"id": option.id, "name": option.label, "hint": option.hint}


def sentence(citation: Citation) -> str:
    """A triple in words."""
    return " — ".join(citation.labels)


def words_of_source(citation: Citation) -> str:
    """What kind of evidence a triple is, in words."""
    score = f", score {citation.score:.3g}" if citation.score is not None else ""
    return {"asserted": "in the graph", "inferred": "inferred", "predicted": f"predicted, not a fact{score}"}[
        citation.source
    ]


def citation_json(c: Citation) -> dict[str, Any]:
    """A triple with ids, labels and source."""
    return {
        "n": c.n, "head": c.head, "relation": c.relation, "tail": c.tail, "labels": list(c.labels),
        "source": c.source, "score": c.score,
    }  # fmt: skip


def _pieces(text: str) -> list[str]:
    """A text in pieces that end between words."""
    pieces, piece = [], ""
    for word in re.split(r"(?<=\s)", text):
        piece += word
        if len(piece) >= _PIECE:
            pieces.append(piece)
            piece = ""
    return [*pieces, piece] if piece else pieces
