"""Which completion and reading is taken, by the ranker that ships, over a small graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.interpreter import KNOWN, Interpreter
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg import load_kg
from triplewise.kg.query import QueryGraph, execute

MARKET = """\
wheat\trdf:type\tcrop
wheat\tprice\t212
wheat\tsold to\tZawn Mills
oats\trdf:type\tcrop
oats\tprice\t228
oats\tsold to\tZawn Mills
Zawn Mills\trdf:type\tbuyer
Zawn Mills\tpays after days\t30
"""


@pytest.fixture(scope="module")
def interpreter(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    path = tmp_path_factory.mktemp("market") / "market.tsv"
    path.write_text(MARKET, encoding="utf-8")
    return Interpreter(load_kg(path))


def asked(interpreter: Interpreter, question: str, head: str, relation: str) -> Memory:
    query = QueryGraph.from_json({"select": "?x", "where": [[head, relation, "?x"]]})
    answers = execute(interpreter.kg, query).ids
    turn = Remembered(question, question, "ask", answers, query.entities, query=query.to_json())
    return Memory(interpreter.kg, [turn])


def test_none_is_likelier_of_a_completed_sentence(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the wheat?", "wheat", "sold to")
    turn = interpreter.interpret("is there wifi?", "ask", memory)
    alone = interpreter.reader.rank(turn.interpretation.text, "ask", turn.interpretation.given, shortlist=20).none
    assert turn.interpretation.kind == "ellipsis" and alone < turn.none <= 1


def test_a_new_topic_is_of_nothing_that_was_spoken_of(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the wheat?", "wheat", "sold to")
    assert interpreter.interpret("new topic: which crops are there?", "ask", memory).interpretation.kind == "alone"
    assert interpreter.interpret("another question: what is its price?", "ask", memory).interpretation.given == (
        "wheat",
    )


def test_of_an_only_completion_none_is_as_likely_as_of_the_whole_sentence(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the wheat?", "wheat", "sold to")
    found = interpreter.follow_ups.interpretations("and what is its price?", memory)
    only = next(i for i in found if i.given == ("wheat",))
    alone = interpreter.reader.rank(only.text, "ask", ("wheat",)).none
    [one] = interpreter.completed([only], "and what is its price?", "ask", memory)
    assert one.turn.none == pytest.approx(alone)


def test_both_is_read_of_each(interpreter: Interpreter) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "sold to", "Zawn Mills"]]})
    answers = execute(interpreter.kg, query).ids
    turn = Remembered("What is sold to Zawn Mills?", "", "ask", answers, query.entities, query=query.to_json())
    done = interpreter.interpret("are they both sold to Zawn Mills", "verify", Memory(interpreter.kg, [turn]))
    assert done.interpretation.each and set(answers) <= set(done.readings[0].query.entities)


def test_what_was_told_is_hardly_asked_again(interpreter: Interpreter) -> None:
    ranking = interpreter.reader.rank("Who buys wheat?", "ask", ("wheat",), shortlist=12)
    about = Interpretation("Who buys wheat?", given=("wheat",))
    before = {r.query: r.score for r in interpreter.rescored(about, ranking, set(), set())}
    after = {r.query: r.score for r in interpreter.rescored(about, ranking, {"Zawn Mills"}, set())}
    sold = next(q for q in before if q.relations == ("sold to",) and q.form == "select")
    assert after[sold] == pytest.approx(before[sold] - KNOWN)
    assert any(after[q] == before[q] for q in before)


def test_a_comparison_is_by_what_was_asked_last(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "What do we get for wheat?", "wheat", "price")
    turn = interpreter.interpret("So less than oats.", "verify", memory)
    assert turn.interpretation.given == ("wheat",) and "price" in turn.readings[0].query.relations


def test_what_they_are_is_asked_of_each(interpreter: Interpreter) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "sold to", "Zawn Mills"]]})
    answers = execute(interpreter.kg, query).ids
    turn = Remembered("What is sold to Zawn Mills?", "", "ask", answers, query.entities, query=query.to_json())
    done = interpreter.interpret("What is their price?", "ask", Memory(interpreter.kg, [turn]))
    assert done.interpretation.each == answers
    assert set(execute(interpreter.kg, done.readings[0].query).ids) == {"212", "228"}


def test_a_sentence_that_stands_alone_is_taken_so(tmp_path: Path) -> None:
    path = tmp_path / "team.csv"
    rows = (
        "name,role,team,city",
        "Mia Kern,lead,Search,Berlin",
        "Jon Beck,tester,Search,Rome",
        "Tom Weber,tester,Shop,Berlin",
    )
    path.write_text("\n".join(rows))
    interpreter = Interpreter(load_kg(path))
    memory = asked(interpreter, "What is the role of Tom Weber?", "Tom Weber", "role")
    turn = interpreter.interpret("Who lives in Berlin?", "ask", memory)
    assert turn.interpretation.kind == "alone"
    assert set(execute(interpreter.kg, turn.readings[0].query).ids) == {"Mia Kern", "Tom Weber"}


def test_none_else_is_said_where_all_were_told(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the oats?", "oats", "sold to")
    turn = interpreter.interpret("Who else are the oats sold to?", "ask", memory)
    assert turn.readings[0].query.relations == ("sold to",)
    assert turn.interpretation.drop and not execute(interpreter.kg, turn.readings[0].query).ids


def test_else_leaves_out_what_would_be_told_again(interpreter: Interpreter) -> None:
    ranking = interpreter.reader.rank("Which crops are sold to Zawn Mills?", "ask", ("Zawn Mills",), shortlist=12)
    about = Interpretation("x", "else", given=("Zawn Mills",), drop=("30", "wheat"))
    found = [r.query for r in interpreter.rescored(about, ranking, set(), set()) if r.query.form == "select"]
    sold = next(q for q in found if set(q.relations) == {"sold to"})
    assert execute(interpreter.kg, sold).ids == ("oats",)
    assert all("30" not in q.entities for q in found if q.relations != ("pays after days",))


@pytest.mark.parametrize(
    ("text", "number"), [("How many of those cost less than 220?", 1), ("how many of them are sold to Zawn Mills?", 2)]
)
def test_how_many_of_those_is_a_number(interpreter: Interpreter, text: str, number: int) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "sold to", "Zawn Mills"]]})
    answers = execute(interpreter.kg, query).ids
    turn = Remembered("What is sold to Zawn Mills?", "", "ask", answers, query.entities, query=query.to_json())
    asked = interpreter.interpret(text, "ask", Memory(interpreter.kg, [turn])).readings[0].query
    assert asked.form == "count" and execute(interpreter.kg, asked).number == number


def test_how_many_of_those_may_be_none(interpreter: Interpreter) -> None:
    about = Interpretation("which things are sold to Zawn Mills?", "among", keep=("Zawn Mills",), counted=True)
    ranking = interpreter.reader.rank(about.text, "ask", (), shortlist=12)
    assert ranking.readings[0].probability > 0.7  # else what has answers among them is more likely meant
    [best, *_] = interpreter.rescored(about, ranking, set(), set())
    assert best.query.form == "count" and best.query.relations == ("sold to",)
    assert execute(interpreter.kg, best.query).number == 0


def test_what_is_no_word_is_said_of_nothing(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the wheat?", "wheat", "sold to")
    assert interpreter.interpret("asdf qwer", "ask", memory).interpretation.kind == "alone"
    assert interpreter.interpret("phone number", "ask", memory).interpretation.kind == "ellipsis"


def test_who_did_it_so_often_leaves_nothing_out(interpreter: Interpreter) -> None:
    memory = asked(interpreter, "Who buys the wheat?", "wheat", "sold to")
    found = interpreter.follow_ups.interpretations("Who has bought crops twice?", memory)
    clear = {c.turn.interpretation.kind: c.clear for c in interpreter.completed(found, found[-1].text, "ask", memory)}
    assert clear == {"alone": True}


def test_one_of_those_is_claimed_of_them_alone(interpreter: Interpreter) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "sold to", "Zawn Mills"]]})
    said = "what is sold to Zawn Mills?"
    turn = Remembered(said, said, "ask", execute(interpreter.kg, query).ids, query.entities, query=query.to_json())
    found = interpreter.interpret("one of those costs 228", "verify", Memory(interpreter.kg, [turn]))
    asked = found.readings[0].query
    assert execute(interpreter.kg, asked).holds
    assert asked.filters[0].right == turn.answers


EPI_PENS = """\
Milo Varga\trdf:type\tchild
Tariq Benali\trdf:type\tchild
Frieda Thiele\trdf:type\tchild
Tariq Benali\tin group\tFir Cones
Frieda Thiele\tin group\tFir Cones
Milo Varga\tin group\tDucks
Epi pen 1\trdf:type\tmedicine
Epi pen 1\tfor child\tMilo Varga
Epi pen 3\trdf:type\tmedicine
Epi pen 3\tfor child\tTariq Benali
"""


def test_of_them_one_has_a_thing_that_is_called_as_anothers(tmp_path: Path) -> None:
    path = tmp_path / "kindergarten.tsv"
    path.write_text(EPI_PENS, encoding="utf-8")
    kg = load_kg(path)
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "in group", "Fir Cones"]]})
    said = "kids in Fir Cones?"
    turn = Remembered(said, said, "ask", execute(kg, query).ids, query.entities, query=query.to_json())
    found = Interpreter(kg).interpret("any of them with an epi pen", "ask", Memory(kg, [turn]))
    assert execute(kg, found.readings[0].query).ids == ("Tariq Benali",)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The dearer one, who went on that?", "Outing 1"),
        ("what does the cheaper one go to?", "Outing 6"),
        ("the dearer of those two, where did it go", "Outing 1"),
    ],
)
def test_the_dearer_one_of_two_is_the_one_that_is_dearer(tmp_path: Path, text: str, given: str) -> None:
    path = tmp_path / "outings.tsv"
    rows = (("Outing 1", "Hawk Sanctuary", "9.50", "Acorns"), ("Outing 6", "Tide Mill", "7.20", "Fir Cones"))
    path.write_text(
        "".join(
            f"{o}\trdf:type\touting\n{o}\tgoes to\t{place}\n{o}\teuros per child\t{euros}\n{o}\tgroup along\t{group}\n"
            f"{o}\tperson in charge\tHollis Grange\n"
            for o, place, euros, group in rows
        ),
        encoding="utf-8",
    )
    kg = load_kg(path)
    query = QueryGraph.from_json({"select": "?x", "where": [["?x", "person in charge", "Hollis Grange"]]})
    said = "which trips did Hollis run?"
    turn = Remembered(said, said, "ask", execute(kg, query).ids, query.entities, query=query.to_json())
    told = Remembered("how much?", "how much?", "ask", ("9.50", "7.20"), tuple(turn.answers))
    found = Interpreter(kg).interpret(text, "ask", Memory(kg, [turn, told]))
    assert found.interpretation.given == (given,)
    which = Interpreter(kg).interpret("which is the dearer one?", "ask", Memory(kg, [turn]))
    assert not which.interpretation.given and execute(kg, which.readings[0].query).ids == ("Outing 1",)
