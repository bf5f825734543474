"""The whole daemon, as seen from outside: status, control socket, how it is assembled."""
