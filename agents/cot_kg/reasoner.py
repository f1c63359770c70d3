"""The reasoner of Retrieval and Reasoning on KGs: answers from retrieved hints, as a list (Prompt 2).

Only names that stand in the hints can be answers. Each answer is cited with the retrieved triples that
lead from a topic entity to it, else with those that name it; an answer that no retrieved triple names
is dropped and counted. Without hints the model is not asked.

``grounded`` False is the paper's: hints help where there are any, and whatever the model lists is an answer, without
citations where no hint names it. Prompt 2 without its hints is the paper's baseline of the model alone.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from triplewise.agents.answers import answer_text, fold_name, parse_answer
from triplewise.agents.context import NodeContext
from triplewise.agents.cot_kg.few_shot import reason_demonstrations
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState
from triplewise.agents.style import suited
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import KGStore
from triplewise.prompts.reply_tokens import ABSTAIN, APART
from triplewise.prompts.template import load_prompt
from triplewise.types import Answer, Evidence, Step

_OUTPUT = re.compile(r"^\W*(?:final\s+)?(?:output|answers?)\W*:", re.IGNORECASE | re.MULTILINE)
MAX_ANSWERS = 60
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class HintReasonerOptions:
    """How the model is asked."""

    style: str = "full"
    """"full", or "short" (no demonstrations, for trained models)."""
    shots: int = 3
    """Demonstrations in the prompt, 0 to 3."""
    knowledge: str = "yaml"
    """The format of the demonstrations' hints, a style of ``tools.text.knowledge_format``."""
    grounded: bool = True
    """Only what stands in the hints is an answer; False: as the paper has it, whatever the model lists."""


TRAINED = HintReasonerOptions(style="short", shots=0)
"""The options for models that were trained for this node."""


def parse_output(reply: str, names: dict[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """(entity ids of the reply's list, named things that are not in the hints).

    The list is what follows the last "Output:", JSON or not; () where it is empty or says "not enough
    evidence". Raises ReplyError where there is no list, or nothing on it stands in the hints.
    """
    text = reply.strip().strip("`").strip()
    headings = list(_OUTPUT.finditer(text))
    output = text[headings[-1].end() :].strip() if headings else text
    if re.match(r"\[\s*\]|\(?none\)?\W*$", output, re.IGNORECASE):
        return (), []
    try:
        listed = [str(x) for x in json.loads(output[: output.rindex("]") + 1])]
    except (ValueError, TypeError, RecursionError):
        if not output:
            raise ReplyError('It has no answers: end with a line such as Output: ["name", "name"].') from None
        return parse_answer(output.strip("[]"), names), []
    found: list[str] = []
    unknown: list[str] = []
    for name in listed:
        try:
            found += parse_answer(name, names)[:1]
        except ReplyError:
            unknown.append(name)
    if listed and not found and not any(ABSTAIN in name.casefold() for name in listed):
        raise ReplyError("None of the names on its list stands in the hints.")
    return tuple(dict.fromkeys(found)), unknown


def parse_list(reply: str) -> tuple[str, ...]:
    """The names on the reply's list, JSON or by commas, after the last "Output:"; () where it is empty.

    Raises ReplyError where there is no list.
    """
    text = reply.strip().strip("`").strip()
    headings = list(_OUTPUT.finditer(text))
    if not headings:
        raise ReplyError('It has no answers: end with a line such as Output: ["name", "name"].')
    output = text[headings[-1].end() :].strip()
    try:
        listed = [str(x) for x in json.loads(output[: output.rindex("]") + 1])]
    except (ValueError, TypeError, RecursionError):
        body = output.partition("\n\n")[0].strip(" []*`")
        listed = re.split(r"['\"]\s*,\s*['\"]" if body[:1] in ("'", '"') else r",|\n|;", body)
    names = (" ".join(name.split()).strip(" '\"`.*[]")[:_LONGEST] for name in listed)
    found = (name for name in names if name and name.casefold() != "none" and ABSTAIN not in name.casefold())
    return tuple(dict.fromkeys(found))[:MAX_ANSWERS]


def output_grammar(names: Sequence[str], *, short: bool) -> str:
    """GBNF: reasoning and a JSON list of these names, or in the short style the names alone."""
    from triplewise.backends.llama.gbnf import choice, literal

    most = min(MAX_ANSWERS, len(names))
    if short:
        more = f"({literal(APART)} name){{0,{most - 1}}}"
        return f"root ::= {literal(ABSTAIN)} | name {more}\nname ::= {choice(names)}\n"
    quoted = choice(json.dumps(name, ensure_ascii=False) for name in names)
    return (
        f'root ::= sentence{{1,8}} "\\nOutput: [" (name (", " name){{0,{most - 1}}})? "]"\n'
        f'sentence ::= [^\\n.]{{2,150}} ". "?\nname ::= {quoted}\n'
    )


def proof(evidence: Sequence[Evidence], topics: Sequence[str], answer: str) -> tuple[int, ...]:
    """Indices of the shortest chain of evidence from a topic entity to the answer, else of what names it."""
    at: dict[str, list[int]] = {}
    for i, e in enumerate(evidence):
        for end in {e.triple.head, e.triple.tail}:
            at.setdefault(end, []).append(i)
    came: dict[str, int | None] = dict.fromkeys(t for t in topics if t in at)
    queue = deque(came)
    while queue and answer not in came:
        here = queue.popleft()
        for i in at[here]:
            head, _, tail = evidence[i].triple
            other = tail if head == here else head
            if other not in came:
                came[other] = i
                queue.append(other)
    if came.get(answer) is None:
        return tuple(at.get(answer, ()))
    chain: list[int] = []
    while (i := came[answer]) is not None:
        chain.append(i)
        head, _, tail = evidence[i].triple
        answer = tail if head == answer else head
    return tuple(reversed(chain))


def make_hint_reasoner(given: HintReasonerOptions | None = None) -> Node[AskState, AskState]:
    """The reasoner node: question, knowledge, evidence → answers with citations.

    Without options the model is asked in the style that suits it.
    """

    @node
    async def reason(state: AskState, context: NodeContext) -> AskState:
        kg, options = context.kg, suited(given, context.model, HintReasonerOptions(), TRAINED)
        evidence: Sequence[Evidence] = state.get("evidence", ())
        topics: Sequence[str] = state.get("entities", ())
        if not options.grounded:
            return await _by_the_model_s_word(context, state, options)
        if not evidence:
            step = Step("reason", "skipped", "Nothing was retrieved.")
            return {"answers": (), "citations": (), "text": answer_text(()), "reason": step.note, "steps": [step]}
        order = dict.fromkeys(end for e in evidence for end in (e.triple.head, e.triple.tail))
        names = {kg.display(e): e for e in [*(e for e in order if e not in topics), *(e for e in order if e in topics)]}
        short = options.style == "short"
        messages = load_prompt(f"cot_kg/reason{'_short' if short else ''}").render(
            question=state["question"],
            knowledge=state["knowledge"],
            **({} if short else {"examples": reason_demonstrations(options.shots, options.knowledge)}),
        )
        called = await call_model(
            context.model,
            messages,
            ReplyFormat(
                parse=lambda text: parse_output(text, names),
                grammar=lambda: output_grammar(list(names), short=short),
                fallback=lambda: ((), []),
                fallback_note="No answer is given.",
                max_tokens=512,
            ),
            node="reason",
            detail={"candidates": len(names), "triples_shown": len(evidence)},
        )
        found, unknown = called.value
        called.step.detail["not_in_hints"] = unknown
        answers = tuple(Answer(e, kg.display(e), proof(evidence, topics, e)) for e in found)
        return {
            "answers": answers,
            "citations": tuple(dict.fromkeys(i for a in answers for i in a.citations)),
            "text": answer_text(answers),
            "reason": "" if short else _reasoning(called.step.reply),
            "steps": [called.step],
            "warnings": [f"{len(unknown)} names that are not in the hints were dropped."] if unknown else [],
        }

    return reason


async def _by_the_model_s_word(context: NodeContext, state: AskState, options: HintReasonerOptions) -> AskState:
    """The paper's reasoner: the question, hints where there are any, and all that the model lists."""
    kg, evidence, topics = context.kg, state.get("evidence", ()), state.get("entities", ())
    hints = {"knowledge": state.get("knowledge", "")} if evidence else {}
    called = await call_model(
        context.model,
        load_prompt(f"cot_kg/reason_{'paper' if evidence else 'alone'}").render(
            question=state["question"],
            examples=reason_demonstrations(options.shots, options.knowledge if evidence else ""),
            **hints,
        ),
        ReplyFormat(parse=parse_list, fallback=tuple[str, ...], fallback_note="No answer is given.", max_tokens=512),
        node="reason",
        detail={"triples_shown": len(evidence)},
    )
    near = {fold_name(kg.display(end)): end for e in evidence for end in (e.triple.head, e.triple.tail)}
    answers = dict[str, Answer]()
    for name in called.value:
        entity = near.get(fold_name(name)) or _called(kg, name)
        shown = proof(evidence, topics, entity) if entity else ()
        answers.setdefault(entity or name, Answer(entity or name, kg.display(entity) if entity else name, shown))
    found = tuple(answers.values())
    bare = sum(not answer.citations for answer in found)
    return {
        "answers": found,
        "citations": tuple(dict.fromkeys(i for a in found for i in a.citations)),
        "text": answer_text(found),
        "reason": _reasoning(called.step.reply),
        "steps": [called.step],
        "warnings": [f"{bare} answers stand in no hint: they are the model's word."] if bare else [],
    }


def _called(kg: KGStore, name: str) -> str | None:
    """The thing of the graph that is called exactly so, if there is one."""
    hit = next((h for h in kg.search(name, 1) if h.score == 1.0), None)
    return hit.id if hit else None


def _reasoning(reply: str) -> str:
    """What the model wrote before its list."""
    text = reply.rpartition("\n---\n")[2]
    headings = list(_OUTPUT.finditer(text))
    return " ".join(text[: headings[-1].start()].split())[:500] if headings else ""
