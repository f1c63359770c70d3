"""A child process that answers slowly into a threads file, to be killed: FILE TURNS."""

from __future__ import annotations

import asyncio
import sys

from langchain_core.messages import AIMessage

from triplewise.backends.fake import ScriptedChatModel
from triplewise.graphs.assistant import Assistant


def script(messages, arguments):
    """Look Alien up, then say who directed it."""
    if messages[-1].type == "human":
        call = {"name": "explore_relations", "args": {"entity": "Alien", "relation": "directed by"}, "id": "c1"}
        return AIMessage("", tool_calls=[call])
    return "Alien was directed by Ridley Scott [1]."


def assistant(path: str, latency: float) -> Assistant:
    """An assistant over the bundled films."""
    return Assistant("films", ScriptedChatModel(responses=script, latency=latency), threads=path)


async def main(path: str, turns: int) -> None:
    """Turns one after the other, each told on stdout when it is done."""
    made = assistant(path, 0.05)
    print("ready", flush=True)
    for number in range(turns):
        async for _ in made.stream("t", f"Who directed Alien, time {number}?", can_ask=True):
            pass
        print(number, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
