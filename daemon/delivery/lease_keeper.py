"""Looks at a table's lease on the bus, and writes what the policy says (`lease.py`)."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import Final

from daemon.delivery.bus import Address, BusUnavailable, LeaseChanged, LeaseStore, OpenBus
from daemon.delivery.lease import TRUST_S, Lease, Owner, WriteClaim, WriteLease
from drivers.clock import Clock
from protocols.instant import Instant

_AT_ONCE_S: Final = 0.05
"""After a write that somebody else's overtook: whose the lease is now is not known."""


class LeaseKeeper:
    """Keeps one table's lease, or asks for it; `run` is its task.

    lease    what is known of it
    term     counts how often the lease became ours: whatever was compared in an earlier term may
             have changed since
    trouble  why the bus could not be asked, and since when; None where it could
    on_lost  called with the owner, when another daemon has the lease, each time that it is news
    """

    def __init__(
        self,
        bus: OpenBus,
        address: Address,
        owner: Owner,
        on_lost: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self.lease = Lease(owner)
        self.term = 0
        self.trouble: tuple[BusUnavailable, Instant] | None = None
        self._bus = bus
        self._address = address
        self._on_lost = on_lost
        self._clock = clock
        self._look_now = asyncio.Event()
        self._looked = asyncio.Condition()
        self._released = False
        self._looks = 0
        self._told: tuple[str, str | None] = ("unknown", None)

    async def run(self) -> None:
        """Look for ever; where the bus has no leases, every daemon has one."""
        leases = self._bus.leases
        if leases is None:
            self.lease.written(0, self._now())
            await self._tell()
            return
        while not self._released:
            self._look_now.clear()
            wait_s = await self._look(leases)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._look_now.wait()

    async def held(self) -> int:
        """Return the term, as soon as the lease is ours."""
        async with self._looked:
            await self._looked.wait_for(lambda: self.lease.standing == "ours")
        return self.term

    async def confirmed(self) -> bool:
        """Return whether the lease is ours now; ask the bus where that is not known."""
        if self._bus.leases is None or self.lease.confirmed(self._now()):
            return True
        self.look()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TRUST_S), self._looked:
                await self._looked.wait_for(self._is_decided)
        return self.lease.confirmed(self._now())

    async def settled(self) -> None:
        """Return after the next look."""
        looks = self._looks
        async with self._looked:
            await self._looked.wait_for(lambda: self._looks > looks)

    def is_confirmed(self) -> bool:
        """Return whether the lease is ours beyond doubt."""
        return self._bus.leases is None or self.lease.confirmed(self._now())

    def look(self) -> None:
        """Look at once: the bus is back, or refused our number."""
        self._look_now.set()

    def refuted(self) -> None:
        """Note that the bus refused our number, and look at once."""
        self.lease.refuted()
        self.look()

    def bus_disconnected(self) -> None:
        """Note that the connection was lost."""
        self.lease.disconnected()

    async def release(self) -> None:
        """Give the lease back, where it is ours; nothing is looked at any more."""
        self._released = True
        self.look()
        leases, write = self._bus.leases, self.lease.release(secrets.token_hex(8))
        if leases is not None and write is not None:
            with contextlib.suppress(BusUnavailable, LeaseChanged):
                await leases.write(self._address, write.body, write.after)

    def _now(self) -> float:
        """Return real seconds, which go on while the machine is asleep."""
        return self._clock.now().ns / 1e9 / self._clock.scale

    def _is_decided(self) -> bool:
        return self.lease.standing == "other" or self.lease.confirmed(self._now())

    async def _look(self, leases: LeaseStore) -> float:
        """Look once, and write what is due; return in how many seconds to look again."""
        try:
            wait_s = await self._looked_at(leases)
        except BusUnavailable as error:
            self.trouble = error, self._clock.now() if self.trouble is None else self.trouble[1]
            self.lease.disconnected()
            wait_s = self.lease.look_after_s
        else:
            self.trouble = None
            self._looks += 1
        await self._tell()
        return wait_s

    async def _looked_at(self, leases: LeaseStore) -> float:
        sent = self._now()
        board = await leases.read(self._address)
        write = self.lease.look(board, sent, secrets.token_hex(8))
        await self._tell()  # another's, before it is ours again
        match write:
            case WriteLease(after=after, body=body):
                sent = self._now()
                try:
                    number = await leases.write(self._address, body, after)
                except LeaseChanged:
                    return _AT_ONCE_S
                if not after and self._told[0] == "ours":
                    self.term += 1  # the bus lost the lease, and whatever else it had
                self.lease.written(number, sent)
            case WriteClaim(body=body):
                number = await leases.claim(self._address, body)
                self.lease.claimed(number, self._now())
            case None:
                pass
        return self.lease.look_after_s

    async def _tell(self) -> None:
        """Tell what has changed since it was told last."""
        told, self._told = self._told, (self.lease.standing, self.lease.other)
        standing, other = self._told
        if standing == "ours" and told[0] != "ours":
            self.term += 1
        if standing == "other" and told != self._told:
            self._on_lost(other or "")
        async with self._looked:
            self._looked.notify_all()
