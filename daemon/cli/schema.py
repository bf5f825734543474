"""Every event, command and status, as JSON Schemas in one AsyncAPI 3.0 document.

It is for the engineers of the table server; `docs/asyncapi.json` is this output.

Examples:
  pitwire schema > docs/asyncapi.json
"""

from __future__ import annotations

import json


def command() -> None:
    """Print the contract with the table server (AsyncAPI 3.0)."""
    from daemon.service.asyncapi import asyncapi

    print(json.dumps(asyncapi(), indent=2, sort_keys=True, ensure_ascii=False))
