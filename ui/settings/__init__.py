"""The tab with what can be chosen, and what this is."""
