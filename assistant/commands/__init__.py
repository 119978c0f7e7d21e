"""What the commands do; each module is imported when one of its commands runs."""
