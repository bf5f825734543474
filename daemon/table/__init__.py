"""One table, pure: `(setup, state, input) -> step`."""
