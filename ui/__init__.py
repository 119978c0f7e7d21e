"""The web chat over a collection."""
