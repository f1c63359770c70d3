"""What the nodes of link prediction share: the query, the candidates, the demonstrations, the order."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Annotated, Literal

from langchain_core.messages import BaseMessage
from typing_extensions import TypedDict

from triplewise.agents.state import ProvidedBy
from triplewise.errors import QuestionError
from triplewise.types import Step, Triple


@dataclass(frozen=True, slots=True)
class LinkQuery:
    """(h, r, ?) or (?, r, t), as ids: the missing end is None."""

    head: str | None
    relation: str
    tail: str | None

    def __post_init__(self) -> None:
        if (self.head is None) == (self.tail is None):
            raise QuestionError("a link query has exactly one missing end.", "Give either the head or the tail.")

    @property
    def side(self) -> Literal["head", "tail"]:
        """The end that is missing."""
        return "head" if self.head is None else "tail"

    @property
    def entity(self) -> str:
        """The end that is given."""
        return self.tail if self.head is None else self.head  # pyright: ignore[reportReturnType]

    def triple(self, answer: str) -> Triple:
        """The triple that an answer would complete."""
        head, tail = (answer, self.tail) if self.head is None else (self.head, answer)
        return Triple(head, self.relation, tail)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity with the scorer's value (higher is better) and rank from 1."""

    id: str
    score: float
    rank: int


class LinkInput(TypedDict, total=False):
    """What a caller gives."""

    query: LinkQuery
    """The link to complete, as ids."""


class LinkState(LinkInput, total=False):
    """The state of link prediction."""

    ranking: Annotated[tuple[str, ...], ProvidedBy("retrieve")]
    """Entity ids, best first: the retriever's ranking, at the end with its top m re-ranked."""
    scores: Annotated[tuple[float, ...], ProvidedBy("retrieve")]
    """The retriever's scores along its ranking, NaN where it gives none."""
    candidates: Annotated[tuple[Candidate, ...], ProvidedBy("retrieve")]
    """The top m of the retriever, in its order; fewer where it scores fewer."""
    analogies: Annotated[tuple[Triple, ...], ProvidedBy("demonstrations")]
    """Ordered triples with the query's relation (L_a), more than will be used."""
    supplements: Annotated[tuple[Triple, ...], ProvidedBy("demonstrations")]
    """Ordered triples at the query's entity (L_s), more than will be used."""
    messages: Annotated[tuple[BaseMessage, ...], ProvidedBy("compose or responsibility")]
    """The conversation so far."""
    rounds: Annotated[int, ProvidedBy("demonstrate")]
    """Demonstration rounds held."""
    finished: Annotated[bool, ProvidedBy("demonstrate")]
    """No further round: the pools or the token budget are used up."""
    shown: Annotated[tuple[tuple[Literal["analogy", "supplement"], Triple], ...], ProvidedBy("compose or demonstrate")]
    """Demonstrations that the conversation holds."""
    order: Annotated[tuple[int, ...], ProvidedBy("final_query")]
    """Positions in ``candidates`` (from 0), the model's best first."""
    steps: Annotated[list[Step], add]
    """What each node saw, asked and got."""
    warnings: Annotated[list[str], add]
    """What the caller should know of the prediction."""
