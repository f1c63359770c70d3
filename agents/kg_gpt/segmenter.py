"""KG-GPT's first stage: split a sentence into sub-sentences, one triple each (section 2.1, Table 4).

Two reply forms are read alike. The compact one names both ends of each sub-sentence and marks
unknowns with a question mark, shared by all sub-sentences that mean the same thing::

    1. She was written by a writer. | She ; ?writer
    2. The writer wrote films. | ?film ; ?writer
    3. The films were directed by someone. | ?film ; ?answer

The paper's form reads ``1. (sentence), Entity set: ['She' ## 'writer']``. In the short form, "Not: " before a
sub-sentence says that the claim denies it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from triplewise.agents.answers import fold_name
from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.few_shot import STYLES, shown_examples
from triplewise.agents.node import Node, node
from triplewise.agents.state import ANSWER, AskState, SubSentence
from triplewise.agents.style import suited
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import KGStore
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.prompts.reply_tokens import DENIED
from triplewise.prompts.template import load_prompt
from triplewise.tools.retrieval.pattern_join import Term

_NO_NAMES = STOP_WORDS | COMMON_WORDS | {"someone", "somebody", "something", "anyone", "anybody", "anything", "nobody"}
"""What may begin a sentence and is no name."""
MAX_SUB_SENTENCES = 6
MAX_LINE, MAX_ENDS, MAX_BARS = 2_000, 16, 16
"""Characters of a line, ends named on it and bars in it beyond which it is no sub-sentence."""
_LINE = re.compile(r"^\W*(\d+)\s*[.):]\s*(.+)$")
_PAPER_ENDS = re.compile(r"[,.]?\s*Entity set:\s*\[(.*)\]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SegmenterOptions:
    """How the model is asked."""

    style: str = "compact"
    """"compact", "paper", or "short" (no examples, for trained models)."""
    shots: int = 12
    """Worked examples in the prompt, 0 to 12."""
    hops: int = 0
    """The hop count of the questions, which the paper's examples are of; 0 where it is not known."""


TRAINED = SegmenterOptions(style="short", shots=0)
"""The options for models that were trained for this node."""


def _is_offered(part: str, names: dict[str, str]) -> str | None:
    return names.get(fold_name(part.replace("_", " ")))


def _end(kg: KGStore, part: str, names: dict[str, str]) -> Term:
    """What a name in a reply stands for: an offered entity, else a variable; never another entity."""
    entity = _is_offered(part, names)
    if entity is not None and not part.strip().startswith("?"):
        return Term(entity=entity)
    word = fold_name(part.strip().lstrip("?").replace("_", " "))
    for article in ("a ", "an ", "the ", "some "):
        word = word.removeprefix(article)
    if not word:
        raise ReplyError("A sub-sentence has an end without a name.")
    return Term(variable=word, type="" if word == ANSWER else kg.find_type(word) or "")


def _split_ends(text: str, separator: str, names: dict[str, str]) -> list[str]:
    """Split at the separator, but not inside a name that was offered."""
    parts = text.split(separator)
    longest = 1 + max((name.count(separator) for name in names), default=0)
    merged: list[str] = []
    at = 0
    while at < len(parts) and len(merged) <= MAX_ENDS:
        for size in range(min(longest, len(parts) - at), 0, -1):
            candidate = separator.join(parts[at : at + size])
            if size == 1 or _is_offered(candidate, names):
                merged.append(candidate)
                at += size
                break
    return [p for p in merged if p.strip().strip("?'\"")]


def _split_at_bar(body: str, names: dict[str, str]) -> tuple[str, list[str]]:
    """(sentence, ends); where several bars stand, the one after which an offered name begins or ends."""
    bars = [i for i, c in enumerate(body) if c == "|"][:MAX_BARS]
    splits = [(body[:i], _split_ends(body[i + 1 :], ";", names)) for i in bars]
    known = (split for split in splits if any(_is_offered(part, names) for part in split[1]))
    return next(known, splits[-1])


def parse_segments(kg: KGStore, reply: str, entities: Sequence[str], task: str) -> tuple[SubSentence, ...]:
    """Read a reply in either form; lines of other shape (preambles, fences) are passed over.

    Raises ReplyError where no line can be used, no offered entity occurs, or a question's unknown
    is missing. A name that was not offered becomes a variable, never an entity.
    """
    names = {fold_name(name.replace("_", " ")): e for e in entities for name in (kg.label(e), e, kg.display(e))}
    found: list[SubSentence] = []
    for line in reply.splitlines():
        if len(line) > MAX_LINE:
            continue
        match = _LINE.match(line.strip())
        body = match.group(2) if match else line.strip()
        if paper := _PAPER_ENDS.search(body):
            text, parts = body[: paper.start()], _split_ends(paper.group(1), "##", names)
        elif "|" in body and match:
            text, parts = _split_at_bar(body, names)
        else:
            continue
        if not 1 <= len(parts) <= 2 or not text.strip():
            continue
        text, denied = text.strip(), text.strip().startswith(DENIED)
        ends = tuple(_end(kg, p, names) for p in parts)
        found.append(SubSentence(text.removeprefix(DENIED), ends, denied=denied))
    if not found:
        raise ReplyError("No line had the form 'number. sentence | end ; end'.")
    if entities and not any(end.entity for sub in found for end in sub.ends):
        raise ReplyError("None of the sub-sentences names one of the given entities.")
    found = found[:MAX_SUB_SENTENCES]
    return _with_answer(found) if task == "ask" else _between_two(_with_unknown(found), entities)


def _with_unknown(found: list[SubSentence]) -> list[SubSentence]:
    """A claim's variable that is written as a name ("Zorro lives in Paris") is one that the graph does not have."""
    named = {e.variable for s in found for e in s.ends if e.variable and _is_name(e.variable, s.text)}
    return [replace(s, ends=tuple(replace(e, unknown=e.variable in named) for e in s.ends)) for s in found]


def _is_name(variable: str, text: str) -> bool:
    """Whether all words of a variable stand in the text one after the other and capitalised, no article before them."""
    words = [re.escape(word) for word in variable.split()]
    match = re.search(r"(?:\b(a|an|the)\s+)?\b(" + r"\W+".join(words) + r")\b", text, re.IGNORECASE)
    if match is None or match.group(1) or not all(w[:1].isupper() for w in re.findall(r"\w+", match.group(2))):
        return False
    return len(words) > 1 or match.start() > 0 or variable not in _NO_NAMES


def _between_two(found: list[SubSentence], entities: Sequence[str]) -> tuple[SubSentence, ...]:
    """A part of a claim with one entity at both ends is between it and the only one that no part names."""
    unnamed = set(entities) - {end.entity for sub in found for end in sub.ends}
    other = Term(entity=unnamed.pop()) if len(unnamed) == 1 else None
    return tuple(
        replace(sub, ends=(sub.ends[0], other)) if other and sub.ends[0] in sub.ends[1:] and sub.ends[0].entity else sub
        for sub in found
    )


def _with_answer(found: list[SubSentence]) -> tuple[SubSentence, ...]:
    """A question's unknown is ?answer; else the last that occurs in one sub-sentence only, or the only one."""
    if any(end.variable == ANSWER for sub in found for end in sub.ends):
        return tuple(found)
    counts: dict[str, int] = {}
    for sub in found:
        for end in sub.ends:
            if end.variable:
                counts[end.variable] = counts.get(end.variable, 0) + 1
    for name in reversed(counts):
        if counts[name] == 1 or len(counts) == 1:
            break
    else:
        raise ReplyError("No sub-sentence has ?answer as one of its ends.")

    def rename(end: Term) -> Term:
        return Term(variable=ANSWER, type=end.type) if end.variable == name else end

    return tuple(replace(s, ends=tuple(map(rename, s.ends))) for s in found)


def whole_sentence(question: str, entities: Sequence[str], task: str) -> tuple[SubSentence, ...]:
    """The fallback: one sub-sentence between the first entity and the answer, or between two entities."""
    ends = [Term(entity=e) for e in entities[: 1 if task == "ask" else 2]]
    if len(ends) < 2:
        ends.append(Term(variable=ANSWER if task == "ask" else "something"))
    return (SubSentence(question, tuple(ends)),)


def segment_grammar(names: Sequence[str]) -> str:
    """GBNF of the compact form: at most six numbered lines over these names and ?variables."""
    from triplewise.backends.llama.gbnf import literal

    rules = ["root ::= line1"]
    for i in range(1, MAX_SUB_SENTENCES + 1):
        more = f' ("\\n" line{i + 1})?' if i < MAX_SUB_SENTENCES else ""
        rules.append(f'line{i} ::= "{i}. " sentence " | " end (" ; " end)?{more}')
    rules.append("end ::= " + " | ".join([*(literal(n) for n in names), "variable"]))
    rules.append('variable ::= "?" [a-z] [a-z_]{0,20}')
    rules.append("sentence ::= [^|\\n]{3,160}")
    return "\n".join(rules) + "\n"


def _names(kg: KGStore, question: str, entities: Sequence[str]) -> list[str]:
    """Names for the prompt: the bare label, unless the question says the longer one or two would be the same."""
    labels, displays = [kg.label(e) for e in entities], [kg.display(e) for e in entities]
    return [
        display if display in question or labels.count(label) > 1 else label
        for label, display in zip(labels, displays, strict=True)
    ]


def make_segmenter(given: SegmenterOptions | None = None) -> Node[AskState, AskState]:
    """The segmenter node: question, entities → sub_sentences.

    Without options the model is asked in the style that suits it.
    """

    @node
    async def segment(state: AskState, context: NodeContext) -> AskState:
        options = suited(given, context.model, SegmenterOptions(), TRAINED)
        kg = context.kg
        question, entities, task = state["question"], state.get("entities", ()), state.get("task", "ask")
        names = _names(kg, question, entities)
        paper = options.style == "paper"
        prompt = load_prompt(f"kg_gpt/segment_{task}{STYLES[options.style]}")
        messages = prompt.render(
            **shown_examples("segment", task, options.style, options.shots, options.hops),
            sentence=question,
            entities=("[" + " ## ".join(repr(n) for n in names) + "]") if paper else " ; ".join(names) or "none",
        )
        reply = ReplyFormat(
            parse=lambda text: parse_segments(kg, text, entities, task),
            grammar=None if paper else lambda: segment_grammar(names),
            fallback=lambda: whole_sentence(question, entities, task),
            fallback_note="The whole sentence is taken as one sub-sentence.",
            max_tokens=400,
        )
        called = await call_model(context.model, messages, reply, node="segment")
        called.step.detail["sub_sentences"] = [
            {
                "text": s.text,
                "ends": [kg.display(e.entity) if e.entity else f"?{e.variable}" for e in s.ends],
                **({"denied": True} if s.denied else {}),
            }
            for s in called.value
        ]
        return {"sub_sentences": called.value, "steps": [called.step]}

    return segment
