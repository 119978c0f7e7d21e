"""Imports go one way, each third-party library has one door, and --help loads none of the heavy ones."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("corpus", "prompts", "assistant", "ui")
MAY_IMPORT = {
    "corpus": {"corpus"},
    "prompts": {"prompts"},
    "assistant": {"assistant", "corpus", "prompts"},
    "ui": {"ui", "assistant", "corpus"},
}
# The module that starts the chat, and only inside its function.
LAZY = {("assistant/commands/chat.py", "ui")}
DOORS = {
    "chromadb": {"corpus/vectors.py"},
    "tantivy": {"corpus/lexical.py"},
    "onnxruntime": {"corpus/embedder.py"},
    "tokenizers": {"corpus/embedder.py"},
    "openai": {"assistant/vendor.py", "assistant/faults.py"},
    "httpx": {"assistant/vendor.py", "assistant/faults.py"},
    "tiktoken": {"assistant/tokens.py"},
    "xllamacpp": {"assistant/gguf.py"},
    "llama_index": {"assistant/vendor.py", "assistant/llamaindex.py", "corpus/passages.py"},
    "gradio": {"ui/"},
    "fastapi": {"ui/"},
    "starlette": {"ui/"},
    "uvicorn": {"ui/server.py"},
    "mcp": {"ui/programs/mcp.py"},
    "defusedxml": {"corpus/readers/elements.py"},
    "yaml": {"corpus/readers/csl_yaml.py"},
    "rich": {"assistant/console.py"},
}
VENDORS = ("llama_index", "openai", "httpx", "tiktoken", "xllamacpp")
HEAVY = (*VENDORS, "chromadb", "gradio", "onnxruntime", "tantivy", "numpy", "pydantic", "rich")


def _modules() -> list[str]:
    return sorted(
        path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.py")
    )


def _imports(module: str) -> Iterator[tuple[str, bool]]:
    """Each top package that a module imports, and whether it does so at its top level."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    top = set(map(id, tree.body))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name.partition(".")[0], id(node) in top) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            yield (node.module or "").partition(".")[0], id(node) in top


@pytest.mark.parametrize("module", _modules())
def test_imports_go_one_way(module: str) -> None:
    package = module.partition("/")[0]
    for imported, at_top in _imports(module):
        if imported in PACKAGES and imported not in MAY_IMPORT[package]:
            assert (module, imported) in LAZY, f"{module} imports {imported}"
            assert not at_top, f"{module} imports {imported} at its top"


@pytest.mark.parametrize("module", _modules())
def test_each_library_has_one_door(module: str) -> None:
    for imported, _ in _imports(module):
        if imported in DOORS:
            assert any(
                module == door or (door.endswith("/") and module.startswith(door)) for door in DOORS[imported]
            )


def test_the_walk_sees_imports() -> None:
    assert ("ui", False) in set(_imports("assistant/commands/chat.py"))
    assert ("rich", False) in set(_imports("assistant/console.py"))
    assert len(_modules()) > 20


@pytest.mark.parametrize("arguments", [["--help"], ["ask", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys; from assistant.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit as end: assert end.code == 0\n"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


def test_without_a_model_no_vendor_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from assistant.config import Settings; from assistant.models import cost_usd, open_model\n"
        "settings = Settings(Path(sys.argv[1]), 'default', 'none', 'local', None)\n"
        "assert open_model(settings) is None and cost_usd('gguf:x', 1, 1, None) == 0\n"
        f"loaded = [name for name in {VENDORS!r} if name in sys.modules]\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, check=True, capture_output=True)
