"""Knowledge as YAML: every standard parser reads exactly the triples back, whatever the names are."""

from __future__ import annotations

import io
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.names import is_shown
from triplewise.tools.text.knowledge_format import MAX_SIMPLE_KEY, format_triples, parse_yaml, scalar
from triplewise.types import Triple

AWKWARD = [
    "no", "No", "YES", "on", "off", "y", "N", "true", "False", "null", "Null", "~", "", " ", "  x", "x  ", "\tx", "x\t",
    "1e3", "1E+3", "1.5", ".5", "-.5", "+1", "+_", "._", "0x1F", "0o17", "017", "0b101", "1_000", "1,000", ".inf", "-.INF", ".nan",
    "190:20:30", "1:20", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5", "1972", "9", "=",
    "<<", "-", "--", "---", "--- x", "...", "... x", "- a", "? a", "?", ":", ": a", "a: b", "a:", "a:b", "a #b", "#a",
    "a#b", "&a", "*a", "!a", "!!str a", "|", ">", "%YAML 1.2", "@a", "`a", "'a'", '"a"', 'a "b" c', "it's", "\\", "a\\nb",
    "[a]", "[a, b]", "{a: b}", "{}", "a, b", "(a, b)", "a\nb", "a\n\n b", "a\r\nb", "\n", "a\x85b", "a\u2028b",
    "\ufeffa", "a\u202eb", "\x00", "\x1b[31m", "\x7f", "\x9b", "\ufffe", "\U0001fffe", "\U0010ffff", "\ue000", "\ud800",
    "Amélie", "عربى", "日本", "👩\u200d🚀", "می\u200cخواهم", "a\xa0b", "\xa0", "^x", "^^x", "^", "a" * 1500, "é\x01" * 600,
]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(max_size=12),
    st.text("0123456789.+-_:eExXoObBaAfFtTzZ infy~", max_size=8),
    st.text("ab:#-?&*!|>%@`'\"\\[]{}, \n\t^~", max_size=8),
)


def graph(names: list[str], relations: list[str], triples: list[tuple[int, int, int]]) -> NetworkxStore:
    """Entities and relations by these labels, told apart where two share one."""
    return NetworkxStore(
        [(f"e{h}", f"r{r}", f"e{t}") for h, r, t in triples],
        labels={f"e{i}": name for i, name in enumerate(names) if name},
        relation_labels={f"r{i}": name for i, name in enumerate(relations) if name},
    )


GRAPHS = st.tuples(st.lists(NAMES, min_size=1, max_size=6), st.lists(NAMES, min_size=1, max_size=4)).flatmap(
    lambda both: st.builds(
        graph,
        st.just(both[0]),
        st.just(both[1]),
        st.lists(
            st.tuples(*(st.integers(0, len(x) - 1) for x in (both[0], both[1], both[0]))), min_size=1, max_size=12
        ),
    )
)


def safe(text: str) -> Any:
    return yaml.safe_load(text)


def ruamel(text: str) -> Any:
    parser = pytest.importorskip("ruamel.yaml", reason="ruamel.yaml is not installed").YAML(typ="safe", pure=True)
    return parser.load(io.StringIO(text))


def flat(data: Any) -> list[tuple[str, str, str]]:
    """Triples of names; a relation with an odd number of ``^`` in front is inverse, each pair stands for one."""
    found = []
    for node, relations in data.items():
        for key, others in relations.items():
            carets = len(key) - len(key.lstrip("^"))
            name = key[carets - carets // 2 :]
            for other in others if isinstance(others, list) else [others]:
                found.append((other, name, node) if carets % 2 else (node, name, other))
    return found


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_scalars(text: str) -> None:
    line = scalar(text)
    assert all(map(is_shown, line))
    assert safe(line) == text or text == "\ud800"
    assert ruamel(line) == text or text == "\ud800"
    assert safe(f"{line}: {line}" if len(line) < MAX_SIMPLE_KEY else f"? {line}\n: {line}") == {text: text}


@given(NAMES)
@settings(max_examples=1500, deadline=None)
def test_any_scalar(text: str) -> None:
    line = scalar(text)
    assert safe(line) == text
    assert ruamel(line) == text
    assert safe(f"x:\n  y: {line}\n  z:\n  - {line}") == {"x": {"y": text, "z": [text]}}


@given(GRAPHS, st.sampled_from(["yaml", "yaml-head"]))
@example(graph(["a", "b"], ["x", "^x", "^^x"], [(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 1, 1)]), "yaml")
@example(graph(["a", "b", "c", "no"], ["^x", "x"], [(0, 0, 3), (1, 0, 3), (2, 0, 3), (0, 1, 3), (1, 1, 3)]), "yaml")
@settings(max_examples=400, deadline=None)
def test_exactly_the_same_triples_come_back(kg: NetworkxStore, style: str) -> None:
    triples = list(kg.triples())
    text = format_triples(kg, triples, style)
    named = sorted((kg.display(h), kg.relation_label(r), kg.display(t)) for h, r, t in triples)
    for data in (safe(text), ruamel(text)):
        assert sorted(flat(data)) == named
    assert sorted(parse_yaml(kg, text)) == sorted(triples)
    assert all(c == "\n" or is_shown(c) for c in text)


@given(GRAPHS)
@settings(max_examples=100, deadline=None)
def test_plain_triples_are_one_a_line(kg: NetworkxStore) -> None:
    triples = list(kg.triples())
    assert len(format_triples(kg, triples, "triples").split("\n")) == len(triples)


def test_figure_2() -> None:
    kg = NetworkxStore(
        [
            ("Justin Bieber", "profession", "Musician"),
            ("Justin Bieber", "profession", "Record producer"),
            ("Justin Bieber", "place of birth", "London"),
            ("Jaxon Bieber", "gender", "male"),
        ]
    )
    assert format_triples(kg, list(kg.triples()), "yaml-head") == (
        "Justin Bieber:\n  profession:\n  - Musician\n  - Record producer\n  place of birth: London\n"
        "Jaxon Bieber:\n  gender: male"
    )


def test_the_tail_is_said_once_where_that_is_shorter() -> None:
    kg = NetworkxStore([(f, "directed by", "Ridley Scott") for f in ("Alien", "1492", "Gladiator")])
    assert format_triples(kg, list(kg.triples())) == (
        'Ridley Scott:\n  ^directed by:\n  - Alien\n  - "1492"\n  - Gladiator'
    )


@pytest.mark.parametrize("style", ["yaml", "yaml-head"])
def test_the_bundled_graph_comes_back(style: str) -> None:
    kg = load_kg("films")
    triples = list(kg.triples())
    text = format_triples(kg, triples, style)
    assert sorted(parse_yaml(kg, text)) == sorted(triples)
    assert sorted(flat(safe(text))) == sorted(
        (kg.display(h), kg.relation_label(r), kg.display(t)) for h, r, t in triples
    )
    assert len(format_triples(kg, triples)) <= len(format_triples(kg, triples, "yaml-head"))


def test_repeated_triples_are_said_once_and_none_is_nothing() -> None:
    kg = NetworkxStore([("a", "r", "b")])
    assert format_triples(kg, [Triple("a", "r", "b")] * 3) == "a:\n  r: b"
    assert format_triples(kg, []) == "" and parse_yaml(kg, "") == []


@pytest.mark.parametrize(
    "text", ["[a]", "a", "a: b", "a: {s: b}", "a: {r: c}", "a: {r: {b: c}}", "a: [", "? [a]\n: b", "[" * 5000, "\x00"]
)
def test_what_is_not_such_yaml_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_yaml(NetworkxStore([("a", "r", "b")]), text)


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ConfigError, match="Known: triples, yaml"):
        format_triples(NetworkxStore([("a", "r", "b")]), [], "json")


def test_a_node_that_is_said_anyway_takes_in_what_leads_to_it() -> None:
    """Two heads of one triple each, into a node that stands there: no line for either head."""
    triples = [
        Triple("Taylor", "actor_film", "Eclipse"),
        Triple("Taylor", "actor_film", "Valentine's Day"),
        Triple("Abduction", "starring", "Taylor"),
        Triple("Incarceron", "cast", "Taylor"),
    ]
    kg = NetworkxStore(triples, name="g")
    text = format_triples(kg, triples)
    assert text.startswith("Taylor:\n") and text.count("\n") == 5
    assert set(parse_yaml(kg, text)) == set(triples)
