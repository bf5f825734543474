"""A CAN bus by python-can: opening it, and what is no interface of the machine."""
