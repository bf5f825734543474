"""From the journal to the bus: what a bus is, the publisher, one daemon per table."""
