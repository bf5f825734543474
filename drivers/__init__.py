"""The wires: opens links, moves bytes, names failures. Knows nothing of cards."""
