"""KG-GPT's retrieval with gold segmentation and gold relations: what the machine loses without a model's errors.

MetaQA names each question's relation path. Said as sub-sentences with their relations, the evidence must
hold every gold answer. The executed join does not know a relation's direction, so where a name is both a
person and a film it can also follow the other one; ``reading`` is the join of the single reading (one
direction per relation) that reaches a gold answer, which is what a right pick by the reasoner selects.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from triplewise.agents.kg_gpt.evidence_retriever import RetrieverOptions, retrieve
from triplewise.agents.state import ANSWER, SubSentence
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.evals.accounting.spend import FREE
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.data.items import Item
from triplewise.evals.runs.answer import store_of
from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.pattern_join import Term

GOLD = "gold"
"""The name of ``gold_chat`` as a model of a run."""


@dataclass(frozen=True, slots=True)
class GoldOutcome:
    """``covered``: the evidence holds all gold answers; ``join`` and ``reading``: answers of the executed
    join, over all directions and of the reading that reaches a gold answer."""

    covered: bool
    join: frozenset[str]
    reading: frozenset[str]


def gold_sub_sentences(item: Item) -> tuple[SubSentence, ...]:
    """The gold path as a chain of sub-sentences from the topic to ?answer, each with its gold relation."""
    hops = len(item.path)
    ends = [Term(entity=item.entities[0]), *(Term(variable=f"x{i}") for i in range(1, hops)), Term(variable=ANSWER)]
    return tuple(
        SubSentence(f"part {i + 1}", (ends[i], ends[i + 1]), (relation,)) for i, relation in enumerate(item.path)
    )


def gold_outcome(kg: KGStore, item: Item) -> GoldOutcome:
    """Retrieval and join for one item with a gold path."""
    evidence, match = retrieve(kg, gold_sub_sentences(item), "ask", RetrieverOptions())
    seen = {end for e in evidence for end in (e.triple.head, e.triple.tail)}
    gold = min(item.answers)
    readings = (part.bindings[ANSWER] for _, part in match.readings() if gold in part.bindings.get(ANSWER, ()))
    join = match.bindings.get(ANSWER, frozenset())
    return GoldOutcome(seen.issuperset(item.answers), join, next(readings, frozenset()))


def gold_model(kg: KGStore, items: Sequence[Item]) -> ScriptedChatModel:
    """A model that segments by the gold path, selects the gold relation and picks a gold answer."""
    by_text = {item.text: item for item in items}
    relations = {kg.relation_label(r): r for r in kg.relation_ids()}

    def reply(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        node = str(kwargs["node"]).partition("[")[0]
        if node == "select_relations":  # a gold sub-sentence is its relation's name
            return _last_line(messages, relations)
        item = by_text[_last_line(messages, by_text)]
        if node == "reason":
            return min(item.answers)
        return "\n".join(
            f"{i}. {kg.relation_label(s.relations[0])} | "
            + " ; ".join(kg.display(e.entity) if e.entity else f"?{e.variable}" for e in s.ends)
            for i, s in enumerate(gold_sub_sentences(item), 1)
        )

    return ScriptedChatModel(responses=reply, name_=GOLD, price=FREE)


def _last_line(messages: Sequence[BaseMessage], known: Container[str]) -> str:
    """The last line of a prompt that is one of the known texts, alone or after a colon; raises KeyError without one."""
    for line in reversed("\n".join(m.text for m in messages).splitlines()):
        for text in (line, line.partition(": ")[2]):
            if text in known:
                return text
    raise KeyError("no known text in the prompt")


def gold_chat(task: Mapping[str, Any]) -> ScriptedChatModel:
    """``gold_model`` for a run with these arguments of ``triplewise_eval``; its tokens are words.

    Raises ConfigError where the items have no gold paths, or the prompts are not those of kg-gpt's default preset.
    """
    data = load_dataset(task["dataset"], task["folder"], task.get("split", "dev"), task.get("limit"))
    if not all(item.task == "ask" and item.path and item.entities for item in data.items):
        raise ConfigError(
            f"the model {GOLD!r} needs gold relation paths.", "metaqa-1, metaqa-2 and metaqa-3 have them."
        )
    asked = task.get("method", "kg-gpt"), task.get("preset", "default")
    if asked != ("kg-gpt", "default"):
        raise ConfigError(f"the model {GOLD!r} answers kg-gpt's default prompts, not {' '.join(asked)}.")
    return gold_model(store_of(data, task.get("graph"), task.get("type_relations")), data.items)
