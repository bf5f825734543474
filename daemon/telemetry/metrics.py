"""Every Prometheus series, declared in one place. Labels come from closed sets only."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from protocols.events import Event, SpinLanded, ViolationRaised

LATENCY_BUCKETS = (0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0)
LAP_BUCKETS = (3, 4, 5, 6, 7, 8, 9, 10, 12, 15)


class Metrics:
    """The daemon's series, on a registry of their own (building two daemons must not clash)."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        device = ["table", "device"]
        self.readings = self._counter("readings", "Frames decoded to a reading", *device)
        self.rejects = self._counter("rejects", "Stretches of bytes rejected", *device, "reason")
        self.stale = self._counter("stale_frames", "Frames shown but not applied", *device)
        self.concealed = self._counter(
            "concealed_frames", "Frames that came while the next card might be hidden", *device
        )
        self.links = self._counter("link_changes", "Link state changes", *device, "state")
        self.connected = self._gauge(
            "device_connected", "1 while the device's link is open", *device
        )
        self.events = self._counter("events", "Events journalled", "table", "kind")
        self.violations = self._counter("violations", "Violations raised", "table", "code")
        self.refusals = self._counter("refusals", "Commands refused", "table", "reason")
        self.held = self._gauge("table_held", "1 while a violation holds the table", "table")
        self.seq = self._gauge("table_seq", "Last seq journalled", "table")
        self.lag = self._gauge(
            "publish_lag_events", "Events journalled, not yet on the bus", "table"
        )
        self.bus = self._gauge("bus_connected", "1 while connected")
        self.bus_unkept = self._gauge(
            "bus_may_lose", "Settings of the bus that may lose what it has taken"
        )
        self.journal = self._gauge("journal_ok", "1 while it can be written")
        self.authenticated = self._gauge(
            "authenticated_timestamp_seconds",
            "When program and configuration were last what the daemon was started with",
        )
        self.software_changed = self._gauge(
            "software_changed",
            "1 while program or configuration are not what the daemon was started with",
        )
        self.latency = Histogram(
            "pitwire_commit_seconds",
            "From the device's last byte to the durable record",
            ["table"],
            buckets=LATENCY_BUCKETS,
            registry=self.registry,
        )
        self.landed = self._counter("spins_landed", "Sure results", "table", "direction")
        self.laps = Histogram(
            "pitwire_spin_laps",
            "Laps of the ball before its result, by the rotor's direction",
            ["table", "direction"],
            buckets=LAP_BUCKETS,
            registry=self.registry,
        )
        self.loop_lag = self._gauge("loop_lag_seconds", "How late the loop's last second was")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"pitwire_{name}_total", text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"pitwire_{name}", text, labels, registry=self.registry)

    def follow_table(self, table: str, seq: Callable[[], int], held: Callable[[], bool]) -> None:
        """Read a table's seq and hold whenever the series are fetched, from the server's thread."""
        self.seq.labels(table).set_function(seq)
        self.held.labels(table).set_function(held)

    def count_event(self, table: str, event: Event, took_s: float | None) -> None:
        """Count a durable event, and what a violation or a landed ball says of itself."""
        self.events.labels(table, event.kind).inc()
        if took_s is not None:
            self.latency.labels(table).observe(took_s)
        match event:
            case ViolationRaised(code=code):
                self.violations.labels(table, code).inc()
            case SpinLanded(direction=direction, laps=laps):
                self.landed.labels(table, direction or "unsaid").inc()
                if laps is not None:
                    self.laps.labels(table, direction or "unsaid").observe(laps)
            case _:
                pass
