"""Commands: parsed, refused where they may not enter, each id answered once; then the inbox.

Order of the checks: more than the table takes (`command_pace.py`), malformed, retained by a broker,
sent by nobody who has a name, sent to another subject than its own, an id that was answered before,
expired, a round's id that a round had before, more than a sender may send.
An id keeps its answer for seven days, over restarts: a sender that heard nothing sends it again and
gets the same answer, and nothing happens twice. `expires` may not lie so far ahead that the id
would be forgotten first. The id of a round is kept as long. An answer leaves when it is durable.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from daemon.delivery.bus import Request
from daemon.journal.records import Answer, round_key
from daemon.runtime.clocks import Timekeeper
from daemon.runtime.command_pace import CommandPace
from daemon.runtime.command_payload import (
    EXPIRES_WITHIN,
    MalformedCommand,
    ParsedCommand,
    answer_blob,
    parse_command,
)
from daemon.runtime.inbox import Inbox
from daemon.telemetry.metrics import Metrics
from protocols.commands import AUTHORITIES, OpenRound, ResendEvents, ShowStatus
from protocols.limits import IDENTIFIER
from protocols.refusals import Refusal

_NO_NAME: Final = "the sender in its subject: 1 to 64 printable ASCII characters are required"
FindAnswer = Callable[[str, str], Answer | None]


class TableCommands:
    """One table's commands, from the bus and from the control socket alike.

    status    the table's status, as `table.status` answers it
    resend    publishes the table's events again, from a seq to another; None: to the last
    writable  whether the journal can be written now
    refused   why this daemon does not serve the table, None where it does
    """

    def __init__(
        self,
        inbox: Inbox,
        time: Timekeeper,
        find_answer: FindAnswer,
        *,
        status: Callable[[], dict[str, Any]],
        resend: Callable[[int, int | None], None],
        writable: Callable[[], bool],
        refused: Callable[[], str | None],
        metrics: Metrics,
    ) -> None:
        self._inbox = inbox
        self._table = inbox.stamp.table
        self._time = time
        self._find_answer = find_answer
        self.status = status
        self._resend = resend
        self._writable = writable
        self._refused = refused
        self._metrics = metrics
        self._pace = CommandPace(time.now)
        self._in_flight: dict[str, tuple[bytes, asyncio.Future[bytes]]] = {}

    async def handle(self, request: Request) -> bytes:
        """Answer a raw command; never raises, whatever the payload."""
        if self._pace.is_full(request.user):
            return self._refuse(None, Refusal.TOO_MANY, "too many of this sender wait")
        await self._pace.turn(request.user)
        return await self._handle(request)

    async def _handle(self, request: Request) -> bytes:
        call = parse_command(request.payload)
        if isinstance(call, MalformedCommand):
            return self._refuse(call.command_id, Refusal.MALFORMED, call.detail)
        if request.retained:
            return self._refuse(call.command_id, Refusal.RETAINED, "the broker had kept it")
        if request.user is not None and not re.fullmatch(IDENTIFIER, request.user):
            return self._refuse(call.command_id, Refusal.MALFORMED, _NO_NAME)
        if request.authority not in (None, own := AUTHORITIES[call.command.kind]):
            return self._refuse(call.command_id, Refusal.WRONG_SUBJECT, f"its subject is {own}")
        if (earlier := await self._earlier_answer(call)) is not None:
            return earlier
        if (late := self._out_of_time(call)) is not None:
            return self._refuse(
                call.command_id,
                late,
                f"{call.expires.isoformat()}; here it is {self._time.wall().isoformat()}",
            )
        match call.command:
            case ShowStatus():
                return self._answer(call, status=self.status())
            case ResendEvents(from_seq=from_seq, to_seq=to_seq) if self._refused() is None:
                self._resend(from_seq, to_seq)
                return self._answer(call)
            case OpenRound(round_id=used) if self._find_answer(self._table, round_key(used)):
                return self._refuse(call.command_id, Refusal.ROUND_ID_USED, f"round {used}")
            case _:
                return await self._apply(call, request.user)

    def _out_of_time(self, call: ParsedCommand) -> Refusal | None:
        ahead = call.expires - self._time.wall()
        if ahead <= timedelta():
            return Refusal.EXPIRED
        return Refusal.EXPIRES_TOO_LATE if ahead > EXPIRES_WITHIN else None

    async def _earlier_answer(self, call: ParsedCommand) -> bytes | None:
        """Same id, same answer, over restarts; same id for something else is refused."""
        if (in_flight := self._in_flight.get(call.command_id)) is not None:
            digest, future = in_flight
            if digest == call.digest:
                return await asyncio.shield(future)
            return self._refuse(call.command_id, Refusal.ID_REUSED, "another command is under way")
        answer = self._find_answer(self._table, call.command_id)
        if answer is None:
            return None
        if answer.digest != call.digest:
            return self._refuse(call.command_id, Refusal.ID_REUSED, "this id was used before")
        return answer.blob

    async def _apply(self, call: ParsedCommand, user: str | None) -> bytes:
        if (why := self._refused()) is not None:
            return self._refuse(call.command_id, Refusal.NOT_SERVING, why)
        if not self._pace.allows(user):
            return self._refuse(call.command_id, Refusal.TOO_MANY, "this sender sends too many")
        if not self._writable():
            return self._refuse(call.command_id, Refusal.JOURNAL, "the journal cannot be written")
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._in_flight[call.command_id] = (call.digest, future)
        try:
            self._inbox.obey(call, future.set_result, user)
            return await asyncio.shield(future)
        finally:
            del self._in_flight[call.command_id]

    def _answer(self, call: ParsedCommand, status: Any = None) -> bytes:
        stamp, seq = self._inbox.stamp, self._inbox.position.seq
        return answer_blob(
            self._table, call.command_id, None, epoch=stamp.epoch, seq=seq, status=status
        )

    def _refuse(self, command_id: str | None, reason: Refusal, detail: str) -> bytes:
        self._metrics.refusals.labels(self._table, reason).inc()
        epoch = self._inbox.stamp.epoch
        return answer_blob(self._table, command_id, reason, detail=detail, epoch=epoch)
