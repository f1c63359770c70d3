"""The continual pre-training corpus (Retrieval and Reasoning on KGs, section 3.3): the whole graph as YAML.

    L_pretrain = -Σ_l x^l log p(x̂^l | x^<l)                                                     (equation 5)

Figure 2's form, each head once with its relations and tails, cut into chunks that fit a number of tokens. Every
triple stands in exactly one chunk, and every chunk is YAML by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from triplewise.kg.base import KGStore
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.types import Triple

STYLE = "yaml-head"


def corpus(kg: KGStore, budget: int, count: Callable[[str], int]) -> Iterator[str]:
    """The graph's chunks, in its order; ``count`` gives the tokens of a text.

    Each has at most ``budget`` tokens, unless a single triple has more.
    """
    blocks: list[str] = []
    used = 0
    for head in kg.entities():
        for block in _blocks(kg, list(kg.triples(head=head)), budget, count):
            size = count(f"{block}\n")
            if blocks and used + size > budget:
                yield "\n".join(blocks)
                blocks, used = [], 0
            blocks.append(block)
            used += size
    if blocks:
        yield "\n".join(blocks)


def _blocks(kg: KGStore, triples: Sequence[Triple], budget: int, count: Callable[[str], int]) -> Iterator[str]:
    """A head's triples, halved until they fit; the head and the relation at the cut are said again."""
    if not triples:
        return
    text = format_triples(kg, triples, STYLE)
    if len(triples) == 1 or count(f"{text}\n") <= budget:
        yield text
        return
    by_relation: dict[str, list[Triple]] = {}
    for triple in triples:
        by_relation.setdefault(triple.relation, []).append(triple)
    ordered = [t for same in by_relation.values() for t in same]
    middle = len(ordered) // 2
    yield from _blocks(kg, ordered[:middle], budget, count)
    yield from _blocks(kg, ordered[middle:], budget, count)
