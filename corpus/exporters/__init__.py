"""Exporters: papers as files that other programs read, and that our own readers read back as they were."""

from __future__ import annotations

from corpus.exporters.formats import EXPORTERS, Exporter
from corpus.exporters.writing import Flaw, write_papers

__all__ = ["EXPORTERS", "Exporter", "Flaw", "write_papers"]
