"""Mirrored claims: python benchmarks/bench_mirrored_claims.py corpus

Of the corpus' training domains, each claim whose gold query is one triple of two named things of one class; and the
same with the names exchanged. A verifier that cannot tell who does what to whom supports both. Printed:
how many claims have the right verdict, and how many are supported with their names exchanged although the graph does
not have the reverse.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import triplewise
from triplewise.evals.scores.statistics import wilson
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.ranker import Reader, reader_of
from triplewise.train.query_graph.corpus import DEVELOPMENT, CorpusItem, Domain, open_corpus


def mirrored(domain: Domain, reader: Reader, item: CorpusItem) -> str:
    """A claim with its two names exchanged; "" where it is no single triple of two named things of one class."""
    query = item.query
    if item.source != "claims" or query is None or query.denied or query.filters or len(query.patterns) != 1:
        return ""
    ends = (query.patterns[0].head, query.patterns[0].tail)
    if not all(isinstance(e, str) and domain.store.has_entity(e) for e in ends):
        return ""
    head, tail = map(str, ends)
    if not set(reader.schema.kinds(head)) & set(reader.schema.kinds(tail)):
        return ""
    links = reader.candidates(item.text, "verify")[0].links
    spans = [next(((x.first, x.last) for x in links if x.node == end and x.first >= 0), None) for end in (head, tail)]
    if None in spans or spans[0] == spans[1]:
        return ""
    words, text = words_in(item.text), item.text
    (a, b), (c, d) = sorted((words[first].start, words[last].end) for first, last in filter(None, spans))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def judged(domain: Domain) -> Iterator[tuple[str, bool, bool]]:
    """(the claim, whether its verdict is right, whether its mirror is wrongly supported)."""
    reader = reader_of(domain.store)
    for item in domain.items():
        if text := mirrored(domain, reader, item):
            assert item.query is not None
            [pattern] = item.query.patterns
            verdict, mirror = (
                triplewise.verify(domain.store, t, method="query-graph").verdict for t in (item.text, text)
            )
            reverse = any(domain.store.triples(str(pattern.tail), pattern.relation, str(pattern.head)))
            yield item.text, {verdict} == item.answers, mirror == "supported" and not reverse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--domains", nargs="*", help="default: all training domains")
    args = parser.parse_args()
    folders = sorted(p.name for p in args.corpus.iterdir() if p.is_dir() and p.name not in DEVELOPMENT)
    found = [row for domain in open_corpus(args.corpus, tuple(args.domains or folders)) for row in judged(domain)]
    for text, right, mirror in found:
        if mirror or not right:
            print("mirror supported" if mirror else "wrong verdict   ", text)
    for name, n in (("right", sum(r for _, r, _ in found)), ("mirror supported", sum(m for _, _, m in found))):
        low, high = wilson(n, len(found))
        print(f"{name}: {n} of {len(found)} [{100 * low:.1f}%, {100 * high:.1f}%]")


if __name__ == "__main__":
    main()
