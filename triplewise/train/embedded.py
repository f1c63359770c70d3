"""The recipe of the adapter that the embedded model is used with.

    python -m triplewise.train.embedded --metaqa data/metaqa --out triplewise/data/embedded-adapter.gguf

Three examples composed from the bundled films, then two from MetaQA's training questions, in turn; the
tokens are llama.cpp's own, in the chat template of the weights, exactly as at run time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from triplewise.backends.llama_engine import embedded_weights
from triplewise.backends.llamacpp import ChatLlamaCpp
from triplewise.backends.tool_calls import plain_messages
from triplewise.kg import load_kg
from triplewise.train.adapter import AdapterSettings, train_adapter
from triplewise.train.skills import Composer, Example, metaqa_examples


def mixture(metaqa: Path, seed: int) -> Iterator[Example]:
    """Films and MetaQA, three to two, without end."""
    films = Composer(load_kg("films"), seed).examples()
    asked = metaqa_examples(metaqa, load_kg(metaqa / "kb.txt"), seed)
    while True:
        yield from (next(films) for _ in range(3))
        yield from (next(asked) for _ in range(2))


def main() -> None:
    """Train and write the adapter, and beside it what was done (JSON)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--metaqa", type=Path, required=True, help="MetaQA's folder (kb.txt, N-hop/…)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=0.0, help="stop early; 0 for no limit")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    weights = embedded_weights()
    model = ChatLlamaCpp(model_path=str(weights), n_ctx=512)
    end = model.engine.tokenize("<|im_end|>")

    def encode(example: Example) -> tuple[list[int], list[int]]:
        prompt = model.engine.render(plain_messages(example.messages, []))
        return model.engine.tokenize(prompt), model.engine.tokenize(example.reply, special=False) + end

    settings = AdapterSettings(steps=args.steps, minutes=args.minutes)
    done = train_adapter(
        weights,
        mixture(args.metaqa, args.seed),
        encode,
        args.out,
        settings,
        report=lambda step, loss, rate: print(f"step {step}  loss {loss:.3f}  {rate:.0f} tokens/s", flush=True),
    )
    args.out.with_suffix(".json").write_text(json.dumps(done, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
