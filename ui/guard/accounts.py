"""Who may sign in: the accounts of ASSISTANT_AUTH, which is read from the environment and shown nowhere."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpus.errors import InputError

VARIABLE = "ASSISTANT_AUTH"
_HOW = f"set {VARIABLE} to user:password, several separated by commas or on lines of their own"


@dataclass(frozen=True)
class Account:
    """One account; of its password only a digest is kept."""

    name: str
    password: bytes = field(repr=False)
    whole: bytes = field(repr=False)  # the digest of "name:password", which an API key may be as well


@dataclass(frozen=True)
class Accounts:
    """All accounts. Every look-up takes as long as every other: all are compared, always."""

    accounts: tuple[Account, ...]

    def __iter__(self) -> Iterator[Account]:
        return iter(self.accounts)

    def by_password(self, name: str, password: str) -> Account | None:
        """The account of that name, where the password is its own."""
        wanted = _digest(f"{name.strip()}:{password}")
        return self._first([hmac.compare_digest(one.whole, wanted) for one in self])

    def by_key(self, key: str) -> Account | None:
        """The account whose password, or whose user:password, this key is."""
        given = _digest(key)
        return self._first(
            [hmac.compare_digest(one.password, given) | hmac.compare_digest(one.whole, given) for one in self]
        )

    def _first(self, equal: list[bool]) -> Account | None:
        return next((one for one, is_equal in zip(self, equal, strict=True) if is_equal), None)


def read_accounts(value: str | None) -> Accounts | None:
    """The accounts of ASSISTANT_AUTH, None where it is empty; an entry that is none is an InputError."""
    value = (value or "").strip(" \t\r\n,")
    entries = [entry.strip() for entry in re.split(r"[\r\n]+" if "\n" in value else ",", value)]
    found: list[Account] = []
    for number, entry in enumerate((entry for entry in entries if entry), 1):
        name, _, password = entry.partition(":")
        name = name.strip()
        if not (name and password) or not name.isprintable() or len(name) > 100:
            # The entry itself is a secret, whatever is wrong with it.
            raise InputError(f"entry {number} of {VARIABLE} isn't user:password; {_HOW}")
        if name in (one.name for one in found):
            raise InputError(f"{VARIABLE} names the user of entry {number} twice; {_HOW}")
        found.append(Account(name, _digest(password), _digest(f"{name}:{password}")))
    return Accounts(tuple(found)) if found else None


def check_needed(accounts: Accounts | None, *, host: str, needed: bool) -> None:
    """Nothing; InputError where an address that others reach has no password."""
    if needed and not accounts:
        raise InputError(
            f"The chat can't listen on {host!r} without a password, since others reach it there; {_HOW}, "
            "or leave out --host to keep it on this machine."
        )


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
