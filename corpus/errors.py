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
    """A model file or a model's endpoint that can't be used."""
