"""Gradio's MCP server over the endpoints: whether it can be offered, its results as text for models."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import gradio as gr

from ui.programs.references import with_references

_log = logging.getLogger(__name__)
_TOLD = ("status", "kind", "citations", "table", "related")


def is_installed() -> bool:
    """True with the extra `mcp`."""
    return find_spec("mcp") is not None


def speak_json(blocks: gr.Blocks) -> None:
    """Nothing; what the Blocks' tools give is Markdown and JSON. Gradio would show it as Python does."""
    server = blocks.mcp_server_obj
    if server is None:
        _log.warning("MCP isn't offered: %s", blocks.mcp_error)
        return
    from mcp.types import TextContent

    def told(data: Any, _root_url: str) -> list[TextContent]:
        return [TextContent(type="text", text=text) for output in data for text in texts(output)]

    server.postprocess_output_data = told  # type: ignore[method-assign, assignment]


def texts(output: Any) -> Iterator[str]:
    """What a model is given: an answer as Markdown with its references, then the quotes; else JSON."""
    if isinstance(output, dict) and "references" in output:
        yield with_references(output["text"], output["references"])
        output = {name: output[name] for name in _TOLD if output.get(name)}
    yield json.dumps(output, ensure_ascii=False)
