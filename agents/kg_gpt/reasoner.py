"""KG-GPT's third stage: infer an answer or a verdict from the evidence graph (section 2.3, Table 6).

The model only picks: an answer among the entities of the evidence, a verdict with the numbers of the
triples it rests on. In the default preset the whole answer set is then read from the executed join:
all entities that the same relations reach as the best answer, each with the triples that prove it.
Without evidence the model is not asked, and the result says so; in the paper's form it is asked for a verdict all
the same, with an empty evidence set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from triplewise.agents.answers import answer_text, parse_answer
from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.evidence_retriever import match_of, refuting_triples
from triplewise.agents.kg_gpt.few_shot import STYLES, shown_examples
from triplewise.agents.node import Node, node
from triplewise.agents.state import ANSWER, AskState, SubSentence
from triplewise.agents.style import suited
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import KGStore
from triplewise.kg.names import name_line, triple_line
from triplewise.prompts.reply_tokens import ABSTAIN
from triplewise.prompts.template import load_prompt
from triplewise.tools.retrieval.pattern_join import Match, connected_components
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.types import Answer, Evidence, Step, Triple, Verdict

_VERDICTS: dict[str, Verdict] = {
    "supported": "supported", "true": "supported", "refuted": "refuted", "false": "refuted",
    "not supported": "refuted", ABSTAIN: "not_enough_evidence",
}  # fmt: skip
UNSAID = "The graph does not say so, and what it does not say counts as false here."


@dataclass(frozen=True, slots=True)
class ReasonerOptions:
    """How the evidence is put before the model, and what is read from it."""

    style: str = "compact"
    """"compact", "paper", or "short": answers and verdicts are read from the executed join, without a model call."""
    shots: int = 12
    """Worked examples in the prompt, 0 to 12."""
    hops: int = 0
    """The hop count of the questions, which the paper's examples are of; 0 where it is not known."""
    prompt_triples: int = 100
    """Most triples that the model is shown."""
    knowledge: str = "triples"
    """How they are written: "triples" or "yaml"."""
    expand: bool = True
    """Read all answers from the executed join that the relations of the picked one reach."""
    closed_world: bool = False
    """What the graph does not say counts as false, as in FactKG, instead of leaving a claim open."""

    @property
    def binary(self) -> bool:
        """Whether the verdict is True or False only."""
        return self.style == "paper"


TRAINED = ReasonerOptions(style="short", shots=0, prompt_triples=20)
"""The options for models that were trained for this node."""


def parse_verdict(reply: str, triples: int, *, binary: bool = False) -> tuple[Verdict, tuple[int, ...], str]:
    """(verdict, 0-based citations, reason) of a reply in the compact or, where ``binary``, the paper's form.

    Raises ReplyError where no verdict is found, or a verdict cites nothing that was retrieved.
    """
    text = reply.strip().strip("`")
    words = "true|false|not supported|supported|refuted"
    match = re.search(rf"\b({words if binary else f'{ABSTAIN}|{words}'})\b", text, re.I)
    if not match and binary:
        raise ReplyError("It says neither True nor False.")
    if not match:
        raise ReplyError("It has no line 'Verdict: supported', 'refuted' or 'not enough evidence'.")
    verdict = _VERDICTS[match.group(1).lower()]
    used = re.search(r"triples used\s*:\s*([^\n]*)", text, re.I)
    cited = [int(n) - 1 for n in re.findall(r"(?<!\d)\d{1,6}(?!\d)", used.group(1))] if used else []
    citations = tuple(dict.fromkeys(i for i in cited if 0 <= i < triples))
    reason = re.search(r"reason\s*:\s*([^\n]+)", text, re.I)
    words = reason.group(1) if reason else text[match.end() :].lstrip(" ,.:-").partition("\n")[0]
    if verdict != "not_enough_evidence" and used and not citations:
        raise ReplyError(f"The line 'Triples used:' must give numbers from 1 to {triples}.")
    return verdict, citations if verdict != "not_enough_evidence" else (), words.strip()


def triples_for_prompt(match: Match | None, evidence: Sequence[Evidence], limit: int) -> list[Triple]:
    """At most ``limit`` triples; where there are more, whole proofs of as many answers as fit."""
    triples = [e.triple for e in evidence]
    if len(triples) <= limit or match is None:
        return triples[:limit]
    chosen: dict[Triple, None] = {}
    for answer in sorted(match.bindings.get(ANSWER, ())):
        if len(chosen) >= limit:
            break
        chosen |= dict.fromkeys(match.proof(ANSWER, answer))
    return list(dict.fromkeys([*chosen, *triples]))[:limit]


def answers_of(
    kg: KGStore, match: Match, picked: Sequence[str], evidence: list[Evidence], *, expand: bool
) -> tuple[Answer, ...]:
    """The picked answers and, if ``expand``, all that the same relations reach; each with its proof.

    A proof's triple that is not in ``evidence`` yet is appended to it. What fits each part of the question but not
    all of them at once (a ring of parts) has no proof and is no answer.
    """
    chosen, proofs = list(picked), match
    if expand:
        parts = (part for _, part in match.readings() if picked[0] in part.bindings.get(ANSWER, ()))
        proofs = next(parts, match)
        chosen += proofs.values(ANSWER)
    index = {e.triple: i for i, e in enumerate(evidence)}
    answers = []
    for entity in dict.fromkeys(chosen):
        if entity in proofs.bindings.get(ANSWER, ()) and not proofs.unmatched:
            if not (proof := proofs.proof(ANSWER, entity)):
                continue
        else:
            proof = [e.triple for e in evidence if entity in (e.triple.head, e.triple.tail)]
        for triple in proof:
            if triple not in index:
                index[triple] = len(evidence)
                evidence.append(Evidence(triple, origin="matched"))
        answers.append(Answer(entity, kg.display(entity), tuple(index[t] for t in proof)))
    return tuple(answers)


def _cited(parts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(i for part in parts for i in part))


def _skipped(note: str, text: str, task: str) -> AskState:
    verdict: Verdict | None = "not_enough_evidence" if task == "verify" else None
    return {
        "answers": (), "citations": (), "text": text, "verdict": verdict, "reason": note,
        "steps": [Step("reason", "skipped", note)], "warnings": [],
    }  # fmt: skip


def make_reasoner(options: ReasonerOptions | None = None) -> Node[AskState, AskState]:
    """The reasoner node: sub_sentences, evidence → answers, or verdict and reason, with citations.

    Without options the model is asked in the style that suits it.
    """

    @node
    async def reason(state: AskState, context: NodeContext) -> AskState:
        chosen = suited(options, context.model, ReasonerOptions(), TRAINED)
        if state.get("task", "ask") == "verify":
            return await _verify(state, context, chosen)
        return await _answer(state, context, chosen)

    return reason


async def _answer(state: AskState, context: NodeContext, options: ReasonerOptions) -> AskState:
    kg = context.kg
    match = match_of(kg, state)
    evidence = list(state.get("evidence", ()))
    named = {e for e in state.get("entities", ())}
    if match.unmatched and options.expand:
        parts = "; ".join(state["sub_sentences"][i].text for i in match.unmatched)
        return _skipped(f"No triple of the graph matches: {parts}", answer_text(()), "ask")
    if options.style == "short":
        return _read_from_join(kg, match, evidence)
    candidates = match.bindings.get(ANSWER, frozenset()) if options.expand else ()
    shown = triples_for_prompt(match, evidence, options.prompt_triples)
    ids = candidates or {e for t in shown for e in (t.head, t.tail) if e not in named}
    if not shown or not ids:
        return _skipped("The evidence is empty.", answer_text(()), "ask")
    names = {kg.display(e): e for e in sorted(ids)}
    called = await call_model(
        context.model,
        _messages("answer", state["question"], kg, shown, options),
        _answer_format(names, options),
        node="reason",
        detail={"candidates": len(names), "triples_shown": len(shown)},
    )
    warnings = []
    if len(shown) < len(evidence):
        warnings.append(f"The model was shown {len(shown)} of {len(evidence)} evidence triples.")
    if not called.value:
        return {
            "answers": (), "citations": (), "text": answer_text(()), "steps": [called.step], "warnings": warnings,
        }  # fmt: skip
    answers = answers_of(kg, match, called.value, evidence, expand=options.expand)
    return {
        "answers": answers, "evidence": tuple(evidence), "citations": _cited(a.citations for a in answers),
        "text": answer_text(answers), "steps": [called.step], "warnings": warnings,
    }  # fmt: skip


def _read_from_join(kg: KGStore, match: Match, evidence: list[Evidence]) -> AskState:
    """The short style's answers: the best-ranked reading of the executed join, without a model call."""
    readings = (answers_of(kg, m, m.values(ANSWER), evidence, expand=False) for _, m in match.readings())
    answers = next((found for found in readings if found), ())
    if not answers:
        return _skipped("The parts of the question hold one by one, but not together.", answer_text(()), "ask")
    step = Step("reason", "skipped", "The answers are read from the executed join.")
    return {
        "answers": answers, "evidence": tuple(evidence), "citations": _cited(a.citations for a in answers),
        "text": answer_text(answers), "steps": [step],
    }  # fmt: skip


def _answer_format(names: dict[str, str], options: ReasonerOptions) -> ReplyFormat[tuple[str, ...]]:
    from triplewise.backends.llama.gbnf import choice

    return ReplyFormat(
        parse=lambda text: parse_answer(text, names),
        grammar=None if options.style == "paper" else lambda: f"root ::= {choice([*names, ABSTAIN])}\n",
        fallback=tuple,
        fallback_note="No answer is given.",
        max_tokens=300,
    )


async def _verify(state: AskState, context: NodeContext, options: ReasonerOptions) -> AskState:
    kg = context.kg
    evidence = tuple(state.get("evidence", ()))
    if options.style == "short" and (evidence or options.closed_world):
        return _verdict_from_join(kg, match_of(kg, state), state["sub_sentences"], evidence, options.closed_world)
    if not evidence and not options.binary:
        return _unsaid(options, "The graph holds no triple for any part of the claim.")
    shown = [e.triple for e in evidence[: options.prompt_triples]]
    called = await call_model(
        context.model,
        _messages("verify", state["question"], kg, shown, options),
        ReplyFormat(
            parse=lambda text: parse_verdict(text, len(shown), binary=options.binary),
            grammar=None if options.binary else lambda: verdict_grammar(len(shown)),
            fallback=lambda: ("not_enough_evidence", (), "The model's reply could not be read."),
            fallback_note="The verdict is 'not enough evidence'.",
            max_tokens=200,
        ),
        node="reason",
        detail={"triples_shown": len(shown)},
    )
    verdict, citations, why = called.value
    if verdict == "not_enough_evidence" and options.closed_world:
        return {**_unsaid(options, why), "steps": [called.step]}
    if verdict != "not_enough_evidence" and not citations:
        citations = tuple(range(len(shown)))  # the paper's form cites the whole evidence set
    words = {"supported": "Supported", "refuted": "Refuted", "not_enough_evidence": "Not enough evidence"}[verdict]
    warnings = []
    if len(shown) < len(evidence):
        warnings.append(f"The model was shown {len(shown)} of {len(evidence)} evidence triples.")
    return {
        "verdict": verdict, "reason": why, "citations": citations, "text": f"{words}. {why}".strip(),
        "steps": [called.step], "warnings": warnings,
    }  # fmt: skip


def _verdict_from_join(
    kg: KGStore, match: Match, subs: Sequence[SubSentence], evidence: tuple[Evidence, ...], closed_world: bool
) -> AskState:
    """The short style's verdict, without a model call: does each part hold in the graph, or not where it is denied?

    Parts that share an unknown hold or fail together. Where they fail, the graph must say something else there,
    else it is silent on them: one part that is wrong refutes the claim, one that it is silent on leaves it open. In a
    closed world what it is silent on has failed too.
    """
    missing, contrast = set(match.unmatched), [i for i, e in enumerate(evidence) if e.origin == "contrast"]
    fits, silent = True, False
    for component in connected_components(match.clauses):
        failed = missing & set(component)
        if failed and not closed_world and not any(refuting_triples(kg, match.clauses[i]) for i in failed):
            silent = True
        else:
            fits &= bool(failed) == any(subs[i].denied for i in component)
    if fits and silent:
        return _skipped("The graph is silent on a part of the claim.", "Not enough evidence.", "verify")
    verdict: Verdict = "supported" if fits else "refuted"
    matched = [i for i in range(len(evidence)) if i not in contrast]
    citations = tuple(contrast[:3] if contrast and not fits else [*matched[:10], *contrast[:3]])
    said = (evidence[i].triple for i in citations[:4])
    why = "; ".join(f"{kg.display(t.head)} – {kg.relation_label(t.relation)} – {kg.display(t.tail)}" for t in said)
    reason = f"The graph says: {why}." if why else UNSAID
    return {
        "verdict": verdict, "reason": reason, "citations": citations, "text": f"{verdict.capitalize()}. {reason}",
        "steps": [Step("reason", "skipped", "The verdict is read from the executed join.")],
    }  # fmt: skip


def _unsaid(options: ReasonerOptions, note: str) -> AskState:
    """What a claim comes to that nothing was found for."""
    if not options.closed_world:
        return _skipped(note, "Not enough evidence.", "verify")
    step = Step("reason", "skipped", note)
    return {"verdict": "refuted", "reason": UNSAID, "citations": (), "text": f"Refuted. {UNSAID}", "steps": [step]}


def verdict_grammar(triples: int) -> str:
    """GBNF of the compact verdict: a verdict, the numbers of its triples, one sentence."""
    numbers = " | ".join(f'"{i}"' for i in range(1, triples + 1))
    return (
        'root ::= (("supported" | "refuted") "\\nTriples used: " number (", " number){0,7}'
        ' | "not enough evidence\\nTriples used: none") "\\nReason: " [^\\n]{3,200}\n'
        f"number ::= {numbers}\n"
    )


def _messages(kind: str, sentence: str, kg: KGStore, shown: Sequence[Triple], options: ReasonerOptions) -> list[Any]:
    paper = options.style == "paper"
    if options.knowledge != "triples":
        triples = format_triples(kg, shown, style=options.knowledge)
    elif paper:
        rows = (f"[{kg.display(t.head)!r}, {name_line(t.relation)}, {kg.display(t.tail)!r}]" for t in shown)
        triples = f"[{', '.join(rows)}]"
    else:
        number = "{}. " if kind == "verify" else ""
        triples = "\n".join(
            number.format(i) + triple_line(kg.display(t.head), kg.relation_label(t.relation), kg.display(t.tail))
            for i, t in enumerate(shown, 1)
        )
    task = "verify" if kind == "verify" else "ask"
    return load_prompt(f"kg_gpt/{kind}{STYLES[options.style]}").render(
        **shown_examples("infer", task, options.style, options.shots, options.hops), sentence=sentence, triples=triples
    )
