"""axe-core in a page: what it finds of serious violations, for the browser tests of every tab.

It comes from npm, once, into `.make/`; where npm isn't there, or can't fetch it, the tests that need it skip.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

VERSION = "4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
_FOLDER = Path(__file__).parents[1] / ".make" / f"axe-core-{VERSION}"
_SCRIPT = _FOLDER / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async ([inside, rules]) => {
  const found = await axe.run(inside || document, { resultTypes: ["violations"], rules });
  return found.violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id} (${one.impact}): ` +
      one.nodes.slice(0, 5).map((node) => `${node.target} ${node.html.slice(0, 200)} ` +
        (node.any[0] || node.all[0] || node.none[0] || {}).message).join("\\n    "));
}"""


def violations(page: Any, inside: str | None = None, *, off: tuple[str, ...] = ()) -> list[str]:
    """The serious and critical violations in the page, or in what the selector names, a text each.

    `off` names rules that are left out. Skips the test where axe-core can't be had.
    """
    script = source()
    if page.evaluate("typeof window.axe") == "undefined":
        page.evaluate(script)  # not a script element: the page's own rules on those are no matter here
    found: list[str] = page.evaluate(_RUN, [inside, {rule: {"enabled": False} for rule in off}])
    return found


@cache
def source() -> str:
    """The script, which is exactly the one that is known."""
    if not _SCRIPT.exists():
        _fetch()
    data = _SCRIPT.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SHA256, (
        f"{_SCRIPT} isn't axe-core {VERSION}; delete its folder"
    )
    return data.decode()


def _fetch() -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed, so axe-core can't be had")
    command = [npm, "install", "--prefix", str(_FOLDER), "--no-audit", "--no-fund", "--ignore-scripts"]
    _FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run([*command, f"axe-core@{VERSION}"], check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm can't fetch axe-core {VERSION}: {error}")
