"""What an adapter is trained on: a llama GGUF, dequantised exactly, or a Hugging Face folder.

Tokens are those of run time: for a GGUF llama.cpp's own tokenizer and the chat template in the file, for a folder
its tokenizer and template. An example without messages is a chunk of the graph: all its tokens but the first are
learned (equation 5), else those of the reply and the end-of-sequence token (equation 4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from triplewise.backends.llama.llama_engine import embedded_weights
from triplewise.backends.llama.llamacpp import ChatLlamaCpp
from triplewise.backends.tool_calls import plain_messages
from triplewise.errors import ConfigError, MissingExtraError
from triplewise.train.data.skills import Example
from triplewise.train.trainers.gguf_llama import load_llama

Encoded = tuple[list[int], list[int]]
"""Prompt tokens, reply tokens with the end-of-sequence token."""


class Base(Protocol):
    """A model to train."""

    path: Path

    def digest(self) -> str:
        """SHA-256 of the weights."""
        ...

    def load(self) -> Any:
        """The transformers model, in float32."""
        ...

    def encode(self, example: Example) -> Encoded:
        """An example as tokens, as at run time."""
        ...

    def save_tokenizer(self, folder: Path, samples: Sequence[str]) -> bool:
        """Write the tokenizer beside a saved model; False where none gives the same tokens on the samples."""
        ...


def open_base(spec: str) -> Base:
    """``embedded``, a GGUF file or a Hugging Face folder; raises ConfigError on anything else."""
    if spec == "embedded":
        return GgufBase(embedded_weights())
    path = Path(spec).expanduser()
    if path.is_dir() and (path / "config.json").is_file():
        return FolderBase(path)
    if path.is_file() and path.suffix == ".gguf":
        return GgufBase(path)
    raise ConfigError(
        f"no base model {spec!r}.", "Give embedded, a GGUF file, or a Hugging Face folder (config.json, *.safetensors)."
    )


@dataclass
class GgufBase:
    """A GGUF with the llama architecture."""

    path: Path

    @cached_property
    def _engine(self) -> Any:
        return ChatLlamaCpp(model_path=str(self.path), n_ctx=512).engine

    def digest(self) -> str:
        """SHA-256 of the file."""
        return _sha256([self.path])

    def load(self) -> Any:
        """The dequantised model."""
        return load_llama(self.path)

    def encode(self, example: Example) -> Encoded:
        """By llama.cpp's tokenizer."""
        tokens = self._engine.tokenize(example.reply, special=False)
        if not example.messages:
            return tokens[:1], tokens[1:]
        prompt = self._engine.render(plain_messages(example.messages, []))
        return self._engine.tokenize(prompt), [*tokens, self._engine.llm.token_eos()]

    def save_tokenizer(self, folder: Path, samples: Sequence[str]) -> bool:
        """The file's tokenizer as transformers reads it, put right where that loses the splitting of digits."""
        from tokenizers import pre_tokenizers
        from transformers import AutoTokenizer

        tokenizer: Any = AutoTokenizer.from_pretrained(str(self.path.parent), gguf_file=self.path.name)
        plain = tokenizer.backend_tokenizer.pre_tokenizer

        def same() -> bool:
            return all(
                tokenizer(text, add_special_tokens=False).input_ids == self._engine.tokenize(text) for text in samples
            )

        for split in (plain, pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), plain])):
            tokenizer.backend_tokenizer.pre_tokenizer = split
            if same():
                tokenizer.save_pretrained(str(folder))
                return True
        return False


@dataclass
class FolderBase:
    """A folder with a causal language model in safetensors, its tokenizer and a chat template."""

    path: Path

    @cached_property
    def _tokenizer(self) -> Any:
        try:
            from transformers import AutoTokenizer
        except ImportError:
            raise MissingExtraError("training", "train") from None
        try:
            tokenizer: Any = AutoTokenizer.from_pretrained(str(self.path), local_files_only=True)
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.path} has no tokenizer that can be read: {_first_line(error)}") from None
        if not tokenizer.chat_template or tokenizer.eos_token_id is None:
            raise ConfigError(
                f"{self.path}: the tokenizer has no chat template or no end-of-sequence token.", "Give a chat model."
            )
        return tokenizer

    @cached_property
    def model_type(self) -> str:
        """The architecture, such as llama."""
        try:
            return str(json.loads((self.path / "config.json").read_text(encoding="utf-8"))["model_type"])
        except (OSError, ValueError, KeyError):
            raise ConfigError(f"{self.path}/config.json names no model_type.") from None

    def digest(self) -> str:
        """SHA-256 of the safetensors, in their order."""
        return _sha256(sorted(self.path.glob("*.safetensors")))

    def load(self) -> Any:
        """The model of the folder; raises ConfigError where it has none in safetensors."""
        import torch
        from transformers import AutoModelForCausalLM

        try:
            return AutoModelForCausalLM.from_pretrained(
                str(self.path), local_files_only=True, use_safetensors=True, dtype=torch.float32
            )
        except (OSError, ValueError, KeyError) as error:
            raise ConfigError(f"{self.path} cannot be loaded: {_first_line(error)}") from None

    def encode(self, example: Example) -> Encoded:
        """By the folder's tokenizer and chat template."""
        tokenizer = self._tokenizer
        tokens = tokenizer(example.reply, add_special_tokens=False).input_ids
        if not example.messages:
            return tokens[:1], tokens[1:]
        prompt = tokenizer.apply_chat_template(
            plain_messages(example.messages, []), add_generation_prompt=True, tokenize=False
        )
        return tokenizer(prompt, add_special_tokens=False).input_ids, [*tokens, tokenizer.eos_token_id]

    def save_tokenizer(self, folder: Path, samples: Sequence[str]) -> bool:
        """The folder's own."""
        self._tokenizer.save_pretrained(str(folder))
        return True


def _sha256(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
