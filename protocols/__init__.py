"""The languages: bytes to readings and back, and the published vocabulary. Pure."""
