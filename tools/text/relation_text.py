"""Relations in words: the rule-based reading of KICGPT (section 3.4) and the self-aligned sentences.

Every relation is a sentence with the markers ``[H]`` and ``[T]``, so that a triple, a query and a
demonstration are put into words in one way (the unified template of section 3.3.3)::

    /tv/tv_program/country_of_origin   →  [T] is the country of origin of tv program of tv of [H].
    _hypernym                          →  [H] is a kind of [T].
    directed_by                        →  [H] is directed by [T].

Sentences that a model wrote (``triplewise align``) are kept in a tab-separated file that a person can edit:
relation, sentence, source ("model", "rule", or anything a person writes there).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from triplewise.errors import ConfigError, GraphFileError
from triplewise.files import write_text
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, name_line

BLANK = "____"
_MARKERS = re.compile(r"\[([HT])\]")
_PREPOSITIONS = frozenset(
    ["of", "to", "by", "in", "for", "from", "with", "at", "on", "as", "into", "near", "under", "over"]
)
_VERBS = frozenset(["has", "have", "is", "are", "was", "were", "also", "contains", "includes", "belongs"])
_WORDNET = {
    "_hypernym": "[H] is a kind of [T].",
    "_instance_hypernym": "[H] is one example of [T].",
    "_derivationally_related_form": "[H] and [T] come from the same word.",
    "_member_meronym": "[T] belongs to the group [H].",
    "_has_part": "[T] is a part of [H].",
    "_synset_domain_topic_of": "[H] is a term from the subject of [T].",
    "_member_of_domain_region": "[T] is a term from [H].",
    "_member_of_domain_usage": "Dictionaries mark [T] as [H].",
    "_verb_group": "[H] and [T] are verbs of much the same meaning.",
    "_similar_to": "[H] means nearly the same as [T].",
    "_also_see": "[H] is close in meaning to [T].",
}
"""WordNet's relations in plain English, in the direction in which WN18RR has them: (scotland, _member_of_domain_region,
ben), (archaism, _member_of_domain_usage, compass), (valency, _synset_domain_topic_of, biology)."""
_HEADER = "# relation\tsentence with [H] (head) and [T] (tail)\tsource"


def raw_words(relation: str) -> str:
    """A raw relation name in words: Freebase's path reversed and joined by "of", else without its symbols."""
    if relation.startswith("/"):
        parts = [p for p in re.split(r"[./]+", name_line(relation)) if p]
        return " of ".join(p.replace("_", " ").strip() for p in reversed(parts))
    return " ".join(name_line(relation).replace("_", " ").split())


def rule_reading(relation: str, label: str = "") -> str:
    """The rule-based sentence of a relation; ``label`` stands for names that are no words (an IRI, P57)."""
    if relation in _WORDNET:
        return _WORDNET[relation]
    raw = relation.startswith(("/", "_"))
    words = raw_words(relation) if raw or not label else label
    first, last = words.split()[:1] or [""], words.split()[-1:] or [""]
    if relation.startswith("/"):
        return f"[T] is the {words} of [H]."
    if first[0].casefold() in _VERBS:
        return f"[H] {words} [T]."
    if last[0].casefold() in _PREPOSITIONS:
        return f"[H] is {words} [T]."
    return f"[T] is the {words} of [H]."


def check_sentence(sentence: str) -> str:
    """What is wrong with a relation's sentence, "" where nothing is: each marker once, one short line."""
    found = sorted(_MARKERS.findall(sentence))
    if found != ["H", "T"]:
        return "it must contain [H] and [T], each once"
    if "\n" in sentence or "\t" in sentence or len(sentence) > 300:
        return "it must be one line of at most 300 characters"
    return ""


def fill(sentence: str, head: str, tail: str) -> str:
    """Put names in place of the markers; text inside the names is never taken for a marker."""
    names = {"H": head, "T": tail}
    return _MARKERS.sub(lambda m: names[m.group(1)], sentence)


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    """One line of the alignment file."""

    sentence: str
    source: str


def read_alignment(path: str | Path) -> dict[str, AlignedSentence]:
    """Relation → sentence; raises GraphFileError naming the line where a marker is missing."""
    path = Path(path)
    found: dict[str, AlignedSentence] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # some editors begin a file with a byte-order mark
    except FileNotFoundError:
        hint = f"Make it with: triplewise align --out {path}"
        raise GraphFileError(path, "there is no such file.", hint=hint) from None
    except OSError as error:
        raise GraphFileError(path, f"it cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise GraphFileError(path, "this is no UTF-8 text.", hint="Name a file of: triplewise align.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        relation, *rest = line.rstrip("\r").split("\t")
        if relation.startswith('"'):  # a name that could not stand in a line as it is
            try:
                relation = json.loads(relation)
            except ValueError:
                raise GraphFileError(path, f"no name of a relation: {relation[:60]}.", number) from None
        sentence = rest[0].strip() if rest else ""
        if problem := check_sentence(sentence):
            hint = "A line reads: relation, tab, a sentence such as '[T] is the director of [H].'"
            raise GraphFileError(path, f"the sentence of {relation[:60]!r} cannot be used: {problem}.", number, hint)
        found[relation] = AlignedSentence(sentence, rest[1].strip() if len(rest) > 1 else "edited")
    return found


def write_alignment(path: str | Path, sentences: Mapping[str, AlignedSentence]) -> None:
    """Write the file anew in one step, so that an interrupted run leaves the old or the new one.

    Raises ConfigError where it cannot be written.
    """
    path = Path(path)
    lines = [_HEADER, *(f"{_on_a_line(r)}\t{s.sentence}\t{s.source}" for r, s in sentences.items())]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, "\n".join(lines) + "\n")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror or error}.") from None


def _on_a_line(relation: str) -> str:
    """A relation's name as a line may begin with; in JSON where it holds a break or a tab, or looks like a comment."""
    plain = relation.isprintable() and relation == relation.strip() and not relation.startswith(("#", '"'))
    return relation if plain and relation else json.dumps(relation)


def nearest_relations(sentence: str, labels: dict[str, str], k: int) -> tuple[str, ...]:
    """The k relations whose words are nearest to the sentence by BM25; ``labels``: label → relation id."""
    from triplewise.kg.bm25 import BM25Index

    def words(text: str) -> list[str]:
        return [w[:5] for w in re.findall(r"[^\W\d_]+", fold(text))] or ["?"]  # letters of any script

    names = list(labels)
    if not names:
        return ()
    scores = BM25Index([words(n) for n in names]).scores(words(sentence))
    order = sorted(range(len(names)), key=lambda i: (-scores[i], i))
    return tuple(labels[names[i]] for i in order[:k])


@dataclass(frozen=True)
class RelationTexts:
    """Relations and triples of one graph in words; ``aligned`` overrides the rule-based reading."""

    kg: KGStore
    aligned: Mapping[str, AlignedSentence]

    def reading(self, relation: str) -> str:
        """The sentence with markers."""
        if relation in self.aligned:
            return self.aligned[relation].sentence
        return rule_reading(relation, self.kg.relation_label(relation))

    def statement(self, head: str | None, relation: str, tail: str | None, name: Callable[[str], str]) -> str:
        """A triple in words; None leaves a blank."""
        ends = [BLANK if e is None else name(e) for e in (head, tail)]
        return fill(self.reading(relation), *ends)
