"""A mark by which the browser sees that what the server sent was made anew, be it the same as before."""

from __future__ import annotations

import secrets


def made() -> str:
    """An attribute with another value each time."""
    return f' data-made="{secrets.token_hex(4)}"'
