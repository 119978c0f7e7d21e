"""Where an endpoint is and how it is spoken of: its address and its key, which nothing ever shows."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from corpus.errors import ModelError

OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"
_FRAGMENT = 8
_LONGEST = 300


@dataclass(frozen=True)
class Address:
    """An endpoint that speaks OpenAI's protocol; `proxies` says whether the environment's may be used."""

    url: str = field(repr=False)
    key: str = field(default="", repr=False)
    proxies: bool = True

    @property
    def shown(self) -> str:
        """The address without what may be secret in it: user, password, query."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")

    @property
    def sent_key(self) -> str:
        """The key to send; a word in its place for servers that want none: the protocol has to have one."""
        return self.key or _NO_KEY

    def cleaned(self, text: str) -> str:
        """A vendor's words as one short line without anything of the key."""
        secrets = [secret for secret in (self.key, _password(self.url)) if secret]
        for secret in secrets:
            text = text.replace(secret, "***")
        fragments = {
            secret[start : start + _FRAGMENT]
            for secret in secrets
            for start in range(len(secret) - _FRAGMENT + 1)
        }
        words = [
            "***" if any(part in word for part in fragments) else word
            for word in re.sub(r"\bsk-[\w*-]+", "***", text).split()
        ]
        line = " ".join("".join(letter for letter in word if letter.isprintable()) for word in words)
        return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def address_from_environment() -> Address:
    """The endpoint that OPENAI_BASE_URL and OPENAI_API_KEY name; ModelError where they name none."""
    url = os.environ.get("OPENAI_BASE_URL", "").strip()
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not url and not key:
        raise ModelError(
            "OPENAI_API_KEY isn't set; set it, or OPENAI_BASE_URL for a server that needs no key, "
            "or ASSISTANT_LLM=none",
            "key",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelError(
            "OPENAI_API_KEY holds characters that no key has; copy the key again, without line breaks", "key"
        )
    address = Address(url or OPENAI, key)
    try:
        usable = urlsplit(address.url).scheme in ("http", "https") and bool(urlsplit(address.url).hostname)
    except ValueError:
        usable = False
    if not usable:
        shown = re.sub(r"[^/]*@", "", address.url)
        raise ModelError(
            f"OPENAI_BASE_URL is {shown!r}; set it to a URL that starts with http:// or https://",
            "connection",
        )
    return address


def _password(url: str) -> str:
    try:
        return unquote(urlsplit(url).password or "")
    except ValueError:
        return ""
