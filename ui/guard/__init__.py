"""What stands between the network and the chat: who may speak to it, and from where."""
