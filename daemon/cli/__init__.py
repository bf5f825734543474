"""The command line: one module per verb, each a thin use of the parts the daemon uses."""
