"""The recipe of the adapter that the embedded model is used with.

    python -m triplewise.train.trainers.embedded --metaqa data/metaqa --fb15k data/fb15k-237 --wn18rr data/wn18rr \\
        --out embedded-adapter.gguf --minutes 70

Skills composed from the graphs and from MetaQA's training questions (``triplewise.train.data.mixture``); the tokens
are llama.cpp's own, in the chat template of the weights, exactly as at run time. A run that was killed goes
on when the same command is given again; the adapter on disk is usable after each checkpoint.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path

from triplewise.backends.llama.llama_engine import embedded_weights
from triplewise.errors import TriplewiseError
from triplewise.train.data.mixture import Mixture, held_out_keys
from triplewise.train.trainers.adapter import AdapterSettings
from triplewise.train.trainers.agreement import check_export
from triplewise.train.trainers.bases import GgufBase
from triplewise.train.trainers.stages import Stage, train_adapter


def main() -> None:
    """Train and write the adapter, and beside it what was done (JSON)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--metaqa", type=Path, help="MetaQA's folder (kb.txt, N-hop/…)")
    parser.add_argument("--fb15k", type=Path, help="FB15k-237's folder (train.txt, entity2text.txt)")
    parser.add_argument("--wn18rr", type=Path, help="WN18RR's folder")
    parser.add_argument("--out", type=Path, required=True, help="the adapter (GGUF)")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--minutes", type=float, default=0.0, help="of training; 0 for no limit")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0: all")
    parser.add_argument("--dev", type=int, default=200, help="development examples scored at each checkpoint")
    parser.add_argument("--hold-out", type=float, default=0.0, help="share of the relations kept from training")
    parser.add_argument("--check", type=int, default=0, help="development prompts on which llama.cpp is compared")
    args = parser.parse_args()
    try:
        print(json.dumps(recipe(args)["history"][-1:]))
    except TriplewiseError as error:
        parser.exit(1, f"{error}\n")


def recipe(args: argparse.Namespace) -> dict:
    """The training as the command line asks for it."""
    held_out = held_out_keys(args.hold_out)
    mixture = Mixture(args.metaqa, args.fb15k, args.wn18rr, held_out)
    base = GgufBase(embedded_weights())
    dev = [
        (example.skill, base.encode(example))
        for example in islice(mixture.examples(args.seed + 1_000_000, dev=True), args.dev)
    ]
    training = train_adapter(
        base,
        [Stage("skills", args.steps, map(base.encode, mixture.examples(args.seed)))],
        args.out,
        AdapterSettings(
            steps=args.steps, minutes=args.minutes, batch=args.batch, lr=args.lr, seed=args.seed, every=args.every,
            threads=args.threads,
        ),
        dev=dev,
        report=lambda line: print(line, flush=True),
    )  # fmt: skip
    done = training.progress() | {"adapter": args.out.name}
    if args.check:
        prompts = [prompt for _, (prompt, _) in dev[: args.check]]
        done["agreement"] = check_export(training, base, prompts)
        done["agreement_float32"] = check_export(training, base, prompts, float32=True)
    done["held_out"] = sorted(held_out)
    args.out.with_suffix(".json").write_text(json.dumps(done, indent=2) + "\n", encoding="utf-8")
    return done


if __name__ == "__main__":
    main()
