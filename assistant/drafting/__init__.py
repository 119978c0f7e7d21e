"""Questions drafted from a collection's own sentences, for a person to edit into a test set."""
