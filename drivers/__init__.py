"""Links: opened, read, written to, and every failure named. Knows nothing of cards."""
