"""What a session sees, counted and logged: rejects are sampled, link changes are told once."""

from __future__ import annotations

from daemon.devices.attachment import AttachedDevice
from daemon.devices.link_state import LinkState
from daemon.telemetry.logs import Log, RateLimit
from daemon.telemetry.metrics import Metrics
from drivers.clock import Clock
from drivers.errors import LinkError
from protocols.device import Decoded
from protocols.rejects import RejectReason


class SessionMetrics:
    """Turns one table's sessions into series and log lines."""

    def __init__(self, table: str, metrics: Metrics, log: Log, clock: Clock) -> None:
        self._table = table
        self._metrics = metrics
        self._log = log
        self._clock = clock
        self._limit = RateLimit(every_s=60.0)

    def decoded(self, attached: AttachedDevice, frame: Decoded, *, stale: bool) -> None:
        """Count a frame; log the first reject of a reason, then one a minute."""
        key = attached.spec.key
        if stale:
            self._metrics.stale.labels(self._table, key).inc()
        elif frame.body is RejectReason.ASKED:
            pass  # a question of ours, which nothing went before
        elif isinstance(frame.body, RejectReason):
            self._metrics.rejects.labels(self._table, key, frame.body).inc()
            suppressed = self._limit.passes(self._clock.now().ns / 1e9, key, frame.body)
            if suppressed is not None:
                self._log.warning(
                    "frame_rejected",
                    table=self._table,
                    device=key,
                    reason=frame.body,
                    bytes=len(frame.raw),
                    suppressed=suppressed,
                )
        else:
            self._metrics.readings.labels(self._table, key).inc()

    def concealed(self, attached: AttachedDevice) -> None:
        """Count a frame that nobody may look into, a reading and a reject alike."""
        self._metrics.concealed.labels(self._table, attached.spec.key).inc()

    def link_changed(
        self, attached: AttachedDevice, state: LinkState, error: LinkError | None
    ) -> None:
        """Count and log a link's new state, with what a technician can do."""
        key = attached.spec.key
        self._metrics.links.labels(self._table, key, state).inc()
        self._metrics.connected.labels(self._table, key).set(state is LinkState.CONNECTED)
        if error is None:
            self._log.info("link_changed", table=self._table, device=key, state=str(state))
        else:
            again = "; it is opened again by itself" if state is LinkState.LOST else ""
            self._log.warning(
                "link_changed",
                table=self._table,
                device=key,
                state=str(state),
                error=str(error),
                action=error.action + again,
            )
