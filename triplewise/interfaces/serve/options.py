"""How the server is set up: where it listens, who may call it, and its limits."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from triplewise.errors import ConfigError

KEY_VARIABLE = "TRIPLEWISE_SERVE_KEY"
MIN_KEY = 16
_PLACEHOLDERS = ("changeme", "secret", "password", "your-key", "your_key", "example", "placeholder", "xxxx", "1234567")


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Addresses, the key and limits. Times are seconds, sizes bytes.

    ``allowed_hosts``: names, beside IP addresses and localhost, that a request's Host may have. ``frame_origin``: the
    one origin that may show an evidence page in a frame. ``public_url``: what links to evidence begin with, where a
    proxy stands before the server.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    key: str = field(default="", repr=False)
    allowed_hosts: tuple[str, ...] = ()
    frame_origin: str = ""
    public_url: str = ""
    max_body: int = 1_000_000
    max_upload: int = 32_000_000
    max_turns: int = 256
    """Turns at a time; more are answered with 429."""
    read_timeout: float = 20.0
    """For a request's headers, and again for its body."""
    send_timeout: float = 30.0
    """For a client to take the next piece of an answer."""
    keep_alive: float = 15.0
    """Between comment lines in a silent stream."""
    grace: int = 5
    """For running turns when the server is told to stop."""


def checked(options: ServeOptions) -> ServeOptions:
    """The options, or ConfigError: beyond this machine only with a real key, and only origins that are origins."""
    if options.key:
        _check_key(options.key)
    elif not is_loopback(options.host):
        raise ConfigError(
            f"on {options.host} other machines can reach the server, and there is no key.",
            f"Set {KEY_VARIABLE}, for example: export {KEY_VARIABLE}=$(openssl rand -hex 24)",
        )
    for name in ("frame_origin", "public_url"):
        if (url := getattr(options, name)) and not _is_url(url, origin=name == "frame_origin"):
            raise ConfigError(f"--{name.replace('_', '-')} {url!r} is no http(s) address.", "Write https://name:port.")
    return options


def key_of(environment: Mapping[str, str]) -> str:
    """The key that the environment gives, "" for none."""
    return environment.get(KEY_VARIABLE, "").strip()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Whether a host is written as an IP address, which no DNS answer can turn into another."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_key(key: str) -> None:
    if len(key) < MIN_KEY or len(set(key)) < 6 or any(word in key.lower() for word in _PLACEHOLDERS):
        raise ConfigError(
            f"the key in {KEY_VARIABLE} is too short or a placeholder.", "Make one with: openssl rand -hex 24"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(f"the key in {KEY_VARIABLE} holds characters that a header cannot carry.")


def _is_url(url: str, *, origin: bool) -> bool:
    parts = urlsplit(url)
    plain = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
    clean = not any(c in url for c in " ;,'\"<>")
    return plain and clean and (not origin or parts.path in ("", "/"))
