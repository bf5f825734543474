"""Dice shakers: one module (or package) per device, exporting DEVICE."""
