"""The command `doctor`."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from assistant.config import Settings
from assistant.console import write, write_json
from assistant.doctor import examine


def diagnose(given: Namespace, settings: Settings) -> int:
    """The exit status: 1 when something has to be mended; the checks are on stdout."""
    checks = list(examine(settings))
    if given.json:
        write_json([asdict(check) | {"well": check.well} for check in checks])
        return int(not all(check.well for check in checks))
    for check in checks:
        write(f"{'ok  ' if check.well else 'BAD '} {check.name}: {check.found}")
        if not check.well:
            write(f"     -> {check.remedy}")
    return int(not all(check.well for check in checks))
