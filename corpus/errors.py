"""The errors that a person can mend; everything else is a bug and keeps its traceback."""


class AssistantError(Exception):
    """Root of the project's errors: the message says what happened, which value, and what to do."""


class InputError(AssistantError):
    """A file, a record, an option or a setting that can't be used as it stands."""


class BusyError(AssistantError):
    """Another process is writing to the collection."""


class StoreError(AssistantError):
    """The catalogue or an index is missing, damaged or made by something else."""


class ModelError(AssistantError):
    """A model file or a model's endpoint that can't be used, or what came of it that can't.

    `kind` is one word for what went wrong; `again` says whether the same call may work a little later, `wait`
    after how many seconds where the endpoint has named them.
    """

    def __init__(
        self, message: str, kind: str = "unusable", *, again: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind, self.again, self.wait = kind, again, wait
