"""The command `ui`."""

from __future__ import annotations

from argparse import Namespace

from assistant.commands.chosen import check_collection
from assistant.config import Settings


def serve(given: Namespace, settings: Settings) -> int:
    """The exit status, once the web chat has been stopped."""
    check_collection(settings)
    from ui.app import serve as serve_ui

    serve_ui(settings, host=given.host, port=given.port)
    return 0
