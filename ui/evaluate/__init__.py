"""The tab that measures answers on a test set."""
