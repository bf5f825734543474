"""`pitwire schema`: the contract, as AsyncAPI 3.0 with JSON Schemas."""

from __future__ import annotations

import json


def command() -> None:
    """Print the contract of events, commands and status for the table server's engineers."""
    from daemon.service.asyncapi import asyncapi

    print(json.dumps(asyncapi(), indent=2, sort_keys=True, ensure_ascii=False))
