"""How SPARQL servers look for labels: SPARQL itself has no search by name.

A dialect gives the pattern that binds ``?e`` to nodes with a name that holds all of some words, and what else is
particular to a server. ``plain`` is SPARQL 1.1 alone: exact names are look-ups, a search by words is a scan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from triplewise.errors import ConfigError
from triplewise.kg.stores.terms import ALIAS, LABELS, sparql_string

NAMES = " ".join(f"<{r}>" for r in (*LABELS, ALIAS))


@dataclass(frozen=True)
class Dialect:
    """SPARQL 1.1 without extensions."""

    languages: tuple[str, ...] | None = None
    """Languages of labels that are asked for; None: all."""
    largest_scan: int = 1_000_000
    """Triples of a graph up to which names are looked for by a scan where nothing else finds them."""
    indexed: ClassVar[bool] = False
    """Whether ``begins`` uses an index of the server's."""
    as_form: ClassVar[bool] = False
    """Whether a query is sent as a form, since the server hangs on one that is the body."""

    def begins(self, words: Sequence[str]) -> str:
        """A pattern for ``?e ?p ?l``, ``?l`` a name with a word that begins with one of these."""
        tests = " || ".join(f"CONTAINS(LCASE(STR(?l)), {sparql_string(w)})" for w in words)
        return f"VALUES ?p {{ {NAMES} }} ?e ?p ?l . FILTER({tests})"

    def query(self, text: str) -> str:
        """A whole query as this server wants it."""
        return text


class Qlever(Dialect):
    """QLever: ``ql:contains-entity`` and ``ql:contains-word`` over a text index made of the literals.

    Needs an index built with ``--text-words-from-literals`` (https://docs.qlever.dev/text-search/).
    """

    indexed = True

    def begins(self, words: Sequence[str]) -> str:
        contains = "http://qlever.cs.uni-freiburg.de/builtin-functions/contains-"
        found = (
            f"{{ ?t <{contains}entity> ?l . ?t <{contains}word> {sparql_string(w.replace('*', '') + '*')} }}"
            for w in words
        )
        return f"{' UNION '.join(found)} VALUES ?p {{ {NAMES} }} ?e ?p ?l"


class Virtuoso(Dialect):
    """Virtuoso: ``bif:contains`` over its full-text index of literals."""

    indexed = True
    as_form = True

    def begins(self, words: Sequence[str]) -> str:
        plain = [re.sub(r"[^\w ]", " ", w) for w in words]
        quoted = " OR ".join(f"'{w}*'" if len(w) > 3 else f"'{w}'" for w in plain)
        return f"VALUES ?p {{ {NAMES} }} ?e ?p ?l . ?l <bif:contains> {sparql_string(quoted)}"


class Jena(Dialect):
    """Apache Jena Fuseki with jena-text: ``text:query`` over the properties that its configuration indexes."""

    indexed = True

    def begins(self, words: Sequence[str]) -> str:
        escaped = ["".join(f"\\{c}" if c in '+-&|!(){}[]^"~*?:\\/' else c for c in w) for w in words]
        found = sparql_string(" OR ".join(f"{w}*" for w in escaped))
        return f"?e <http://jena.apache.org/text#query> {found} . VALUES ?p {{ {NAMES} }} ?e ?p ?l"


DIALECTS = {"plain": Dialect, "qlever": Qlever, "virtuoso": Virtuoso, "jena": Jena}


def dialect(name: str) -> Dialect:
    """A dialect by its name; raises ConfigError."""
    if name not in DIALECTS:
        raise ConfigError(f"no SPARQL dialect {name!r}.", f"Known: {', '.join(DIALECTS)}.")
    return DIALECTS[name](languages=("en",)) if name == "qlever" else DIALECTS[name]()
