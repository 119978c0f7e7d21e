"""Who writes an answer: told from other processes, and from those that have ended."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Writer:
    """A process on this machine, and one store in it."""

    pid: int
    token: str

    @classmethod
    def of_this_process(cls) -> Writer:
        """A writer like no other, though a process id comes again."""
        return cls(os.getpid(), secrets.token_hex(8))

    def __str__(self) -> str:
        return f"{self.pid} {self.token}"

    def lives(self, other: str) -> bool:
        """Whether the writer kept as `other` is still there."""
        return self.state_of(other) != "cut"

    def state_of(self, other: str) -> Literal["running", "elsewhere", "cut"]:
        """Whether what `other` began is written here, in another process, or no more."""
        if other == str(self):
            return "running"
        pid = other.partition(" ")[0]
        # The same process id with another token: an earlier process had it.
        if not pid.isdecimal() or int(pid) == self.pid:
            return "cut"
        try:
            os.kill(int(pid), 0)
        except PermissionError:
            return "elsewhere"
        except (ProcessLookupError, OverflowError):
            return "cut"
        return "elsewhere"
