"""Sessions of people who have signed in: signed cookies that end with time, server or sign-out."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable

from ui.guard.accounts import Account, Accounts

LASTS = 14 * 24 * 3600
"""Seconds until a session ends."""
_LONGEST = 1_000


class Sessions:
    """Makes and reads session tokens. The secret is new at every start, so a restart signs everybody out."""

    def __init__(self, accounts: Accounts, clock: Callable[[], float] = time.time) -> None:
        self._accounts = accounts
        self._clock = clock
        self._secret = secrets.token_bytes(32)
        self._ended: dict[str, float] = {}  # signatures of sessions that were signed out, until they run out

    def new(self, account: Account) -> str:
        """A token for this account."""
        claim = [account.name, int(self._clock()) + LASTS, secrets.token_hex(8)]
        body = _packed(json.dumps(claim).encode())
        return f"{body}.{self._signature(account, body)}"

    def name(self, token: str) -> str | None:
        """The user's name, None for a token that is forged, over, signed out or of an unknown account."""
        body, _, signature = token[:_LONGEST].partition(".")
        try:
            name, until, _ = json.loads(_unpacked(body))
        except (ValueError, TypeError, binascii.Error):
            return None
        account = next((one for one in self._accounts if one.name == name), None)
        if account is None or not hmac.compare_digest(
            signature.encode("utf-8", "replace"), self._signature(account, body).encode()
        ):
            return None
        return account.name if until > self._clock() and signature not in self._ended else None

    def end(self, token: str) -> None:
        """Nothing; the token is worth nothing from now on."""
        if self.name(token):
            now = self._clock()
            self._ended = {known: until for known, until in self._ended.items() if until > now}
            self._ended[token.partition(".")[2]] = now + LASTS

    def _signature(self, account: Account, body: str) -> str:
        key = hmac.digest(self._secret, account.whole, hashlib.sha256)
        return _packed(hmac.digest(key, body.encode(), hashlib.sha256))


def _packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _unpacked(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
