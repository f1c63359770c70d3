"""Play conversations with the assistant, each turn scored: ``python -m triplewise.evals.conversations.play CORPUS``."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from itertools import groupby, islice
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from triplewise.agents.assistant.events import Event
from triplewise.evals.conversations.score import Summary, TurnScore, score_turn
from triplewise.evals.conversations.talks import Talk, development, training
from triplewise.graphs.assistant import Assistant


async def play(
    talk: Talk,
    model: BaseChatModel,
    *,
    method: str = "",
    agent: bool | None = None,
    on_turn: Callable[[TurnScore], None] | None = None,
) -> list[TurnScore]:
    """One conversation from its beginning: each turn follows on what the assistant itself said before."""
    assistant = Assistant({talk.domain.name: talk.domain.store}, model, method=method, agent=agent)
    scores = []
    try:
        for number, turn in enumerate(talk.turns):
            events: list[Event] = [e async for e in assistant.stream(talk.id, turn.user, can_ask=True)]
            scores.append(score_turn(talk, number, events))
            if on_turn:
                on_turn(scores[-1])
    finally:
        await assistant.close()
    return scores


async def play_all(
    talks: Iterable[Talk],
    model: BaseChatModel,
    *,
    method: str = "",
    agent: bool | None = None,
    on_turn: Callable[[TurnScore], None] | None = None,
) -> Summary:
    """Conversations one after the other."""
    scores = [
        s for talk in talks for s in await play(talk, model, method=method, agent=agent, on_turn=on_turn)
    ]  # fmt: skip
    return Summary(tuple(scores))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--domains", nargs="*", default=(), help="training domains to develop with; default: all")
    parser.add_argument("--development", action="store_true", help="the held-out domains: to measure, never to tune")
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("--method", default="")
    parser.add_argument("--limit", type=int, help="the first N conversations of each domain; default: all")
    parser.add_argument("--out", type=Path, help="a JSON line for each turn")
    given = parser.parse_args()
    from triplewise.backends import load_chat_model

    chosen = development(given.corpus) if given.development else training(given.corpus, given.domains)
    if given.limit is not None:
        by_domain = groupby(chosen, key=lambda talk: talk.domain.name)
        chosen = [talk for _, found in by_domain for talk in islice(found, given.limit)]
    model = load_chat_model(given.model)
    summary = asyncio.run(play_all(chosen, model, method=given.method, on_turn=_tell))
    if given.out:
        given.out.write_text("".join(f"{json.dumps(asdict(t), ensure_ascii=False)}\n" for t in summary.turns))
    print("\n".join(summary.lines()))


def _tell(turn: TurnScore) -> None:
    print(f"{turn.talk} {turn.number + 1} {turn.act} {'right' if turn.right else 'wrong'}", file=sys.stderr)


if __name__ == "__main__":
    main()
