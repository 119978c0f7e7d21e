"""Prompts as Markdown files with strict variables."""
