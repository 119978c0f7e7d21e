"""Conversations kept on this machine: their store, the answers being written, the pane that lists them."""
