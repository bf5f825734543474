"""A serial port of this machine: opening it, locking it, its settings."""
