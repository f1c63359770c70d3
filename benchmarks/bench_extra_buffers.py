"""What llama.cpp's extra buffer types are worth on this CPU: the same prompts with them and without.

    python benchmarks/bench_extra_buffers.py

They repack quantised weights for the CPU's matrix instructions. triplewise leaves them out unless
``TRIPLEWISE_EXTRA_BUFFERS`` is set: on CPUs with AMX llama.cpp ends with an illegal instruction where an adapter is
applied. Each setting runs in a process of its own, so that such an end is told and not shared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from triplewise.backends import load_chat_model

PROMPT = "Name the director of a film about the sea, in one sentence. "
SETTINGS = {"without": "0", "with": "1"}


def measure(model: str, n: int) -> None:
    """Print tokens a second: of ``n`` prompts of some 500 tokens that share no prefix, and of replies of 32."""
    chat = load_chat_model(model, cache=False, max_tokens=32)
    chat.invoke("warm up")
    read = written = 0.0
    prompts = [f"{i}. {PROMPT * 40}" for i in range(n)]
    tokens = sum(chat.get_num_tokens(p) for p in prompts)
    replied = 0
    for prompt in prompts:
        begun = time.perf_counter()
        chat.invoke(prompt, max_tokens=1)
        read += time.perf_counter() - begun
    for i in range(n):
        begun = time.perf_counter()
        usage = chat.invoke(f"Tell a story, number {i}.").usage_metadata
        written += time.perf_counter() - begun
        replied += usage["output_tokens"] if usage else 0
    print(f"prompt {tokens / read:8.0f} tokens/s   reply {replied / written:8.1f} tokens/s")


def main() -> None:
    """Measure both settings, each in a child."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("-n", type=int, default=10, help="prompts and replies a setting")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        measure(args.model, args.n)
        return
    for name, value in SETTINGS.items():
        command = [sys.executable, __file__, "--one", "--model", args.model, "-n", str(args.n)]
        done = subprocess.run(
            command, env={**os.environ, "TRIPLEWISE_EXTRA_BUFFERS": value}, capture_output=True, text=True
        )
        said = done.stdout.strip() if done.returncode == 0 else f"ended by signal or status {done.returncode}"
        print(f"{name:8} {said}", flush=True)


if __name__ == "__main__":
    main()
