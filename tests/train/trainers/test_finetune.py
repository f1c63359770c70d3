"""Training from data to adapter, on a tiny llama with random weights: stages, bases, resuming, export, mistakes.

The tiny model's weights are float32 in the GGUF too, so that llama.cpp and transformers must agree but for ties.
"""

from __future__ import annotations

import copy
import json
import shutil
import signal
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from tiny_llama import write_tiny_llama

from triplewise.backends import load_chat_model
from triplewise.errors import ConfigError
from triplewise.kg import load_kg
from triplewise.train.data.dataset import Recipe, draw
from triplewise.train.data.rows import read_rows, write_rows
from triplewise.train.sentences.compose import Vocabulary
from triplewise.train.trainers.adapter import AdapterSettings, AdapterTraining, checkpoint_path
from triplewise.train.trainers.bases import FolderBase, GgufBase, open_base
from triplewise.train.trainers.finetune import TrainingSchedule, finetune

for needed in ("torch", "peft", "gguf", "llama_cpp"):
    pytest.importorskip(needed)

pytestmark = [pytest.mark.first, pytest.mark.local]
SETTINGS = AdapterSettings(batch=4, lr=0.01, every=3, threads=1, warmup=2, rank=4, alpha=8.0)
SCHEDULE = TrainingSchedule(epochs=0.8, checks=4, longest=256)


class Once(GgufBase):
    """Reads its file once: gguf takes seconds for the vocabulary."""

    def load(self) -> Any:
        self.model = getattr(self, "model", None) or super().load()
        return copy.deepcopy(self.model)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> GgufBase:
    return Once(write_tiny_llama(tmp_path_factory.mktemp("tiny") / "tiny.gguf"))


@pytest.fixture(scope="module")
def folder(tiny: GgufBase, tmp_path_factory: pytest.TempPathFactory) -> FolderBase:
    """The same model as a Hugging Face folder."""
    path = tmp_path_factory.mktemp("hf") / "tiny"
    tiny.load().save_pretrained(str(path))
    assert tiny.save_tokenizer(path, ["in 1999"])
    return FolderBase(path)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "films.jsonl"
    vocabulary = Vocabulary(load_kg("films"))
    rows = list(draw(vocabulary, Recipe(examples=20, dev=4), lambda text: len(text) // 3))
    graph = [r for r in rows if r.stage == "pretraining"][:14]
    write_rows(path, [*(r for r in rows if r.stage != "pretraining"), *graph], {})
    return path


class Killed(Exception):
    pass


def at_step(step: int, do: Any) -> Any:
    def report(line: str) -> None:
        if line.startswith(f"step {step} "):
            do()

    return report


def kill() -> None:
    raise Killed


# what comes out ------------------------------------------------------------------------------------------------


def test_an_adapter_in_three_stages(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    out, lines = tmp_path / "a.gguf", list[str]()
    done = finetune([data], tiny, out, SETTINGS, replace(SCHEDULE, float32=True), report=lines.append)
    assert done["agreement_float32"] == done["agreement"]  # its weights are float32 in any case
    assert done["settings"]["stages"] == "instruction:4,pretraining:3,reasoning:4" and done["steps"] == 11
    assert [h["step"] for h in done["history"]] == [3, 6, 9, 11] and "segment" in str(done["history"])
    found = done["agreement"]
    assert found["prompts"] == 4 == found["equal"] + found["near_ties"]
    assert max(found["margins"], default=0) < 0.01 and found["equal_tokens"] > 0.95 * found["tokens"]
    assert {p.name for p in tmp_path.iterdir()} == {"a.gguf", "a.json"}
    assert json.loads((tmp_path / "a.json").read_text())["sha256"] == done["sha256"]
    plain = load_chat_model(f"llamacpp:{tiny.path}", max_tokens=8, n_ctx=256)
    adapted = load_chat_model(f"llamacpp:{tiny.path}+{out}", max_tokens=8, n_ctx=256)
    assert plain.invoke("Who directed Alien?").text != adapted.invoke("Who directed Alien?").text
    with pytest.raises(ConfigError, match="is there already"):
        finetune([data], tiny, out, SETTINGS, SCHEDULE)


def test_a_stage_left_out(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    schedule = replace(SCHEDULE, stages=("reasoning", "instruction"), checks=0)
    done = finetune([data], tiny, tmp_path / "a.gguf", SETTINGS, schedule)
    assert done["settings"]["stages"] == "instruction:4,reasoning:4" and "agreement" not in done


@pytest.mark.slow
def test_all_parameters(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    out = tmp_path / "whole"
    settings = replace(SETTINGS, full=True, lr=0.003, every=100)
    schedule = replace(SCHEDULE, stages=("instruction",), epochs=8.0)
    lines = list[str]()
    done = finetune([data], tiny, out, settings, schedule, report=lines.append)
    assert done["loss"] < float(lines[0].split("loss ")[1].split()[0]) - 1
    model = AutoModelForCausalLM.from_pretrained(str(out))
    assert model.config.hidden_size == 64 and (out / "training.json").is_file()
    again = open_base(str(out))
    example = read_rows(data)[0].example
    assert again.encode(example) == tiny.encode(example)
    with pytest.raises(ConfigError, match="saved as a folder"):
        finetune([data], tiny, tmp_path / "x.gguf", settings, schedule)


def test_a_hugging_face_folder(tiny: GgufBase, folder: FolderBase, data: Path, tmp_path: Path) -> None:
    from peft import PeftModel

    schedule = replace(SCHEDULE, stages=("reasoning",))
    done = finetune([data], folder, tmp_path / "peft", SETTINGS, schedule)
    with warnings.catch_warnings(action="ignore", category=FutureWarning):
        loaded = PeftModel.from_pretrained(folder.load(), str(tmp_path / "peft"))
    assert sum("lora_B" in n and bool(p.abs().sum()) for n, p in loaded.named_parameters()) == 14
    assert "agreement" not in done
    finetune([data], folder, tmp_path / "from-folder.gguf", SETTINGS, schedule)
    finetune([data], tiny, tmp_path / "from-gguf.gguf", SETTINGS, schedule)
    assert (tmp_path / "from-folder.gguf").read_bytes() == (tmp_path / "from-gguf.gguf").read_bytes()


def test_another_architecture(folder: FolderBase, data: Path, tmp_path: Path) -> None:
    """Its logits are its own affair; of a llama they are the same by either way."""
    from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

    config = GPTNeoXConfig(
        vocab_size=49152, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=48
    )
    other = tmp_path / "neox"
    shutil.copytree(folder.path, other)
    GPTNeoXForCausalLM(config).save_pretrained(str(other))
    schedule = replace(SCHEDULE, stages=("reasoning",))
    assert finetune([data], FolderBase(other), tmp_path / "peft", SETTINGS, schedule)["steps"] == 4
    training = AdapterTraining(folder, tmp_path / "x.gguf", SETTINGS)
    batch = [folder.encode(r.example) for r in read_rows(data)[:3]]
    fast = training.loss(batch).item()
    training._language_model.config.model_type = "other"
    assert training.loss(batch).item() == pytest.approx(fast, rel=1e-3)


# interruptions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", ["killed", pytest.param("ctrl-c", marks=pytest.mark.slow)])
def test_an_interrupted_run_ends_with_the_same_bytes(tiny: GgufBase, data: Path, tmp_path: Path, stop: str) -> None:
    schedule = replace(SCHEDULE, checks=0)
    whole, parts = tmp_path / "whole.gguf", tmp_path / "parts.gguf"
    done = finetune([data], tiny, whole, SETTINGS, schedule)
    for step in (3, 6):  # in the first stage, and in the second
        do = kill if stop == "killed" else lambda: signal.raise_signal(signal.SIGINT)
        with pytest.raises(Killed if stop == "killed" else KeyboardInterrupt):
            finetune([data], tiny, parts, SETTINGS, schedule, report=at_step(step, do))
        assert checkpoint_path(parts).is_file() and not parts.with_suffix(".json").exists()
    again = finetune([data], tiny, parts, SETTINGS, schedule)
    assert again["history"] == done["history"] and again["loss"] == done["loss"]
    assert parts.read_bytes() == whole.read_bytes()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_checkpoint_of_another_training_is_refused(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    out, schedule = tmp_path / "a.gguf", replace(SCHEDULE, checks=0)
    with pytest.raises(Killed):
        finetune([data], tiny, out, SETTINGS, schedule, report=at_step(3, kill))
    other = Once(tmp_path / "other.gguf")
    other.path.write_bytes(tiny.path.read_bytes()[:-4] + bytes(4))
    other.model = tiny.load()
    fewer = tmp_path / "fewer.jsonl"
    fewer.write_text("".join(data.read_text().splitlines(keepends=True)[:-8]))
    for arguments, name in (
        (([data], other, out, SETTINGS, schedule), "base"),
        (([fewer], tiny, out, SETTINGS, schedule), "data"),
        (([data], tiny, out, SETTINGS, replace(schedule, stages=("reasoning",))), "stages"),
        (([data], tiny, out, replace(SETTINGS, seed=7), schedule), "seed"),
    ):
        with pytest.raises(ConfigError, match=f"other settings: .*{name}"):
            finetune(*arguments)


@pytest.mark.slow
def test_a_checkpoint_that_knows_fewer_settings_is_gone_on_with(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    from safetensors import safe_open
    from safetensors.torch import save_file

    out, schedule = tmp_path / "a.gguf", replace(SCHEDULE, checks=0)
    with pytest.raises(Killed):
        finetune([data], tiny, out, SETTINGS, schedule, report=at_step(3, kill))
    with safe_open(checkpoint_path(out), "pt") as file:
        state = json.loads(file.metadata()["state"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    for name in ("full", "base", "data", "stages"):
        del state["settings"][name]
    save_file(tensors, checkpoint_path(out), {"state": json.dumps(state)})
    lines = list[str]()
    assert finetune([data], tiny, out, SETTINGS, schedule, report=lines.append)["steps"] == 11
    assert lines[0].startswith("goes on after step 3")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_run_killed_by_the_system_ends_with_the_same_bytes(tiny: GgufBase, data: Path, tmp_path: Path) -> None:
    settings, schedule = AdapterSettings(batch=2, every=5, threads=1), TrainingSchedule(checks=0)
    whole, parts = tmp_path / "whole.gguf", tmp_path / "parts.gguf"
    finetune([data], tiny, whole, settings, schedule)
    arguments = ["--data", str(data), "--base", str(tiny.path), "--out", str(parts), "--check", "0", "--threads", "1"]
    program = "from triplewise.interfaces.cli import main; main()"
    command = [sys.executable, "-c", program, "train", "adapter", *arguments, "--batch", "2", "--every", "5"]
    for written in (1, 2):  # killed in the first stage, and again after it went on
        before = checkpoint_path(parts).stat().st_mtime_ns if checkpoint_path(parts).exists() else 0
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
            while not checkpoint_path(parts).exists() or checkpoint_path(parts).stat().st_mtime_ns == before:
                assert process.poll() is None, f"it ended before checkpoint {written}"
                time.sleep(0.02)
            process.kill()
        assert process.returncode == -signal.SIGKILL
    finetune([data], tiny, parts, settings, schedule)
    assert parts.read_bytes() == whole.read_bytes()


# mistakes ------------------------------------------------------------------------------------------------------


def test_mistakes(tiny: GgufBase, folder: FolderBase, data: Path, tmp_path: Path) -> None:
    out, graph = tmp_path / "a.gguf", tmp_path / "graph.jsonl"
    graph.write_text('{"stage": "pretraining", "text": "Alien:\\n  directed by: Ridley Scott"}\n')
    for paths, arguments, problem in (
        ([data], (out, SETTINGS, TrainingSchedule(stages=("dreams",))), "no stage 'dreams'"),
        ([graph], (out, SETTINGS, TrainingSchedule(stages=("reasoning",))), "no line of the reasoning stage"),
        ([graph], (out, SETTINGS, TrainingSchedule(longest=8)), "no line of the pretraining stage can be trained on"),
        ([data], (tmp_path / "no" / "a.gguf", SETTINGS, SCHEDULE), "is no folder"),
    ):
        with pytest.raises(ConfigError, match=problem):
            finetune(paths, tiny, *arguments)
    with FileLock(f"{out}.lock"), pytest.raises(ConfigError, match="another process is training"):
        finetune([data], tiny, out, SETTINGS, SCHEDULE)
    with pytest.raises(ConfigError, match="no device 'tpu'"):
        finetune([data], tiny, out, SETTINGS, SCHEDULE, device="tpu")
    other = tmp_path / "qwen"
    other.mkdir()
    (other / "config.json").write_text('{"model_type": "qwen2"}')
    with pytest.raises(ConfigError, match="GGUF adapters are written for llama"):
        finetune([data], FolderBase(other), out, SETTINGS, SCHEDULE)
    with pytest.raises(ConfigError, match="no chat template"):
        finetune([data], FolderBase(other), tmp_path / "x", SETTINGS, SCHEDULE)
    for spec in ("nowhere.gguf", str(tmp_path), "gpt-4"):
        with pytest.raises(ConfigError, match="no base model"):
            open_base(spec)
    (tmp_path / "no.gguf").write_bytes(b"not a model")
    with pytest.raises(ConfigError, match="is not a GGUF file"):
        finetune([data], open_base(str(tmp_path / "no.gguf")), out, SETTINGS, SCHEDULE)
    assert not out.exists() and not checkpoint_path(out).exists()


# the embedded model --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_embedded_model(data: Path, tmp_path: Path) -> None:
    schedule = TrainingSchedule(("reasoning",), epochs=1.0, longest=160, checks=4, float32=True)
    settings = AdapterSettings(batch=4, every=100, threads=1, warmup=2)
    lines = list[str]()
    done = finetune([data], open_base("embedded"), tmp_path / "a.gguf", settings, schedule, report=lines.append)
    assert done["loss"] < 3.5 and done["agreement"]["equal"] + done["agreement"]["near_ties"] == 4
    assert done["agreement_float32"]["equal"] >= 3  # what is left of a difference is llama.cpp's cache in float16


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_s_first_example(tmp_path: Path) -> None:
    """The commands at the top of docs/training.md, as they stand there."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "training.md").read_text(encoding="utf-8")
    commands = page.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert len(commands) == 2
    for command in commands:
        words = command.split()[1:]
        program = "from triplewise.interfaces.cli import main; main()"
        subprocess.run([sys.executable, "-c", program, *words], check=True, cwd=tmp_path, capture_output=True)
    record = json.loads((tmp_path / "films.json").read_text())
    found = record["agreement"]
    assert found["equal"] + found["near_ties"] == found["prompts"] == 8
    model = load_chat_model(f"llamacpp:{open_base('embedded').path}+{tmp_path / 'films.gguf'}", n_ctx=512)
    assert model.invoke("Plan the look-ups.\nWho directed Alien?").text
