"""A language model that several assistants share: opened at its first use, closed once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.config import Settings
    from assistant.models import Model


class SharedModel:
    """The model of the settings; safe to share between threads."""

    def __init__(self, settings: Settings | None) -> None:
        self._settings = settings
        self._model: Model | None = None
        self._lock = threading.Lock()

    def open(self) -> Model:
        """The model; the settings have to name one."""
        from assistant.models import open_model

        assert self._settings is not None, "only the settings name a model"
        with self._lock:
            if self._model is None:
                self._model = open_model(self._settings)
            assert self._model is not None, "the settings name a model"
            return self._model

    def close(self) -> None:
        """Nothing; the model's server, where one was started, ends."""
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None
