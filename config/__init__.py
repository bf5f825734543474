"""The operator's files: their shape, loading them, complaining about them."""
