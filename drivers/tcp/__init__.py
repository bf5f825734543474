"""A serial line behind a serial server: the connection, its settings, what it kept for us."""
