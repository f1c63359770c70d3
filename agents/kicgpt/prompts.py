"""The texts of KICGPT's conversation: one template for triples (section 3.3.3), four stages, two variants.

The stages are those of appendix A.2: tables 7 (orders) and 8 (scores), and table 6 for the trivial prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage

from triplewise.agents.kicgpt.state import LinkState
from triplewise.kg.base import KGStore
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.entity_text import Describe, EntityTexts
from triplewise.tools.text.relation_text import AlignedSentence, RelationTexts
from triplewise.types import Triple

Shown = tuple[tuple[Literal["analogy", "supplement"], Triple], ...]


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """How the model is asked."""

    mode: Literal["compact", "multi-round"] = "compact"
    """All four stages in one message, or the paper's conversation."""
    reply: Literal["numbers", "names", "scores"] = "numbers"
    """An order of candidate numbers, of names, or a score per candidate (the WN18RR variant)."""
    demonstrations: int = 32
    """Most demonstrations, of both kinds, that a compact prompt holds."""
    per_round: int = 4
    """Demonstrations of each kind in a round."""
    max_rounds: int = 0
    """Most rounds; 0 is as many as fit."""
    budget: int = 3700
    """Prompt tokens, the final query included."""
    pop_last: bool = False
    """The published code's rule, which holds a round first and takes it back where it passed the budget."""
    engineered: bool = True
    """False is the trivial prompt (table 6)."""
    shuffle: bool = False
    """Show the candidates in random order."""
    seed: int = 0
    """Of the random order."""
    score_batch: int = 10
    """Candidates scored in one call."""
    max_reply_tokens: int = 0
    """Tokens that a reply may have; 0 is what m candidates need."""
    describe: Describe = "clashing"
    """Which candidates get a description beside their name."""
    words: int = 12
    """Words of a description."""
    definition_words: int = 40
    """Words of a definition where statements bring those of both ends."""
    alignment: tuple[tuple[str, str], ...] = ()
    """Pairs of relation and sentence that override the rule-based reading."""


@dataclass(frozen=True)
class LinkPrompts:
    """The texts of one query, all from one template for triples."""

    state: LinkState
    relations: RelationTexts
    entities: EntityTexts
    options: ConversationOptions

    @classmethod
    def of(cls, state: LinkState, kg: KGStore, options: ConversationOptions) -> LinkPrompts:
        aligned = {r: AlignedSentence(s, "file") for r, s in options.alignment}
        return cls(state, RelationTexts(kg, aligned), EntityTexts(kg, options.describe, options.words), options)

    def fact(self, triple: Triple) -> str:
        """A triple in words, after both ends' definitions where candidates are scored one by one (table 8)."""
        said = self.said(triple)
        if not self.defined:
            return said
        texts = ((e, self.entities.description(e, self.options.definition_words)) for e in (triple.head, triple.tail))
        return " ".join([*(f"{self.entities.name(e)}: {text}." for e, text in texts if text), said])

    @property
    def defined(self) -> bool:
        """Whether each statement brings the definitions of its ends."""
        options = self.options
        return options.reply == "scores" and options.describe == "all" and options.score_batch == 1

    def said(self, triple: Triple) -> str:
        """A triple in words."""
        return self.relations.statement(*triple, self.entities.name)

    @property
    def statement(self) -> str:
        q = self.state["query"]
        return self.relations.statement(q.head, q.relation, q.tail, self.entities.name)

    @property
    def entity(self) -> str:
        return self.entities.name(self.state["query"].entity)

    @property
    def about(self) -> str:
        return self.entities.about(self.state["query"].entity)

    def batches(self) -> list[list[int]]:
        """The candidates' positions per final query: all in one, or ``score_batch`` each."""
        m, options = len(self.state["candidates"]), self.options
        size = max(1, options.score_batch) if options.reply == "scores" else max(1, m)
        return [list(range(i, min(i + size, m))) for i in range(0, m, size)] or [[]]

    def responsibility(self) -> list[BaseMessage]:
        if self.options.reply == "scores":
            return load_prompt("kicgpt/responsibility_scores").render()
        order = "" if self.options.shuffle else ", its best guess first"
        return load_prompt("kicgpt/responsibility").render(order=order)

    def question(self) -> list[BaseMessage]:
        return load_prompt("kicgpt/question").render(statement=self.statement, about=self.about, entity=self.entity)

    def demonstrations(self, shown: Shown) -> list[BaseMessage]:
        """One message: analogies, then background facts; none where there is nothing to show."""
        analogies = [f"- {self.fact(t)}" for kind, t in shown if kind == "analogy"]
        facts = [f"- {self.fact(t)}" for kind, t in shown if kind == "supplement"]
        parts: list[BaseMessage] = []
        if analogies:
            parts += load_prompt("kicgpt/analogies").render(statements="\n".join(analogies))
        if facts:
            parts += load_prompt("kicgpt/background").render(statements="\n".join(facts), entity=self.entity)
        return merge(parts)

    def final(self, positions: Sequence[int], *, told: bool) -> list[BaseMessage]:
        """The final query; ``positions`` are the candidates shown, in this order.

        ``told``: the question stage has described the query's entity already.
        """
        candidates = self.state["candidates"]
        ids = [candidates[i].id for i in positions]
        options, about = self.options, "" if told or self.defined else self.about
        if options.reply == "scores":
            return self._final_scores(ids, positions, about)
        values = {"statement": self.statement, "count": str(len(ids))}
        if options.reply == "names":
            names = " | ".join(self.entities.disambiguated(e) for e in ids)
            return load_prompt("kicgpt/final_names").render(candidates=names, about=about, **values)
        values["candidates"] = "\n".join(f"{n}. {self.entities.listed(e)}" for n, e in enumerate(ids, 1))
        return load_prompt("kicgpt/final_numbers").render(about=about, **values)

    def _final_scores(self, ids: Sequence[str], positions: Sequence[int], about: str) -> list[BaseMessage]:
        options, lines = self.options, []
        for position, entity in zip(positions, ids, strict=True):
            described = options.describe == "all" or (options.describe == "clashing" and self.entities.clashing(entity))
            described &= not self.defined  # then it stands before the statement
            text = self.entities.description(entity) if described else ""
            fact = self.fact(self.state["query"].triple(entity))
            lines.append((position + 1, f"{fact} ({self.entities.name(entity)}: {text})" if text else fact))
        if len(lines) == 1:
            return load_prompt("kicgpt/final_score").render(about=about, statement=lines[0][1])
        return load_prompt("kicgpt/final_scores").render(
            about=about,
            statements="\n".join(f"{n}. {text}" for n, text in lines),
            first=str(lines[0][0]),
            last=str(lines[-1][0]),
        )

    def trivial(self, shown: Shown, positions: Sequence[int]) -> list[BaseMessage]:
        """The prompt without prompt engineering (table 6): examples, candidates, one instruction."""
        ids = [self.state["candidates"][i].id for i in positions]
        names = self.options.reply == "names"
        if names:
            listed = " | ".join(self.entities.disambiguated(e) for e in ids)
        else:
            listed = "\n".join(f"{n}. {self.entities.listed(e)}" for n, e in enumerate(ids, 1))
        return load_prompt(f"kicgpt/trivial{'_names' if names else ''}").render(
            examples="".join(f"{self.fact(t)}\n" for _, t in shown),
            statement=self.statement,
            candidates=listed,
            count=str(len(ids)),
        )


def merge(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Neighbouring user messages as one."""
    merged: list[BaseMessage] = []
    for message in messages:
        if merged and isinstance(message, HumanMessage) and isinstance(merged[-1], HumanMessage):
            merged[-1] = HumanMessage(f"{merged[-1].text}\n\n{message.text}")
        else:
            merged.append(message)
    return merged


def prompt_tokens(model: BaseChatModel, messages: Sequence[BaseMessage]) -> int:
    """Prompt tokens by the model's own tokenizer and template (an estimate for remote models)."""
    return model.get_num_tokens_from_messages(list(messages))


def interleave(analogies: Sequence[Triple], supplements: Sequence[Triple], limit: int, start: int = 0) -> Shown:
    """At most ``limit`` demonstrations from position ``start`` of both pools in turn; when one ends, the other's."""
    a, s = analogies[start:], supplements[start:]
    shown: list[tuple[Literal["analogy", "supplement"], Triple]] = []
    for i in range(max(len(a), len(s))):
        if i < len(a):
            shown.append(("analogy", a[i]))
        if i < len(s):
            shown.append(("supplement", s[i]))
    return tuple(shown[:limit])
