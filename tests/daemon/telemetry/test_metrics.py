"""What Prometheus is told of events."""

from prometheus_client import generate_latest

from daemon.telemetry.metrics import Metrics
from protocols.events import SpinLanded


def test_balls_are_counted_by_the_rotors_direction_and_their_laps_measured() -> None:
    metrics = Metrics()
    for number, (direction, laps) in enumerate(
        [("clockwise", 7.4), ("clockwise", None), ("counter_clockwise", 11.0), (None, 3.5)]
    ):
        event = SpinLanded("R1", number, "17", direction, laps)  # type: ignore[arg-type] # literals
        metrics.count_event("R-01", event, None)
    told = generate_latest(metrics.registry).decode()
    of = 'direction="clockwise"'
    assert f'pitwire_spins_landed_total{{{of},table="R-01"}} 2.0' in told
    assert f'pitwire_spin_laps_count{{{of},table="R-01"}} 1.0' in told
    assert f'pitwire_spin_laps_bucket{{{of},le="7.0",table="R-01"}} 0.0' in told
    assert f'pitwire_spin_laps_bucket{{{of},le="8.0",table="R-01"}} 1.0' in told
    assert 'pitwire_spins_landed_total{direction="unsaid",table="R-01"} 1.0' in told


def test_a_tables_seq_and_hold_are_told_as_they_are_when_they_are_asked_for() -> None:
    metrics, seq, held = Metrics(), 0, False
    metrics.follow_table("R-01", lambda: seq, lambda: held)
    value = metrics.registry.get_sample_value
    assert value("pitwire_table_seq", {"table": "R-01"}) == 0.0
    seq, held = 14, True
    assert value("pitwire_table_seq", {"table": "R-01"}) == 14.0
    assert value("pitwire_table_held", {"table": "R-01"}) == 1.0
