"""KG-GPT's worked examples, rendered for each stage's prompt.

One record of ``prompts/kg_gpt/examples.yaml`` carries a sentence through all three stages, so that
segmentation, relation selection and inference always show the same twelve examples; 8 and 4 shots
are the first 8 and 4. For questions in the paper's form there are twelve of each hop count
(``examples_metaqa.yaml``), as the paper has one prompt per task; where the hops are not known, four of each.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from triplewise.errors import ConfigError
from triplewise.kg.names import relation_words
from triplewise.prompts.template import load_examples

STYLES = {"compact": "", "paper": "_paper", "short": "_short"}
"""Prompt style → suffix of its prompt files. Models trained on the nodes' skills take the short one."""


def example_records(task: str, style: str, hops: int = 0) -> list[dict[str, Any]]:
    """The twelve examples of a task; ``hops``: the hop count of the questions, 0 where it is not known."""
    if task == "verify" or style != "paper":
        return load_examples("kg_gpt")[task]
    by_hops = load_examples("kg_gpt", "examples_metaqa")
    if hops in by_hops:
        return by_hops[hops]
    return [record for same in zip(by_hops[1], by_hops[2], by_hops[3], strict=True) for record in same][:12]


@cache
def examples_text(stage: str, task: str, style: str, shots: int, hops: int = 0) -> str:
    """The examples of a stage ("segment", "select", "infer", "claim") as text, each followed by a blank line.

    ``hops``: as in ``example_records``.
    """
    records = example_records(task, style, hops)
    if not 0 <= shots <= len(records):
        raise ConfigError(f"shots is {shots}; there are 0 to {len(records)} examples.")
    render = {"segment": _segment, "select": _select, "infer": _infer, "claim": _claim}[stage]
    return "".join(f"{render(r, task, style)}\n\n" for r in records[:shots])


def shown_examples(stage: str, task: str, style: str, shots: int, hops: int = 0) -> dict[str, str]:
    """The prompt's ``examples`` variable; the short style has none."""
    return {} if style == "short" else {"examples": examples_text(stage, task, style, shots, hops)}


def _segment(record: dict[str, Any], task: str, style: str) -> str:
    parts = record["parts"]
    if style == "paper":
        lines = [
            f"{i}. {p['text']}, Entity set: [{' ## '.join(repr(e.lstrip('?')) for e in p['ends'])}]"
            for i, p in enumerate(parts, 1)
        ]
        names = " ## ".join(repr(e) for e in record["entities"])
        return f"Sentence: {record['sentence']}\nEntity set: [{names}]\n->Divided:\n" + "\n".join(lines)
    lines = [f"{i}. {p['text']} | {' ; '.join(p['ends'])}" for i, p in enumerate(parts, 1)]
    return f"Sentence: {record['sentence']}\nEntities: {' ; '.join(record['entities'])}\n" + "\n".join(lines)


def _select(record: dict[str, Any], task: str, style: str) -> str:
    part = record["parts"][record.get("select", 0)]
    if style == "paper":
        return (
            f"Sentence: {part['text']}\nWords set: {part['candidates']}\n"
            f"Top {len(part['relations'])} Answer: {part['relations']}"
        )
    offered, chosen = (" ; ".join(map(relation_words, part[k])) for k in ("candidates", "relations"))
    return f"Sentence: {part['text']}\nRelations: {offered}\nChosen: {chosen}"


def _infer(record: dict[str, Any], task: str, style: str) -> str:
    triples = record["evidence"]
    if task == "ask":
        lines = "[" + ", ".join(f"[{h!r}, {r}, {t!r}]" for h, r, t in triples) + "]"
        if style == "paper":
            return f"Question: {record['sentence']}\nEvidence set: {lines}\nAnswer: {record['answer']!r}"
        body = "\n".join(f"({h}, {relation_words(r)}, {t})" for h, r, t in triples) or "none"
        return f"Question: {record['sentence']}\nTriples:\n{body}\nAnswer: {record['answer']}"
    if style == "paper":
        lines = "[" + ", ".join(f"[{h!r}, {r}, {t!r}]" for h, r, t in triples) + "]"
        return f"Claim: {record['sentence']}\nEvidence set: {lines}\nAnswer: {_binary(record)}, {record['reason']}"
    body = "\n".join(f"{i}. ({h}, {relation_words(r)}, {t})" for i, (h, r, t) in enumerate(triples, 1)) or "none"
    cited = ", ".join(map(str, record["cited"])) or "none"
    verdict = record["verdict"].replace("_", " ")
    claim = f"Claim: {record['sentence']}\nTriples:\n{body}\n"
    return f"{claim}Verdict: {verdict}\nTriples used: {cited}\nReason: {record['reason']}"


def _claim(record: dict[str, Any], task: str, style: str) -> str:
    """The sentence and the answer alone, for the baseline without a graph."""
    if task == "ask":
        return f"Question: {record['sentence']}\nAnswer: {record['answer']!r}"
    return f"Claim: {record['sentence']}\nAnswer: {_binary(record)}"


def _binary(record: dict[str, Any]) -> str:
    return "True" if record["verdict"] == "supported" else "False"
