"""Settings: argument > environment (``TRIPLEWISE_…``) > file > default, typed.

Files: ``./triplewise.toml``, then ``triplewise/config.toml`` in the user's configuration folder
(XDG_CONFIG_HOME, else ~/.config); a key of the first wins over the same key of the second. ::

    kg = "films.tsv"
    model = "openai:gpt-4o-mini"
    max_cost = 2.0                      # US dollars

    [prices."openai:gpt-4o-mini"]       # US dollars per million tokens, as your provider states them
    prompt = 0.5
    completion = 1.5
"""

from __future__ import annotations

import base64
import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from triplewise.errors import ConfigError
from triplewise.places import config_folder
from triplewise.types import Caps, Price

PREFIX = "TRIPLEWISE_"
MAX_FILE = 1_000_000
"""Bytes of a settings file."""


class Settings(BaseSettings):
    """What the command line and the servers are set to; ``load_settings`` makes it."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    kg: str = "films"
    """Graph file or folder, or the name of the bundled graph."""
    model: str = "llamacpp:embedded"
    method: str | None = None
    preset: str = "default"
    top_k: PositiveInt | None = None
    shots: NonNegativeInt | None = None
    knowledge: str | None = None
    index: str | None = None
    """cot-kg's index: a folder or the URL of a Chroma server; None: in the user's cache."""
    embedder: str = "minilm"
    retrieval: str | None = None
    """cot-kg's: follow, dense, bm25 or fusion."""
    timeout: PositiveFloat | None = Field(None, allow_inf_nan=False)
    """Seconds for one try of one call to a server."""
    max_retries: NonNegativeInt | None = None
    max_concurrency: PositiveInt | None = None
    """Calls in flight to a server."""
    cache: bool | str | None = None
    """True, False, a path, or None: on at temperature 0 (see docs/backends.md)."""
    max_calls: NonNegativeInt | None = None
    max_tokens: NonNegativeInt | None = None
    """Cap on prompt and completion tokens of the whole run."""
    max_cost: NonNegativeFloat | None = None
    """Cap in US dollars; needs the model's price."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """US dollars per million tokens, by model string. None are built in: prices change."""

    @field_validator("cache", mode="before")
    @classmethod
    def _switch_or_path(cls, value: Any) -> Any:
        word = value.strip().lower() if isinstance(value, str) else None
        if word in ("1", "true", "on", "yes"):
            return True
        return False if word in ("0", "false", "off", "no") else value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, environment, then the files."""
        files = (TomlConfigSettingsSource(settings_cls, path) for path in config_files())
        return init_settings, env_settings, *files

    def model_options(self) -> dict[str, Any]:
        """What ``load_chat_model`` takes from the settings."""
        options = {
            "timeout": self.timeout,
            "max_retries": self.max_retries,
            "max_concurrency": self.max_concurrency,
            "price": self.prices.get(self.model),
        }
        return {"cache": self.cache, **{name: value for name, value in options.items() if value is not None}}

    def budget(self) -> Caps:
        """The caps on what a run may spend, for ``use_budget``."""
        return Caps(self.max_calls, self.max_tokens, self.max_cost)


def authorization(service: str) -> dict[str, str]:
    """The header that a server of one's own asks for, by TRIPLEWISE_<service>_TOKEN, or _USER and _PASSWORD; {} without
    them. They stay in the environment: no file and no argument holds them."""
    if token := os.environ.get(f"{PREFIX}{service}_TOKEN"):
        return {"Authorization": f"Bearer {token}"}
    if user := os.environ.get(f"{PREFIX}{service}_USER"):
        pair = f"{user}:{os.environ.get(f'{PREFIX}{service}_PASSWORD', '')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    return {}


def config_files() -> list[Path]:
    """The settings files that exist, the one that wins first."""
    places = [Path("triplewise.toml")]
    if folder := config_folder():
        places.append(folder / "config.toml")
    return [path for path in places if path.is_file()]


def load_settings(**arguments: Any) -> Settings:
    """The settings with these arguments on top; an argument of None is one not given.

    Raises ConfigError that names the argument, the variable or the file that a bad value came from.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    files = {path: _read(path) for path in config_files()}
    try:
        return Settings(**given)
    except ValidationError as error:
        problem = error.errors()[0]
        name = str(problem["loc"][0])
        where = _source(name, given, files)
        if problem["type"] == "extra_forbidden":
            raise ConfigError(f"{where}: no such setting.", f"Known: {', '.join(Settings.model_fields)}.") from None
        within = ".".join(str(part) for part in problem["loc"][1:])
        raise ConfigError(f"{where} is {problem['input']!r}{within and f' at {within}'}: {problem['msg']}.") from None
    except SettingsError as error:  # a variable that must be JSON and is not
        name = next((n for n in Settings.model_fields if f'"{n}"' in str(error)), "")
        raise ConfigError(f"{PREFIX}{name.upper()} is not valid JSON.") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_FILE:
            raise ConfigError(f"{path} is larger than {MAX_FILE:,} bytes.", "Is it a settings file of triplewise?")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ConfigError(f"{path} is nested too deeply.", "Is it a settings file of triplewise?") from None
    except ValueError as error:  # TOML's own error, bytes that are not UTF-8, numbers of thousands of digits
        raise ConfigError(f"{path} is not valid TOML: {error}.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None


def _source(name: str, given: dict[str, Any], files: dict[Path, dict[str, Any]]) -> str:
    if name in given:
        return f"--{name.replace('_', '-')}"
    if os.environ.get(variable := f"{PREFIX}{name.upper()}"):
        return variable
    return next((f"{path}: {name}" for path, data in files.items() if name in data), name)
