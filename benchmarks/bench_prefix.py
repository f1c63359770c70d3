"""What prefix reuse saves: 50 questions through the 12-shot segmentation prompt, embedded model.

    python benchmarks/bench_prefix.py

With reuse, each question evaluates its own words only; without, the engine forgets everything before
each call. Target: with reuse at most a quarter of the time without. One token is decoded per call, so
that the times are those of reading the prompts.
"""

from __future__ import annotations

import argparse
import statistics
import time

from triplewise.agents.kg_gpt.few_shot import examples_text
from triplewise.backends.llama.llamacpp import ChatLlamaCpp
from triplewise.prompts.template import load_prompt


def main() -> None:
    """Time both ways, in turn, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=50)
    parser.add_argument("--shots", type=int, default=12)
    args = parser.parse_args()
    model = ChatLlamaCpp.from_spec("embedded", max_tokens=1)
    prompt = load_prompt("kg_gpt/segment_ask")
    examples = examples_text("segment", "ask", "compact", args.shots)
    asked = [
        prompt.render(examples=examples, sentence=f"who directed film number {i}", entities=f"film number {i}")
        for i in range(args.n)
    ]
    model.invoke("warm up")
    totals: dict[str, list[float]] = {"with reuse": [], "without": []}
    evaluated = dict.fromkeys(totals, 0)
    for name, times in totals.items():
        model.pool.forget()
        for messages in asked:
            if name == "without":
                model.pool.forget()
            started = time.perf_counter()
            usage = model.invoke(messages).usage_metadata
            times.append(time.perf_counter() - started)
            assert usage is not None
            evaluated[name] += usage["input_tokens"] - usage.get("input_token_details", {}).get("cache_read", 0)
    for name, times in totals.items():
        print(
            f"{name:11} {args.n} calls, {sum(times):6.2f} s, median {statistics.median(times) * 1000:6.1f} ms, "
            f"{evaluated[name]:,} prompt tokens evaluated"
        )
    print(f"ratio {sum(totals['with reuse']) / sum(totals['without']):.3f}")


if __name__ == "__main__":
    main()
