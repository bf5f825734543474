"""A journal and a bus for the tests of delivery."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.delivering import NatsSite
from support.durable import nats_server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal is."""
    return tmp_path / "journal.db"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[NatsSite]:
    """A real NATS server."""
    with nats_server(tmp_path / "nats") as (server, url):
        yield NatsSite(server, url, tmp_path / "nats", "")
