"""The durable record: append, read, chain, verify."""
