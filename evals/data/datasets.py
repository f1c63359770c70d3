"""Benchmark data sets in their public layouts, from any folder, and anybody's own JSON lines.

=============  =======================================================================================
metaqa-1/2/3   ``kb.txt``, ``N-hop/vanilla/qa_SPLIT.txt``, ``N-hop/qa_SPLIT_qtype.txt``
factkg         ``factkg_SPLIT.pickle`` (public) or ``SPLIT.jsonl``; the graph beside it as ``kg.tsv``
webqsp, cwq    RoG: ``SPLIT.jsonl`` or ``SPLIT-*.parquet`` with ``graph`` per question; NSM:
               ``SPLIT_simple.json`` with ``entities.txt`` and ``relations.txt``; or ``SPLIT.jsonl`` + ``kg.tsv``
fb15k-237      ``train.txt``, ``valid.txt``, ``test.txt`` (tab-separated head, relation, tail)
wn18rr         the same
own            a ``.jsonl`` of {question | claim | head, relation, tail; answers | label; entities}
=============  =======================================================================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from triplewise.evals.data.factkg_pickle import read_pickle
from triplewise.evals.data.items import Dataset, DatasetError, Item, missing, numbered, read_text
from triplewise.types import Triple

METAQA_RELATIONS = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "genre": "has_genre",
    "year": "release_year", "language": "in_language", "tags": "has_tags", "tag": "has_tags",
    "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
}  # fmt: skip
"""The kind that a qtype names → the relation between it and a film."""

SOURCES = {
    "metaqa": "https://github.com/yuyuz/MetaQA",
    "factkg": "https://github.com/jiho283/FactKG",
    "webqsp": "https://huggingface.co/datasets/rmanluo/RoG-webqsp",
    "cwq": "https://huggingface.co/datasets/rmanluo/RoG-cwq",
    "fb15k-237": "https://github.com/TimDettmers/ConvE",
    "wn18rr": "https://github.com/TimDettmers/ConvE",
}
MINI_KG = "mini-KG: the graph holds a small part of the original; not comparable with published figures"


def load_dataset(name: str, folder: str | Path, split: str = "dev", limit: int | None = None) -> Dataset:
    """A data set by name ("metaqa-2", "factkg", …) from its folder, or a ``.jsonl`` file of one's own.

    Raises DatasetError where the folder or a file is missing, with the place to get it and its layout,
    and where a line is not what the layout says, with file and line.
    """
    folder = Path(folder)
    if folder.suffix == ".jsonl":
        return own(folder, name, split).limited(limit)
    if (loader := LOADERS.get(name)) is None:
        raise DatasetError(f"no data set {name!r}.", f"Known: {', '.join(LOADERS)}; or give a .jsonl file.")
    return loader(folder, split).limited(limit)


def metaqa(folder: Path, split: str, hops: int) -> Dataset:
    """MetaQA's questions of a hop count (vanilla wording) with the gold relation path of each."""
    files = (f"{hops}-hop/vanilla/qa_{split}.txt", f"{hops}-hop/qa_{split}_qtype.txt", "kb.txt")
    read = partial(read_text, name="MetaQA", source=SOURCES["metaqa"], layout=files)
    lines, kinds = read(folder / files[0]).splitlines(), read(folder / files[1]).split()
    if len(lines) != len(kinds):
        raise DatasetError(f"{folder}: {files[0]} has {len(lines)} lines and {files[1]} {len(kinds)}.")
    items = []
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        text, tab, answers = line.partition("\t")
        topic = text[text.find("[") + 1 : text.rfind("]")]
        if not tab or "[" not in text or not topic:
            raise DatasetError(f"{folder / files[0]}:{number}: no 'question with [topic]<TAB>answers'.")
        steps = kind.split("_to_")
        try:
            path = tuple(METAQA_RELATIONS[a if b == "movie" else b] for a, b in pairwise(steps))
        except KeyError as unknown:
            raise DatasetError(f"{folder / files[1]}:{number}: unknown kind {unknown} in {kind!r}.") from None
        gold = tuple(sorted(set(answers.split("|"))))
        items.append(Item("ask", text, gold, entities=(topic,), path=path, kind=kind, cluster=topic))
    return Dataset(f"metaqa-{hops}", split, numbered(items), folder / "kb.txt")


def factkg(folder: Path, split: str) -> Dataset:
    """FactKG's claims: the public pickle (claim → Label, Entity_set, Evidence, types) or JSON lines.

    A claim's ``path`` is the sorted set of its gold relations.
    """
    pickled, lines, graph = folder / f"factkg_{split}.pickle", folder / f"{split}.jsonl", folder / "kg.tsv"
    if pickled.is_file():
        raw = read_pickle(pickled)
        if not isinstance(raw, dict) or not all(isinstance(v, dict) for v in raw.values()):
            raise DatasetError(f"{pickled}: expected a dict of claim → dict.")
        rows = (
            {
                "claim": c,
                "label": v.get("Label"),
                "entity_set": v.get("Entity_set"),
                "types": v.get("types"),
                "evidence_gold_relations": v.get("Evidence"),
            }
            for c, v in raw.items()
        )
        items = [_claim(row, f"{pickled}") for row in rows]
    elif lines.is_file():
        items = [_claim(row, where) for where, row in json_lines(lines)]
    else:
        raise missing(pickled, "FactKG", SOURCES["factkg"], (pickled.name, "or " + lines.name, graph.name))
    return Dataset("factkg", split, numbered(items), graph if graph.is_file() else None, note=MINI_KG)


def _claim(row: dict[str, Any], where: str) -> Item:
    label = row.get("label")
    if isinstance(label, list) and len(label) == 1:
        label = label[0]
    if not isinstance(row.get("claim"), str) or not isinstance(label, bool):
        raise DatasetError(f"{where}: a claim needs 'claim' (text) and 'label' (true or false).")
    entities = tuple(_texts(row.get("entity_set") or row.get("entity_set_derived") or (), where))
    types = sorted(_texts(row.get("types") or (), where))
    paths = row.get("evidence_gold_relations") or {}
    if not isinstance(paths, dict) or not all(isinstance(p, list) for p in paths.values()):
        raise DatasetError(f"{where}: gold evidence must be {{entity: [[relation, ~inverse relation]]}}.")
    gold = {r.removeprefix("~") for found in paths.values() for path in found for r in _texts(path, where)}
    return Item(
        "verify", row["claim"], label=label, entities=entities, path=tuple(sorted(gold)), kind=", ".join(types),
        cluster=row["claim"],
    )  # fmt: skip


def freebase_questions(folder: Path, split: str, name: str) -> Dataset:
    """WebQSP or CWQ in RoG's or NSM's layout, or JSON lines beside a ``kg.tsv``."""
    simple = folder / f"{split}_simple.json"
    if simple.is_file():
        return _nsm(folder, simple, name, split)
    parquet = sorted(folder.glob(f"**/{split}-*.parquet"))
    lines, graph = folder / f"{split}.jsonl", folder / "kg.tsv"
    if not parquet and not lines.is_file():
        layout = (f"{split}-*.parquet (RoG)", f"{split}_simple.json (NSM)", f"{split}.jsonl + kg.tsv")
        raise missing(folder, name, SOURCES[name], layout)
    rows = _parquet(parquet) if parquet else json_lines(lines)
    items, triples = [], dict[Triple, None]()
    for where, row in rows:
        items.append(_question(row, where))
        if not graph.is_file():
            triples.update(dict.fromkeys(Triple(*t) for t in row.get("graph") or ()))
    if graph.is_file():
        return Dataset(name, split, numbered(items), graph, note=MINI_KG)
    return Dataset(name, split, numbered(items), triples=tuple(triples), note="RoG's sub-graphs, merged")


def _question(row: dict[str, Any], where: str) -> Item:
    text, answers = row.get("question"), row.get("answers", row.get("answer", row.get("a_entity")))
    if not isinstance(text, str) or answers is None:
        raise DatasetError(f"{where}: a question needs 'question' (text) and 'answers' (list).")
    topic = row.get("entities", row.get("q_entity", row.get("topic_entity"))) or ()
    entities = tuple(_texts(list(topic.values()) if isinstance(topic, dict) else topic, where))
    kind = row.get("kind", row.get("compositionality_type", ""))
    gold = tuple(sorted(set(_texts(answers, where))))
    return Item("ask", text, gold, entities=entities, kind=str(kind), cluster=entities[0] if entities else text)


def _nsm(folder: Path, path: Path, name: str, split: str) -> Dataset:
    """NSM's layout: entities and relations are line numbers of ``entities.txt`` and ``relations.txt``."""
    layout = (path.name, "entities.txt", "relations.txt")
    read = partial(read_text, name=name, source="https://github.com/RichardHGL/WSDM2021_NSM", layout=layout)
    names, relations = (read(folder / f).splitlines() for f in layout[1:])
    items, triples = [], dict[Triple, None]()
    for where, row in json_lines(path):
        try:
            entities = tuple(names[e] if isinstance(e, int) else str(e) for e in row["entities"])
            gold = {a.get("kb_id") or a["text"] if isinstance(a, dict) else str(a) for a in row["answers"]}
            for h, r, t in row["subgraph"]["tuples"]:
                triples[Triple(names[h], relations[r], names[t])] = None
            items.append(
                Item("ask", row["question"], tuple(sorted(gold)), entities=entities, cluster="|".join(entities))
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise DatasetError(f"{where}: not NSM's layout: {type(error).__name__} {error}.") from None
    return Dataset(name, split, numbered(items), triples=tuple(triples), note="NSM's sub-graphs, merged")


def link_prediction(folder: Path, split: str, name: str) -> Dataset:
    """A split of a link-prediction folder; the graph is ``train.txt``'s folder."""
    layout = ("train.txt", "valid.txt", "test.txt")
    text = read_text(folder / f"{'valid' if split == 'dev' else split}.txt", name, SOURCES[name], layout)
    items = []
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split("\t")
        if len(parts) != 3:
            raise DatasetError(f"{folder}/{split}.txt:{number}: expected head, relation, tail, tab-separated.")
        head, relation, tail = parts
        items.append(Item("complete", "", (tail,), head=head, relation=relation, kind=relation, cluster=relation))
    return Dataset(name, split, numbered(items), folder)


def own(path: Path, name: str, split: str) -> Dataset:
    """One's own JSON lines; a ``kg.tsv``, ``kg.csv``, ``kg.nt`` or ``kg.ttl`` beside it is the graph."""
    if not path.is_file():
        raise DatasetError(
            f"{path} is not there.",
            "One JSON object a line: {question, answers, entities}, {claim, label, entities} or "
            "{head, relation, tail}; the graph beside it as kg.tsv.",
        )
    items = []
    for where, row in json_lines(path):
        if "claim" in row:
            items.append(_claim({"entity_set": row.get("entities"), **row}, where))
        elif "question" in row:
            items.append(_question(row, where))
        elif all(isinstance(row.get(k), str) for k in ("head", "relation", "tail")):
            items.append(Item("complete", "", (row["tail"],), head=row["head"], relation=row["relation"]))
        else:
            raise DatasetError(f"{where}: needs 'question', 'claim', or 'head', 'relation' and 'tail'.")
    graph = next((g for end in ("tsv", "csv", "nt", "ttl") if (g := path.parent / f"kg.{end}").is_file()), None)
    return Dataset(name, split, numbered(items), graph)


def json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """("file:line", object) of a file of JSON lines; raises DatasetError where there is none or a line is no object."""
    if not path.exists():
        raise DatasetError(f"{path} is not there.", "Name a file of JSON lines.")
    text = read_text(path, path.stem, "", ())
    for number, line in enumerate(re.split(r"\r?\n", text), 1):  # not splitlines: texts may hold U+2028
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise DatasetError(f"{path}:{number}: no JSON: {error}") from None
            if not isinstance(row, dict):
                raise DatasetError(f"{path}:{number}: expected a JSON object.")
            yield f"{path}:{number}", row


def _parquet(files: list[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise DatasetError(f"{files[0]}: reading Parquet needs pyarrow.", "pip install pyarrow") from None
    for path in files:
        for batch in parquet.ParquetFile(path).iter_batches(64):
            yield from ((f"{path}", row) for row in batch.to_pylist())


def _texts(values: Any, where: str) -> list[str]:
    if not isinstance(values, list | tuple | set | frozenset) or not all(isinstance(v, str) for v in values):
        raise DatasetError(f"{where}: expected a list of texts, got {values!r:.80}.")
    return list(values) if isinstance(values, list | tuple) else sorted(values)


LOADERS: dict[str, Callable[[Path, str], Dataset]] = {
    **{f"metaqa-{n}": partial(metaqa, hops=n) for n in (1, 2, 3)},
    "factkg": factkg,
    **{n: partial(freebase_questions, name=n) for n in ("webqsp", "cwq")},
    **{n: partial(link_prediction, name=n) for n in ("fb15k-237", "wn18rr")},
}
