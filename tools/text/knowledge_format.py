"""Knowledge as text for a prompt: YAML (Retrieval and Reasoning on KGs, section 3.3) or plain triples.

YAML as in the paper's Figure 2 says a head once, each of its relations once, then the tails::

    Justin Bieber:
      profession:
      - Musician
      - Record producer

Where many triples share a tail, that side is said once instead, the relation marked with ``^`` for
"inverse" (as in a SPARQL path)::

    Ridley Scott:
      ^directed by:
      - Alien
      - Gladiator

Every scalar is a string for every YAML parser, 1.1 and 1.2: ``"1972"``, ``"no"`` and ``"1e3"`` are quoted.
A relation whose own name begins with ``^`` has each of these doubled, so that an odd number means "inverse".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.kg.names import is_shown, one_line, triple_line
from triplewise.types import Triple

STYLES = ("triples", "yaml", "yaml-head")

_PLAIN = re.compile(r"[\w(/.$+^](?:.*\S)?")
_TYPED = re.compile(
    r"[-+]?\.?[\d_][\dA-F_:.xotz +-]*|[-+]?\.(?:inf|nan)|null|true|false|yes|no|on|off|y|n", re.IGNORECASE
)
"""What some YAML schema takes for a number, a date, a truth value or nothing."""
_ROUNDS = 4
MAX_SIMPLE_KEY = 500
"""Characters; YAML allows at most 1,024 for a key before its colon."""


def scalar(text: str) -> str:
    """A YAML scalar that reads back as the string ``text``: plain where that is safe, else double-quoted."""
    if (
        _PLAIN.fullmatch(text)
        and all(map(is_shown, text))
        and ": " not in text
        and " #" not in text
        and not text.endswith(":")
        and not text.startswith("...")
        and not _TYPED.fullmatch(text)
    ):
        return text
    return f'"{"".join(map(_escape, text))}"'


def _escape(char: str) -> str:
    if char in '\\"':
        return f"\\{char}"
    if is_shown(char):
        return char
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"


def _relation_key(label: str, *, inverse: bool) -> str:
    own = len(label) - len(label.lstrip("^"))
    return "^" * (own + inverse) + label


def _read_relation_key(key: str) -> tuple[str, bool]:
    """(label, whether inverse); undoes ``_relation_key``."""
    carets = len(key) - len(key.lstrip("^"))
    return key[carets - carets // 2 :], carets % 2 == 1


def format_triples(kg: KGStore, triples: Sequence[Triple], style: str = "yaml") -> str:
    """The triples with their display names, each once, in order of first mention.

    ``style``: "triples" (one ``(head, relation, tail)`` a line), "yaml-head" (Figure 2: by heads
    only) or "yaml" (by whichever side is shorter). Raises ConfigError on another style.
    """
    distinct = list(dict.fromkeys(triples))
    if style == "triples":
        names = ((kg.display(t.head), kg.relation_label(t.relation), kg.display(t.tail)) for t in distinct)
        return "\n".join(triple_line(*map(one_line, each)) for each in names)
    if style not in STYLES:
        raise ConfigError(f"no knowledge format {style!r}.", f"Known: {', '.join(STYLES)}.")
    by_head = _yaml(kg, distinct, inverse=set())
    if style == "yaml-head":
        return by_head
    starts = (set[Triple](), _better_by_tail(distinct))
    return min(by_head, *(_yaml(kg, distinct, _shorter_sides(kg, distinct, s)) for s in starts), key=len)


def _better_by_tail(triples: Sequence[Triple]) -> set[Triple]:
    """Triples that more others share relation and tail with than relation and head."""
    by_head = Counter((t.head, t.relation) for t in triples)
    by_tail = Counter((t.tail, t.relation) for t in triples)
    heads = Counter(t.head for t in triples)
    return {
        t for t in triples
        if (by_tail[t.tail, t.relation], 1) > (by_head[t.head, t.relation], heads[t.head])
    }  # fmt: skip


def _shorter_sides(kg: KGStore, triples: Sequence[Triple], inverse: set[Triple]) -> set[Triple]:
    """Of which triples the tail is said first: from ``inverse`` on, each goes to the side that costs fewer characters.

    A side costs the other end's name, and the relation and the node where no other triple says them already.
    """
    length = {e: len(kg.display(e)) for t in triples for e in (t.head, t.tail)}
    relation = {r: len(kg.relation_label(r)) for r in {t.relation for t in triples}}
    nodes, keys = Counter[str](), Counter[tuple[str, str, bool]]()

    def count(triple: Triple, back: bool, change: int) -> None:
        node = triple.tail if back else triple.head
        nodes[node] += change
        keys[node, triple.relation, back] += change

    def cost(triple: Triple, back: bool) -> int:
        node, other = (triple.tail, triple.head) if back else (triple.head, triple.tail)
        key = 0 if keys[node, triple.relation, back] else relation[triple.relation] + 2 + back
        return length[other] + 4 + key + (0 if nodes[node] else length[node] + 2)

    chosen = set(inverse)
    for triple in triples:
        count(triple, triple in chosen, 1)
    for _ in range(_ROUNDS):
        moved = False
        for triple in triples:
            back = triple in chosen
            count(triple, back, -1)
            if cost(triple, not back) < cost(triple, back):
                back, moved = not back, True
                (chosen.add if back else chosen.discard)(triple)
            count(triple, back, 1)
        if not moved:
            break
    return chosen


def _yaml(kg: KGStore, triples: Sequence[Triple], inverse: set[Triple]) -> str:
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for triple in triples:
        relation = kg.relation_label(triple.relation)
        if triple in inverse:
            groups[kg.display(triple.tail)][_relation_key(relation, inverse=True)].append(kg.display(triple.head))
        else:
            groups[kg.display(triple.head)][_relation_key(relation, inverse=False)].append(kg.display(triple.tail))
    lines: list[str] = []
    for node, relations in groups.items():
        lines.append(_key(node, ""))
        for relation, others in relations.items():
            key = _key(relation, "  ")
            if len(others) == 1:
                lines.append(f"{key} {scalar(others[0])}")
            else:
                lines.append(key)
                lines += [f"  - {scalar(other)}" for other in others]
    return "\n".join(lines)


def _key(name: str, indent: str) -> str:
    text = scalar(name)
    return f"{indent}{text}:" if len(text) < MAX_SIMPLE_KEY else f"{indent}? {text}\n{indent}:"


def parse_yaml(kg: KGStore, text: str) -> list[Triple]:
    """The triples of a YAML text, in its order; the inverse of ``format_triples``.

    Raises ConfigError where the text is not such YAML or names something the graph does not have.
    """
    import yaml

    try:
        data: Any = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  (strings only: the failsafe schema)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"not YAML: {' '.join(str(error).split())[:200]}") from None
    relations = {kg.relation_label(r): r for r in kg.relation_ids()}
    if data is None:
        return []
    if not isinstance(data, dict):
        raise ConfigError("the YAML does not map heads to relations.")
    found: list[Triple] = []
    for node, entries in data.items():
        if not isinstance(entries, dict):
            raise ConfigError(f"{node!r} has no relations.")
        for name, others in entries.items():
            label, back = _read_relation_key(name)
            relation = relations.get(label)
            if relation is None:
                raise ConfigError(f"the graph has no relation {name!r}.")
            for other in others if isinstance(others, list) else [others]:
                head, tail = (other, node) if back else (node, other)
                found.append(Triple(_entity(kg, head), relation, _entity(kg, tail)))
    return found


def _entity(kg: KGStore, name: Any) -> str:
    found = kg.resolve_display(name) if isinstance(name, str) else None
    if found is None:
        raise ConfigError(f"the graph has no entity {name!r}.")
    return found
