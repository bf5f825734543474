"""Sends hostile payloads to every command subject of a real daemon, and counts the answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Final, get_args

from nats.errors import NoRespondersError
from support.hostile_payloads import hostile_payloads, is_in_contract
from support.whole_rig import BACCARAT, SITE, USER, Rig

from daemon.buses.nats_jetstream.inflow import PAUSE_S
from protocols.commands import AUTHORITIES, Authority

AT_ONCE: Final = 32
ANSWER_S: Final = 30.0
SLOW_S: Final = 1.0


async def attack(rig: Rig, seed: int, count: int) -> Counter[str]:
    """Send payloads, some at once; return how they were answered."""
    answers: Counter[str] = Counter()
    waiting = iter(hostile_payloads(seed, count, datetime.now(UTC)))

    async def sender(authorities: tuple[str, ...]) -> None:
        for number, payload in enumerate(waiting):
            authority = authorities[number % len(authorities)]
            subject = f"pit-rehearsal.command.{SITE}.{BACCARAT.table}.{authority}.{USER}"
            began = time.monotonic()
            try:
                reply = await rig.consumer.bus.request(subject, payload, timeout=ANSWER_S)
            except NoRespondersError:  # so many at once: the table does not listen for a moment
                answers["not listened to"] += 1
                await asyncio.sleep(PAUSE_S)
                began = time.monotonic()
                reply = await rig.consumer.bus.request(subject, payload, timeout=ANSWER_S)
            answers["slow"] += time.monotonic() - began > SLOW_S
            answer = json.loads(reply.data)
            answers[answer.get("reason", answer["answer"])] += 1
            accepted = answer["answer"] == "accepted"
            if accepted and not is_in_contract(payload):
                answers["accepted and not in the contract"] += 1
            if accepted and AUTHORITIES[json.loads(payload)["command"]] != authority:
                answers["accepted on another's subject"] += 1

    await asyncio.gather(*(sender(get_args(Authority)) for _ in range(AT_ONCE)))
    return answers
