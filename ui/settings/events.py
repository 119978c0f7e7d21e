"""What happens on each event of the Settings tab."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import gradio as gr

from assistant import __version__
from assistant.choices import Choices
from assistant.sources import SOURCES
from corpus.errors import AssistantError, ModelError
from ui.browser import is_local
from ui.settings.chosen import choices_of, kept_of
from ui.settings.page import SettingsPage
from ui.settings.render import about_html, check_html, endpoint_host, model_html

if TYPE_CHECKING:
    from assistant.assistant import Assistant

_PLAIN: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
_PACKAGES = ("gradio", "chromadb", "tantivy", "onnxruntime", "llama-index-core", "openai")


@dataclass(frozen=True)
class Choosing:
    """What the tab's events do, over one assistant; holds nothing of any user."""

    assistant: Assistant

    def restored(self, kept: object) -> tuple[Choices, str, str, int]:
        """The choices that this browser keeps, for the session and for the fields."""
        choices = choices_of(kept)
        settings = self.assistant.settings
        unsupported = choices.unsupported or (settings.unsupported if settings else "show")
        return choices, "model" if choices.model else "quotes", unsupported, choices.sources or SOURCES

    def chosen(self, writer: object, unsupported: object, sources: object) -> tuple[dict[str, Any], Choices]:
        """The choices, for the browser and for the session."""
        settings = self.assistant.settings
        # What is as the settings have it follows them.
        kept = kept_of(
            writer, None if settings and unsupported == settings.unsupported else unsupported, sources
        )
        return kept, choices_of(kept)

    def opened(self, request: gr.Request) -> tuple[str, str, str]:
        """The state of the model, no word of a test, and what this is."""
        settings = self.assistant.settings
        endpoint, key = _endpoint()
        return model_html(settings, endpoint, key=key), "", about_html(self._facts(local=is_local(request)))

    def tested(self) -> str:
        """What the test of the model found."""
        from assistant.llm_check import check_llm

        settings = self.assistant.settings
        return check_html(check_llm(settings), settings.llm) if settings else ""

    def _facts(self, *, local: bool) -> list[tuple[str, str]]:
        facts = [("Abstracts Assistant", __version__)]
        try:
            collection = self.assistant.collection
            facts.append(("Collection", f"{collection.name}, {collection.size:,} papers"))
        except AssistantError as error:
            facts.append(("Collection", str(error)))
        settings = self.assistant.settings
        if local and settings:
            facts.append(("Data folder", str(settings.home)))
        return facts + [(name, version(name)) for name in _PACKAGES]


def wire(blocks: gr.Blocks, page: SettingsPage, assistant: Assistant) -> None:
    """Each event of the tab, tied to what it does."""
    does = Choosing(assistant)
    fields = [page.writer, page.unsupported, page.sources]
    blocks.load(does.restored, [page.kept], [page.choices, *fields], **_PLAIN)
    blocks.load(None, None, [page.theme], js="() => window.chosenTheme()", **_PLAIN)
    page.tab.select(does.opened, None, [page.model, page.tested, page.about], **_PLAIN)
    for listen in (page.writer.input, page.unsupported.input, page.sources.input):
        listen(does.chosen, fields, [page.kept, page.choices], **_PLAIN)
    page.theme.input(None, [page.theme], None, js="(theme) => window.chooseTheme(theme)", **_PLAIN)
    page.test.click(does.tested, None, [page.tested], **_PLAIN)


def _endpoint() -> tuple[str, bool]:
    """The endpoint's host, and whether a key is set."""
    from assistant.address import address_from_environment

    try:
        address = address_from_environment()
    except ModelError:
        return "", False
    return endpoint_host(address.shown), bool(address.key)
