"""The published contract (docs/asyncapi.json): what every message is, generated from the code."""
