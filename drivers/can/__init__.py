"""A CAN bus by python-can: opening it, and the wires that are no interface of the machine."""
