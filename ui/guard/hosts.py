"""Which names the chat answers to, and which pages may speak to it.

A page of a stranger can have its own name point at this machine (DNS rebinding); its requests come with that
name as Host. A page of another origin names itself in Origin, or the browser says so in Sec-Fetch-Site.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

_EVERYWHERE = ("0.0.0.0", "::", "")
_HERE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Hosts:
    """The names by which the chat may be reached: what it listens on, and what was set beside."""

    bound: str
    named: tuple[str, ...] = ()

    @property
    def reached_by_others(self) -> bool:
        """True unless only this machine reaches the chat."""
        return bool(self.named) or not is_loopback(self.bound)

    def know(self, host: str) -> bool:
        """True where a request may carry this Host header."""
        name = _name(host)
        if not name:
            return False
        if name in (*_HERE, _name(self.bound), *map(_name, self.named)):
            return True
        if is_loopback(self.bound):
            return False
        machine = socket.gethostname().casefold()
        # A numeric address can't be rebound; on all addresses any may be the machine's.
        everywhere = self.bound in _EVERYWHERE and _is_address(name)
        return everywhere or name in (machine, f"{machine.partition('.')[0]}.local")

    def foreign(self, headers: Mapping[str, str], method: str) -> bool:
        """True for a request that a page of another origin makes; following a link to the chat is none."""
        origin = headers.get("origin")
        if origin is not None:
            return not self._is_own(origin, headers.get("host", ""))
        if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            return False
        return not (method in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate")

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            parts = urlsplit(origin)
            own = parts.scheme in ("http", "https") and _place(parts.netloc) == _place(host)
        except ValueError:
            return False
        return own or _name(parts.netloc) in map(_name, self.named)


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """The name of "name:port", lower case, without brackets; "" where it is none."""
    if host.count(":") > 1 and not host.startswith("["):
        return host.casefold()
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _place(host: str) -> str:
    return host.casefold().removesuffix(":80").removesuffix(":443")
