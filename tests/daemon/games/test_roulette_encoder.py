"""Roulette hears an encoder: the rotor's position is no result; its errors are told, and over."""

from __future__ import annotations

from support.roulette_bench import RouletteBench
from support.table_bench import found

from protocols.events import DeviceFaulted, DeviceRecovered, RoundCompleted, WheelSelfTested
from protocols.readings import DeviceError, Heartbeat, RotorPosition


def test_an_encoder_alone_is_told_once_and_gives_no_result() -> None:
    bench = RouletteBench(control="server")
    bench.open()
    bench.close()
    for steps in (420, 543, 666):
        bench.hear(RotorPosition(steps))
    bench.hear(Heartbeat("operational"))
    assert [one.condition for one in found(bench.events, DeviceFaulted)] == ["results_not_seen"]
    assert found(bench.events, RoundCompleted) == []


def test_its_errors_are_faults_until_it_has_none_and_never_a_self_test() -> None:
    bench = RouletteBench(control="server")
    bench.hear(DeviceError(0x8130, "8130 life guard or heartbeat error (generic)"))
    bench.hear(DeviceError(0x8150, "8150 collision of identifiers (generic)"))
    bench.hear(DeviceError(0, "no error"))
    bench.hear(DeviceError(0, "no error"))
    conditions = [one.condition for one in found(bench.events, DeviceFaulted)]
    assert conditions == ["device_error_33072", "device_error_33104"]
    assert [one.condition for one in found(bench.events, DeviceRecovered)] == conditions
    assert found(bench.events, WheelSelfTested) == []
