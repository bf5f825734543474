"""Roulette wheels: one module (or package) per device, exporting DEVICE."""
