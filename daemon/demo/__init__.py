"""Simulated tables for demonstration: devices, dealer, player, an embedded bus."""
