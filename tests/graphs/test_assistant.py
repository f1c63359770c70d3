"""The assistant: turns, events, threads over restarts and kills, choices, stops, caps, and the tool-calling agent."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from assistant_turns import assistant as slow_assistant  # pyright: ignore[reportMissingImports]
from assistant_turns import script  # pyright: ignore[reportMissingImports]

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.events import Answered, Choices, Citations, Done, Event, Failed, ReadAs, Token, Warned
from triplewise.agents.assistant.interpreter import InterpretedTurn, Interpreter
from triplewise.agents.query_graph.executor import NO_NUMBERS
from triplewise.agents.query_graph.state import ScoredReading
from triplewise.backends.fake import ScriptedChatModel
from triplewise.graphs.assistant import Assistant
from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.query import QueryGraph
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.scorers import default_scorer_folder
from triplewise.train.links.training import LinksSettings
from triplewise.train.links.training import train as train_links
from triplewise.types import Caps

SUPPORT = Path(__file__).resolve().parent.parent / "support"
DUKES = (
    "Duke (bull)\tskos:altLabel\tDuke\nDuke (bull)\tborn\t2019-03-02\nDuke (bull)\trdf:type\tbull\n"
    "Duke (horse)\tskos:altLabel\tDuke\nDuke (horse)\tborn\t2004-05-17\nDuke (horse)\trdf:type\thorse\n"
)


async def collect(events: AsyncIterator[Event]) -> list[Event]:
    return [e async for e in events]


def one(events: list[Event], kind: type[Any]) -> Any:
    [found] = [e for e in events if isinstance(e, kind)]
    return found


def router(kg: Any = "films", **options: Any) -> Assistant:
    return Assistant(kg, ScriptedChatModel(responses=["ask"]), agent=False, method="query-graph", **options)


@pytest.fixture
def dukes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A graph with two Dukes, and a interpreter that reads every sentence as being about the bull."""
    (tmp_path / "dukes.tsv").write_text(DUKES)
    kg = load_kg(tmp_path / "dukes.tsv")
    query = QueryGraph.from_json({"select": "?x", "where": [["Duke (bull)", "born", "?x"]]})
    horse = QueryGraph.from_json({"select": "?x", "where": [["Duke (horse)", "born", "?x"]]})

    def start(self: Interpreter, kg: Any) -> None:
        from triplewise.agents.assistant.follow_ups import FollowUps
        from triplewise.tools.query_graph.linking.mentions import NameIndex
        from triplewise.tools.query_graph.schema_view import SchemaView

        self.kg, self.names = kg, NameIndex(SchemaView(kg))
        self.follow_ups = FollowUps(kg, self.names)

    def interpret(self: Interpreter, text: str, task: str, memory: Any, given: Any = ()) -> InterpretedTurn:
        readings = (ScoredReading(query, "the bull", 2.0, 0.7), ScoredReading(horse, "the horse", 1.0, 0.2))
        return InterpretedTurn(Interpretation(text), readings, 0.1)

    monkeypatch.setattr(Interpreter, "__init__", start)
    monkeypatch.setattr(Interpreter, "interpret", interpret)
    return kg


async def test_a_choice_is_asked_for_answered_and_remembered(dukes: Any, threads_place: str) -> None:
    first = router(dukes, threads=threads_place)
    events = await collect(first.stream("t", "When was Duke born?", can_ask=True))
    choices: Choices = one(events, Choices)
    assert {o.label for o in choices.options} == {"Duke (bull)", "Duke (horse)"}
    assert one(events, Done).status == "waiting" and not [e for e in events if isinstance(e, Answered)]
    await first.close()

    again = router(dukes, threads=threads_place)  # as after a restart
    assert (await again.threads())[0].waiting
    events = await collect(again.stream("t", "the horse, of course", can_ask=True))
    answered: Answered = one(events, Answered)
    assert answered.text == "2004-05-17 [1]." and one(events, Done).status == "done"
    assert [c.head for c in await again.evidence(answered.message_id)] == ["Duke (horse)"]
    said = await again.messages("t")
    assert [m.role for m in said] == ["user", "assistant"] and said[1].data["memory"][0]["chosen"] == ["Duke (horse)"]
    assert said[1].data["memory"][0]["rivals"] == ["Duke (horse)", "Duke (bull)"]
    await again.close()


async def test_a_question_that_comes_with_the_choice_is_answered(tmp_path: Path) -> None:
    (tmp_path / "dukes.tsv").write_text(DUKES + "Duke (bull)\tlives in\tBarn 2\nDuke (horse)\tlives in\tStable 4\n")
    made = router(load_kg(tmp_path / "dukes.tsv"))
    await collect(made.stream("t", "When was Duke born?", can_ask=True))
    events = await collect(made.stream("t", "The horse. Where does he live?", can_ask=True))
    assert one(events, Answered).text == "Stable 4 [1]." and one(events, Done).status == "done"
    said = await made.messages("t")
    assert [m.text for m in said] == [
        "When was Duke born?", "Which one do you mean?", "The horse. Where does he live?", "Stable 4 [1]."
    ]  # fmt: skip
    assert said[1].data["memory"][0]["chosen"] == ["Duke (horse)"] and not (await made.threads())[0].waiting
    assert said[1].data["memory"][0]["rivals"] == ["Duke (horse)", "Duke (bull)"]
    await made.close()


PAID = """\
Nora Fitch	paid	120
Nora Fitch	paid	35
Kit Omondi	paid	80
job 1	done for	Nora Fitch
job 2	done for	Nora Fitch
job 3	done for	Kit Omondi
job 1	hours	4
job 2	hours	2.5
job 3	hours	7
"""


async def test_numbers_are_added_up() -> None:
    made = router()
    events = await collect(made.stream("t", "What is the average runtime of the films?"))
    assert one(events, Answered).kind == "answer" and one(events, Citations).citations
    events = await collect(made.stream("t", "What is the median runtime of the films?"))
    assert one(events, Answered).kind == "nothing"
    assert [e.text for e in events if isinstance(e, Warned)] == [NO_NUMBERS]
    await made.close()


async def test_what_was_told_is_added_up(tmp_path: Path) -> None:
    (tmp_path / "jobs.tsv").write_text(PAID)
    made = router(load_kg(tmp_path / "jobs.tsv"))

    async def told(*said: str) -> list[set[str]]:
        answered = [one(await collect(made.stream(said[0], text)), Answered) for text in said]
        return [{a.label for a in answer.answers} for answer in answered]

    assert await told("What has Nora Fitch paid?", "How much is that altogether?", "and on average?") == [
        {"120", "35"}, {"155"}, {"77.5"},
    ]  # fmt: skip
    assert await told("Which jobs were done for Nora Fitch?", "How many hours did those two take together?") == [
        {"job 1", "job 2"}, {"6.5"},
    ]  # fmt: skip
    await made.close()


OWED = """Job 1	clock	mantel clock
Job 1	came in	2024-01-08
Job 1	I asked	£45
Job 1	paid on	2024-01-29
Job 2	clock	old cuckoo
Job 2	came in	2024-01-09
Job 2	I asked	£38
Job 3	clock	pocket watch
Job 3	came in	2024-01-10
Job 3	I asked	£30
Job 4	clock	mantel clock
Job 4	came in	2024-02-10
Job 4	I asked	£12
Job 4	paid on	2024-02-19
mantel clock	owner	Edna Prowle
old cuckoo	owner	Len Tackett
pocket watch	owner	Petra Lund
Edna Prowle	lives on	Mill Street
Len Tackett	lives on	Mill Street
Petra Lund	lives on	Church Walk
"""


async def test_what_was_found_on_the_way_is_added_up_and_they_stay_those_spoken_of(tmp_path: Path) -> None:
    (tmp_path / "jobs.tsv").write_text(OWED)
    made = router(load_kg(tmp_path / "jobs.tsv"))
    said = ("who hasn't paid me yet?", "how much is that altogether?", "which of them lives on Mill Street?")
    answered = [one(await collect(made.stream("owed", text)), Answered) for text in said]
    assert [{a.label for a in answer.answers} for answer in answered] == [
        {"Len Tackett", "Petra Lund"}, {"£68"}, {"Len Tackett"},
    ]  # fmt: skip
    await made.close()


PARENTS = """Hamza Idris	dad	Yusuf Idris
Josh Brandon	dad	Pete Brandon
Pete Brandon	phone	07700 900276
Carol Marsh	phone	07700 900133
Anna Trevose	lives in	Tolver
Anna Whitlock	lives in	Penmoor
bridesmaid dress	made for	Anna Trevose
bridesmaid dress	price	£45
prom dress	made for	Anna Whitlock
prom dress	price	£180
"""


async def test_who_a_claim_was_of_and_what_was_meant_instead(tmp_path: Path) -> None:
    (tmp_path / "people.tsv").write_text(PARENTS)
    made = router(load_kg(tmp_path / "people.tsv"))

    async def told(*said: str) -> list[set[str]]:
        answered = [one(await collect(made.stream(said[0], text)), Answered) for text in said]
        return [{answer.verdict} if answer.verdict else {a.label for a in answer.answers} for answer in answered]

    dads = ("What's Carol's phone number?", "and Pete's?", "he's Hamza's dad, isn't he?", "oops. whose dad is he then")
    assert await told(*dads) == [{"07700 900133"}, {"07700 900276"}, {"refuted"}, {"Josh Brandon"}]
    dresses = (
        "What was made for Anna Trevose?", "no sorry, it's the other Anna I'm thinking of, what was made for her?",
        "ta, that's what I thought", "which of the two dresses is dearer?",
    )  # fmt: skip
    assert await told(*dresses) == [{"bridesmaid dress"}, {"prom dress"}, set(), {"prom dress"}]
    await made.close()


LIVES = """Nora Field	birth date	1931-04-12
Nora Field	death date	2011-02-03
Ida Field	birth date	1958-09-30
Ida Field	mother	Nora Field
repair 1	item	clock
repair 1	brought in	2024-03-01
repair 1	handed back	2024-03-15
repair 1	price	£45
repair 2	item	radio
repair 2	brought in	2024-04-02
repair 2	price	£30
radio	owner	Nora Field
"""


async def test_the_talk_goes_on_after_a_time_was_told(tmp_path: Path) -> None:
    (tmp_path / "lives.tsv").write_text(LIVES)
    made = router(load_kg(tmp_path / "lives.tsv"))

    async def told(*said: str) -> list[set[str]]:
        answered = [one(await collect(made.stream(said[0], text)), Answered) for text in said]
        return [{a.label for a in answer.answers} for answer in answered]

    assert await told("How many days was the clock away?", "When was that brought in?", "How much did it cost?") == [
        {"14 days"}, {"2024-03-01"}, {"£45"},
    ]  # fmt: skip
    assert await told("How old was Ida when Nora Field died?", "And how old was Nora?") == [{"52 years"}, {"79 years"}]
    ages = await told("How old is Ida Field?", "and Nora?")
    assert ages[0] and ages[0] != ages[1] == {"79 years"}
    assert await told("How many days was the radio away?") == [set()]
    await made.close()


async def test_a_client_that_cannot_choose_is_told_what_was_taken(dukes: Any) -> None:
    made = router(dukes)
    answered: Answered = one(await collect(made.stream(None, "When was Duke born?")), Answered)
    assert answered.text == "I took it to be Duke (bull); it may also be Duke (horse). 2019-03-02 [1]."
    [thread] = await made.threads()
    said = await made.messages(thread.id)
    assert said[1].data["memory"][0]["rivals"] == ["Duke (bull)", "Duke (horse)"]
    await made.close()


async def test_another_reading_takes_the_answers_place(dukes: Any) -> None:
    made = router(dukes)
    events = await collect(made.stream("t", "When was the animal born?"))
    read: ReadAs = one(events, ReadAs)
    assert read.reading and read.reading.answers == ("2019-03-02",) and read.others[0].answers == ("2004-05-17",)
    again = await collect(made.read_as("t", read.message_id, 0))
    assert one(again, Answered).text == "2004-05-17 [1]." and (await made.messages("t"))[1].text == "2004-05-17 [1]."
    assert one(await collect(made.read_as("t", read.message_id, 7)), Failed).kind == "user"
    await made.close()


async def test_a_reading_that_is_only_offered_can_be_taken(dukes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sure = Interpreter.interpret

    def unsure(self: Interpreter, text: str, task: str, memory: Any, given: Any = ()) -> InterpretedTurn:
        first = self.follow_ups.interpretations(text, memory)[0]
        return self._read(first) if first.query else replace(sure(self, text, task, memory), none=0.8)

    monkeypatch.setattr(Interpreter, "interpret", unsure)
    made = router(dukes)
    events = await collect(made.stream("t", "When was the animal?"))
    assert one(events, Answered).text == "Not sure what is meant. Perhaps: when Duke (bull) was born?"
    read: ReadAs = one(events, ReadAs)
    assert read.reading is None and [r.answers for r in read.others] == [("2019-03-02",), ("2004-05-17",)]
    assert one(await collect(made.stream("t", "yes please")), Answered).text == "2019-03-02 [1]."
    again = await collect(made.read_as("t", read.message_id, 1))
    assert one(again, Answered).text == "2004-05-17 [1]."
    assert [r.answers for r in one(again, ReadAs).others] == [("2019-03-02",)]
    await made.close()


CITIES = {"Norway": "Oslo Bergen", "Italy": "Rome Milan Turin", "Japan": "Tokyo Osaka Kobe Kyoto"}


async def test_a_guess_is_the_graphs_own_predictors_and_says_what_speaks_for_it(tmp_path: Path) -> None:
    near = [(a, "near", b) for cities in CITIES.values() for a in cities.split() for b in cities.split() if a != b]
    lies = [(c, "lies in", country) for country, cities in CITIES.items() for c in cities.split() if c != "Kobe"]
    kinds = [(c, "is_a", "city") for cities in CITIES.values() for c in cities.split()]
    kg = NetworkxStore.from_triples([*kinds, *near, *lies])
    model = ScriptedChatModel(responses=lambda messages, arguments: "as it is")  # the predictor's order stays
    made = Assistant(kg, model, agent=False, method="query-graph")
    events = await collect(made.stream("t", "What might Kobe lie in?"))
    assert "has no link predictor" in one(events, Warned).text and one(events, Answered).kind != "prediction"
    data = LinkPredictionData.from_store(kg)
    train_links(replace(data, valid=data.train[:4]), kg, default_scorer_folder(kg, "links"), LinksSettings(("rules",)))
    events = await collect(made.stream("t", "What might Kobe lie in?"))
    answered = one(events, Answered)
    assert answered.kind == "prediction" and answered.answers[0].id == "Japan"
    cited = one(events, Citations).citations
    assert cited[0].labels == ("Kobe", "lies in", "Japan") and cited[0].source == "predicted"
    assert "For what is predicted first speaks: " in answered.text and cited[-1].source == "asserted"
    assert "guess of the link predictor" in one(await collect(made.stream("t", "why?")), Answered).text
    await made.close()


async def test_turns_at_once_do_not_wait_for_each_others_file(tmp_path: Path) -> None:
    made = router(threads=tmp_path / "threads.sqlite")
    started = time.perf_counter()

    async def turn(number: int) -> list[Event]:
        return await collect(made.stream(None, f"Tell me about Alien, time {number}", can_ask=True))

    for _ in range(3):
        turns = await asyncio.gather(*map(turn, range(6)))
        assert not [e for events in turns for e in events if isinstance(e, Failed)]
    assert time.perf_counter() - started < 9  # a statement waits 10 s for a locked file
    await made.close()


async def test_small_talk_and_look_ups_need_no_model(tmp_path: Path) -> None:
    made = Assistant("films", ScriptedChatModel(responses=[]), agent=False)
    hello = await collect(made.stream("t", "Hello!"))
    assert one(hello, Answered).kind == "chat" and not [e for e in hello if isinstance(e, Citations)]
    assert "".join(e.text for e in hello if isinstance(e, Token)) == one(hello, Answered).text
    await made.close()


async def test_who_greets_with_what_they_are_at_goes_on_to_speak_of_it() -> None:
    made = Assistant("films", ScriptedChatModel(responses=[]), agent=False, method="query-graph")
    greeted = await collect(made.stream("t", "hi, just sorting out the Amélie file"))
    assert one(greeted, Answered).kind == "chat"
    answered = one(await collect(made.stream("t", "who directed it?")), Answered)
    assert [a.label for a in answered.answers] == ["Jean-Pierre Jeunet"]
    await made.close()


async def test_mistakes_are_events() -> None:
    made = router()
    assert one(await collect(made.stream("t", " ?! ")), Failed).kind == "user"
    assert one(await collect(made.stream("t", "Hello", kg="nowhere")), Failed).kind == "user"
    assert one(await collect(made.resume("nowhere", "x")), Failed).kind == "user"
    assert await made.stop("t") is False
    await made.close()


async def test_the_agent_cites_and_says_what_nothing_supports() -> None:
    replies = ["Alien was directed by Ridley Scott [1]. It won 9 Oscars [7]."]
    model = ScriptedChatModel(responses=lambda m, k: script(m, k) if m[-1].type == "human" else replies[0])
    made = Assistant("films", model)
    events = await collect(made.stream("t", "Who directed Alien?"))
    answered: Answered = one(events, Answered)
    assert answered.text == "Alien was directed by Ridley Scott [1]. It won 9 Oscars."
    assert answered.unsupported == ("It won 9 Oscars.",) and one(events, Citations).citations[0].tail == "Ridley Scott"
    assert (await made.messages("t"))[1].data["usage"]["usage"]["calls"] == 2
    await made.close()


async def test_a_cap_ends_a_turn_and_a_thread() -> None:
    made = Assistant("films", ScriptedChatModel(responses=script), thread_caps=Caps(max_calls=3))
    assert one(await collect(made.stream("t", "Who directed Alien?")), Done).status == "done"
    failed = await collect(made.stream("t", "Who directed Alien?"))
    assert one(failed, Failed).kind == "budget" and one(failed, Done).status == "failed"
    await made.close()


async def test_stop_and_a_closed_connection_end_the_turn_within_a_second(tmp_path: Path) -> None:
    made = slow_assistant(str(tmp_path / "t.sqlite"), 30.0)
    listening = asyncio.create_task(collect(made.stream("t", "Who directed Alien?")))
    await asyncio.sleep(0.5)
    assert one(await collect(made.stream("t", "me too")), Failed).kind == "busy"
    started = time.perf_counter()
    assert await made.stop("t")
    assert one(await listening, Done).status == "stopped" and time.perf_counter() - started < 1
    stream = made.stream("t", "Who directed Alien?")
    listening = asyncio.create_task(collect(stream))
    await asyncio.sleep(0.3)
    listening.cancel()
    started = time.perf_counter()
    await asyncio.gather(listening, return_exceptions=True)
    while await made.stop("t"):
        pass
    assert time.perf_counter() - started < 1
    assert [m.status for m in await made.messages("t") if m.role == "assistant"] == ["stopped", "stopped"]
    await made.close()


async def test_a_client_that_keeps_the_conversation_gets_follow_ups(dukes: Any) -> None:
    made = router(dukes)
    events = await collect(
        made.stream(None, "and then?", history=[("user", "When was Duke born?"), ("assistant", "x")])
    )
    assert one(events, Done).thread_id == "" and await made.threads() == []
    await made.close()


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "after a restart"])
async def test_a_client_that_keeps_the_conversation_takes_a_reading_by_its_number(dukes: Any, kept: bool) -> None:
    made = router(dukes)
    history: list[tuple[str, str]] = []
    told = [("When was Duke born?", "2019", 1), ("2", "2004", 2), ("thanks", "", 0), ("Reading 1, please", "2019", 1)]
    for text, year, number in told:
        events = await collect(made.stream(None, text, history=history))
        answered: Answered = one(events, Answered)
        if number:
            assert year in answered.text and one(events, ReadAs).reading.number == number
        history += [("user", text), ("assistant", answered.text)]
        if not kept and number != 1:
            made = router(dukes)
            history = history[:4]  # what lies between names no readings that a new process could find again
    assert await made.threads() == []
    await made.close()


async def test_in_a_thread_a_number_takes_a_reading_in_a_turn_of_its_own(dukes: Any, threads_place: str) -> None:
    made = router(dukes, threads=threads_place)
    await collect(made.stream("t", "When was Duke born?"))
    await made.close()
    made = router(dukes, threads=threads_place)
    events = await collect(made.stream("t", "reading 2"))
    assert one(events, Answered).text == "2004-05-17 [1]." and "horse" in one(events, ReadAs).reading.text
    assert [r.number for r in one(events, ReadAs).others] == [1] and len(await made.messages("t")) == 4
    assert one(await collect(made.stream("t", "7")), Answered).text != "2004-05-17 [1]."  # of no reading
    await made.close()


async def test_a_reading_can_be_given_and_namesakes_are_told(dukes: Any) -> None:
    made = router(dukes)
    first: Answered = one(await collect(made.stream(None, "When was Duke born?")), Answered)
    assert [(o.id, o.hint.split(";")[0]) for o in first.namesakes] == [
        ("Duke (bull)", "bull"),
        ("Duke (horse)", "horse"),
    ]
    events = await collect(made.stream(None, "When was Duke born?", reading=2))
    assert one(events, Answered).text.endswith("2004-05-17 [1].") and one(events, ReadAs).margin < 0
    for history in (None, [], [("user", "When was Duke born?"), ("assistant", "x")]):
        assert "empty" in one(await collect(made.stream(None, "???", history=history)), Failed).message
    for reading in (0, 3):
        assert (
            "reading" in one(await collect(made.stream(None, "When was Duke born?", reading=reading)), Failed).message
        )
    assert one(await collect(made.stream(None, "Hello!", entities=["Nobody"])), Failed).kind == "user"
    await made.close()


async def test_suggestions_have_answers_and_the_overview_counts() -> None:
    made = router()
    assert len(await made.suggestions(limit=4)) == 4
    seen = await made.overview()
    assert seen.triples == len(load_kg("films")) and ("Film", 348) in seen.classes
    assert await made.add_graph(load_kg("films"), "films") == "films" and list(made.graphs) == ["films"]
    await made.close()


def kill_and_resume(path: Path, rng: random.Random) -> None:
    """Kill a child within a turn, then go on: nothing is doubled, nothing lost."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SUPPORT), str(SUPPORT.parent.parent)])}
    command = [sys.executable, str(SUPPORT / "assistant_turns.py"), str(path), "50"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    deadline = time.monotonic() + rng.uniform(0.3, 1.5)
    while time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    done = sum(1 for _ in child.stdout) - 1
    child.stdout.close()
    child.wait()

    async def resume_run() -> None:
        made = slow_assistant(str(path), 0.0)
        [thread] = await made.threads()
        before = await made.messages(thread.id)
        if thread.open:
            assert one(await collect(made.resume(thread.id)), Done).status == "done"
        said = await made.messages(thread.id)
        asked = [m.text for m in said if m.role == "user"]
        assert asked == [f"Who directed Alien, time {n}?" for n in range(len(asked))] and len(said) == len(before)
        assert len(asked) >= done + 1
        assert {m.text for m in said if m.role == "assistant"} == {"Alien was directed by Ridley Scott [1]."}
        await made.close()

    asyncio.run(resume_run())
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def test_a_kill_within_a_turn_loses_and_doubles_nothing(tmp_path: Path) -> None:
    for seed in range(2):
        kill_and_resume(tmp_path / "threads.sqlite", random.Random(seed))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_kills(tmp_path: Path) -> None:
    for seed in range(50):
        kill_and_resume(tmp_path / "threads.sqlite", random.Random(seed))


async def test_two_questions_of_one_sentence_are_answered_in_turn() -> None:
    triples = [("Jonty", "mentor", "Ben"), ("Jonty", "lives in", "Kirkby"), ("Moon Jar", "made by", "Jonty")]
    kg = NetworkxStore([*triples, ("Moon Jar", "price", '"400"')], types={"Moon Jar": ["piece"], "Jonty": ["potter"]})
    assistant = router(kg)
    events = await collect(assistant.stream("t", "Who made the Moon Jar and what does it cost?"))
    told = one(events, Answered)
    assert told.text == "Jonty [1]. 400 [2]." and [a.label for a in told.answers] == ["Jonty", "400"]
    assert [c.n for c in one(events, Citations).citations] == [1, 2]
    assert "".join(e.text for e in events if isinstance(e, Token)) == told.text
    assert len(await assistant.messages("t")) == 2
    later = await collect(assistant.stream("t", "who made it?"))
    assert one(later, Answered).text == "Jonty [1]."
    await assistant.close()


async def test_are_you_sure_after_no_answer_says_that_there_was_none() -> None:
    assistant = router(NetworkxStore([(f"Jar {n}", "kept in", "Barn") for n in range(25)]))
    await collect(assistant.stream("t", "What is kept in the Barn?"))
    assert one(await collect(assistant.stream("t", "sure?")), Answered).text.endswith("There are 5 more triples.")
    await collect(assistant.stream("t", "Who is the king of Spain?"))
    told = one(await collect(assistant.stream("t", "are you sure?")), Answered)
    assert told.kind == "evidence" and told.text.startswith("I gave no answer")
    await assistant.close()


async def test_why_after_an_open_claim_says_what_was_looked_for() -> None:
    homes = [("Ann", "lives in", "Kirkby"), ("Tom", "lives in", "Selby"), ("Ben", "works for", "Ann")]
    people = dict.fromkeys(("Ann", "Tom", "Ben"), ("person",))
    assistant = router(NetworkxStore(homes, types={**people, "Kirkby": ("town",), "Selby": ("town",)}))
    claimed = one(await collect(assistant.stream("t", "Ben lives in Kirkby.")), Answered)
    assert claimed.verdict == "not_enough_evidence"
    told = one(await collect(assistant.stream("t", "why?")), Answered)
    assert told.kind == "evidence" and told.text.startswith("I looked for: Ben lives in Kirkby.")
    assert "The graph does not say whether that is so." in told.text and "no triple" not in told.text
    await assistant.close()


async def test_that_there_are_no_others_is_said() -> None:
    assistant = router(NetworkxStore([(f"Jar {n}", "kept in", "Barn") for n in range(3)]))
    await collect(assistant.stream("t", "What is kept in the Barn?"))
    told = one(await collect(assistant.stream("t", "any others?")), Answered)
    assert told.kind == "nothing" and told.text.startswith("No others: ")
    await assistant.close()


async def test_what_is_no_name_is_asked_though_the_model_would_look_it_up() -> None:
    kg = NetworkxStore([("D-71", "fault", '"loose welt"'), ("D-76", "fault", '"wrong box"')])
    assistant = Assistant(kg, ScriptedChatModel(responses=["search"]), agent=False, method="query-graph")
    told = one(await collect(assistant.stream("t", "welts that are loose by now")), Answered)
    assert "is called" not in told.text
    await assistant.close()


async def test_who_somebody_is_is_all_that_is_told_of_him(dukes: Any) -> None:
    made = router(dukes)
    events = await collect(made.stream("t", "Who is Duke?", can_ask=True))
    assert {o.label for o in one(events, Choices).options} == {"Duke (bull)", "Duke (horse)"}
    events = await collect(made.stream("t", "the horse", can_ask=True))
    assert one(events, Answered).text.startswith("Duke (horse)") and "2004-05-17" in one(events, Answered).text
    answered: Answered = one(await collect(made.stream(None, "tell me about Duke")), Answered)
    assert answered.text.startswith("I took it to be Duke (bull); it may also be Duke (horse). Duke (bull)")
    await made.close()
