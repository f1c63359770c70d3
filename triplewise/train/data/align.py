"""Text self-alignment (KICGPT, section 3.4): a model reads each relation's examples and writes its sentence.

The examples are the ordered analogy pool of training and validation triples, never the test part's. The
sentences land in a file that a person can edit: an edited line is kept, an interrupted run goes on where
it stopped, and a relation that only has the rule-based reading is asked for again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from triplewise.backends.calling import ParsedReply, ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import KGStore
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.entity_text import EntityTexts
from triplewise.tools.text.relation_text import (
    AlignedSentence,
    check_sentence,
    raw_words,
    read_alignment,
    rule_reading,
    write_alignment,
)
from triplewise.types import Step, Triple, Usage

_MARKER = re.compile(r"[\[({<]\s*(?:(h)(?:ead)?|(t)(?:ail)?)\s*[\])}>]", re.I)
_GRAMMAR = """root ::= text "[H]" text "[T]" text "." | text "[T]" text "[H]" text "."
text ::= [a-zA-Z0-9 ,'-]{0,60}
"""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The outcome: relation → sentence as in the file, which were asked for now, and what it cost."""

    sentences: dict[str, AlignedSentence]
    asked: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def usage(self) -> Usage:
        """The cost of this run."""
        return sum((s.usage for s in self.steps), Usage())

    @property
    def fallbacks(self) -> int:
        """Relations whose replies could not be used; they have the rule-based reading."""
        return sum(s.status == "fallback" for s in self.steps)


def parse_sentence(reply: str) -> str:
    """The sentence with [H] and [T] in a reply; raises ReplyError saying what is missing.

    Other ways to write the markers ([h], {Tail}, <head>) are put right; capital letters in the text
    are left alone.
    """
    problem = "it is empty"
    for line in re.sub(r"<think>.*?(?:</think>|\Z)", "", reply[:20_000], flags=re.S).splitlines():
        text = line.strip(' \t-`*"“”')
        if not text:
            continue
        text = _MARKER.sub(lambda m: "[H]" if m.group(1) else "[T]", " ".join(text.split()))
        text = re.sub(r"^(?:sentence|answer|relation)\s*:\s*", "", text, flags=re.I)
        problem = check_sentence(text)
        if not problem and re.search(r"\w", text.replace("[H]", "").replace("[T]", "")):
            return text
    raise ReplyError(f"The sentence cannot be used: {problem or 'it says nothing between the markers'}.")


async def align_relation(
    kg: KGStore, relation: str, examples: Sequence[Triple], model: BaseChatModel
) -> ParsedReply[AlignedSentence]:
    """Ask for one relation's sentence; after two unusable replies the rule-based reading is taken."""
    names = EntityTexts(kg, "none")
    reading = rule_reading(relation, kg.relation_label(relation))
    messages = load_prompt("kicgpt/align").render(
        relation=raw_words(relation) if relation.startswith(("/", "_")) else kg.relation_label(relation),
        reading=reading,
        examples="\n".join(f"- [H] {names.name(t.head)} | [T] {names.name(t.tail)}" for t in examples),
    )
    reply = ReplyFormat(
        parse=lambda text: AlignedSentence(parse_sentence(text), "model"),
        grammar=_GRAMMAR,
        fallback=lambda: AlignedSentence(reading, "rule"),
        fallback_note="The rule-based reading is taken.",
        max_tokens=120,
    )
    return await call_model(model, messages, reply, node=f"align[{relation}]", detail={"relation": relation})


async def align(
    kg: KGStore,
    analogies: Callable[[str, int], Sequence[Triple]],
    model: BaseChatModel,
    path: str | Path,
    *,
    relations: Sequence[str] | None = None,
    examples: int = 20,
    at_once: int = 8,
    on_relation: Callable[[str, AlignedSentence], None] | None = None,
) -> Alignment:
    """Complete the alignment file at ``path`` for all relations of the graph, or for those given.

    ``analogies`` gives the first n of a relation's ordered pool L_a; a relation that only has values (no pool of
    entities) is shown with the graph's first triples. Relations that the file has are kept, unless their
    line is the untouched rule-based reading of an earlier run. The file is written after every relation.
    Raises GraphFileError where a line of the file cannot be used.
    """
    path = Path(path)
    found = read_alignment(path) if path.exists() else {}
    wanted = list(kg.relation_ids() if relations is None else relations)
    readings = {r: rule_reading(r, kg.relation_label(r)) for r in wanted}
    missing = [r for r in wanted if r not in found or found[r] == AlignedSentence(readings[r], "rule")]
    gate, steps = asyncio.Semaphore(at_once), list[Step]()

    async def one(relation: str) -> None:
        async with gate:
            shown = analogies(relation, examples) or list(islice(kg.triples(relation=relation), examples))
            called = await align_relation(kg, relation, shown, model)
        found[relation] = called.value
        steps.append(called.step)
        write_alignment(path, _in_order(found, wanted))
        if on_relation:
            on_relation(relation, called.value)

    tasks = [asyncio.create_task(one(r)) for r in missing]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
    return Alignment(_in_order(found, wanted), tuple(missing), tuple(steps))


def align_by_rules(
    kg: KGStore, path: str | Path, *, relations: Sequence[str] | None = None
) -> dict[str, AlignedSentence]:
    """Write the rule-based reading of each relation that the file does not have yet, for a person to edit."""
    path = Path(path)
    found = read_alignment(path) if path.exists() else {}
    wanted = list(kg.relation_ids() if relations is None else relations)
    for relation in wanted:
        reading = rule_reading(relation, kg.relation_label(relation))
        found.setdefault(relation, AlignedSentence(reading, "rule"))
    found = _in_order(found, wanted)
    write_alignment(path, found)
    return found


def _in_order(found: dict[str, AlignedSentence], wanted: Sequence[str]) -> dict[str, AlignedSentence]:
    """The graph's order first, then lines of relations that it no longer has."""
    return {r: found[r] for r in dict.fromkeys([*wanted, *found]) if r in found}
