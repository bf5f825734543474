"""CANopen: what a node says of itself, the encoder's position, the shoe's inputs.

Values from CiA 301, 401 and 406, and from logs of two nodes.
"""

from __future__ import annotations

import pytest
from support.recordings import Source, recording

from drivers.capture import read_capture
from protocols.can_frame import packet
from protocols.canopen import emergency, start_node
from protocols.device import Decoded, DeviceSpec, Settings
from protocols.instant import Instant
from protocols.readings import (
    DeviceError,
    Heartbeat,
    NodeState,
    Reading,
    RotorPosition,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeInput,
    ShoeInputs,
    ShoeStarted,
)
from protocols.rejects import RejectReason
from protocols.shoes.canopen_io_shoe import DEVICE as SHOE
from protocols.shoes.canopen_io_shoe import CanopenIoShoeSettings
from protocols.simulator import DrawCutCard, PowerOn, SpinBall, StateResult
from protocols.wheels.canopen_encoder import DEVICE as ENCODER
from protocols.wheels.canopen_encoder import CanopenEncoderSettings

AT = Instant("boot", 0)
LIFE_GUARD = "8130 life guard or heartbeat error (generic, communication)"


def one(spec: DeviceSpec, data: bytes, settings: Settings | None = None) -> Decoded:
    (decoded,) = spec.decoder(settings or spec.settings()).feed(AT, data)
    return decoded


def body(spec: DeviceSpec, identifier: int, data: str) -> Reading | RejectReason:
    return one(spec, packet(identifier, bytes.fromhex(data))).body


# --- logs of two nodes ------------------------------------------------------------------------


def inputs(*names: ShoeInput) -> ShoeInputs:
    return ShoeInputs(frozenset(names))


OTHERS = RejectReason.UNSUPPORTED
LogLine = tuple[Reading | RejectReason, Reading | RejectReason]
SAYS: list[LogLine] = [
    # the encoder, node 11                the shoe, node 21
    (Heartbeat("boot_up"), OTHERS),
    (Heartbeat("pre_operational"), OTHERS),
    (OTHERS, OTHERS),  # the master starts node 11: no node says that
    (RotorPosition(420), OTHERS),
    (RotorPosition(427), OTHERS),
    (Heartbeat("operational"), OTHERS),
    (OTHERS, Heartbeat("operational")),
    (OTHERS, inputs("card_out")),
    (OTHERS, inputs()),
    (OTHERS, OTHERS),  # a card in the layout of a DBC: see test_dbc_profile
    (DeviceError(0x8130, LIFE_GUARD), OTHERS),
    (DeviceError(0, "no error"), OTHERS),
    (Heartbeat("boot_up"), OTHERS),
]


SIMULATED_SAYS: list[LogLine] = [
    (Heartbeat("boot_up"), OTHERS),
    (OTHERS, ShoeStarted()),
    (Heartbeat("pre_operational"), OTHERS),
    (OTHERS, OTHERS),
    (RotorPosition(420), OTHERS),
    (OTHERS, Heartbeat("pre_operational")),
    (OTHERS, inputs()),
    (RotorPosition(420), OTHERS),
    (OTHERS, inputs("card_out")),
    (OTHERS, OTHERS),
    (OTHERS, inputs()),
    (RotorPosition(543), OTHERS),
    (DeviceError(0x8130, LIFE_GUARD), OTHERS),
    *((RotorPosition(420 + turns * 123), OTHERS) for turns in (2, 3, 4, 5, 6)),
    (DeviceError(0, "no error"), OTHERS),
    (Heartbeat("boot_up"), OTHERS),
]


@pytest.mark.parametrize(
    ("source", "says", "notes", "times"),
    [
        ("simulated", SIMULATED_SAYS, "SIMULATED", [0.0, 0.05, 0.25, 0.3]),
        ("real", SAYS, "node 0x11 = encoder", [0.0, 0.25, 0.3, 0.301]),
    ],
)
def test_every_frame_of_a_log_says_what_its_note_says(
    source: Source, says: list[LogLine], notes: str, times: list[float]
) -> None:
    capture = read_capture(recording(source, "shoe", "canopen_candump.log"))
    assert notes in capture.header["notes"]
    heard = [
        (one(ENCODER, moment.data).body, one(SHOE, moment.data).body)
        for moment in capture.lines
        if isinstance(moment.data, bytes)
    ]
    assert heard == says
    assert [moment.seconds for moment in capture.lines][:4] == times


# --- what every node says ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("byte", "state"),
    [
        ("00", "boot_up"),
        ("04", "stopped"),
        ("05", "operational"),
        ("7F", "pre_operational"),
        ("84", "stopped"),
        ("85", "operational"),
        ("FF", "pre_operational"),
    ],
)
def test_a_heartbeat_is_a_state_and_the_toggle_of_node_guarding_is_none(
    byte: str, state: NodeState
) -> None:
    assert body(ENCODER, 0x711, byte) == Heartbeat(state)


@pytest.mark.parametrize(
    ("data", "reason"),
    [("", RejectReason.LENGTH), ("0500", RejectReason.LENGTH), ("06", RejectReason.VALUE)],
)
def test_what_is_no_state_is_rejected(data: str, reason: RejectReason) -> None:
    assert body(ENCODER, 0x711, data) is reason
    assert body(SHOE, 0x721, data) is reason


@pytest.mark.parametrize(
    ("data", "code", "meaning"),
    [
        ("3081110000000000", 0x8130, LIFE_GUARD),
        ("5081100000000000", 0x8150, "8150 collision of identifiers: two nodes speak under one"),
        ("1081110000000000", 0x8110, "8110 CAN overrun: messages were lost"),
        ("1131040000000000", 0x3111, "3111 mains voltage (voltage)"),
        ("0042080000000000", 0x4200, "4200 device temperature (temperature)"),
        ("2323020000000000", 0x2323, "2323 current, output side (current)"),
        ("0122000000000000", 0x2201, "2201 current inside the device (no register bit)"),
        ("0029000000000000", 0x2900, "2900 current (no register bit)"),
        ("34FF800102030405", 0xFF34, "FF34 device specific (maker)"),
        ("00E0000000000000", 0xE000, "E000 unknown (no register bit)"),
        ("0000000000000000", 0, "no error"),
        ("1200010000000000", 0, "no error"),
    ],
)
def test_an_emergency_is_told_by_its_class_and_register(data: str, code: int, meaning: str) -> None:
    found = emergency(bytes.fromhex(data))
    assert found is not None
    assert found[0] == code
    assert found[1].startswith(meaning)


def test_an_emergency_is_eight_bytes() -> None:
    assert body(ENCODER, 0x091, "30811100000000") is RejectReason.LENGTH
    assert body(SHOE, 0x0A1, "30811100000000") is RejectReason.LENGTH


@pytest.mark.parametrize(("spec", "node"), [(ENCODER, 0x11), (SHOE, 0x21)], ids=["wheel", "shoe"])
def test_a_waiting_node_is_started_where_the_house_wants_it_and_only_then(
    spec: DeviceSpec, node: int
) -> None:
    start = bytes.fromhex("00000000 02000000 01") + bytes([node])
    ours = spec.settings(start=True)
    for byte, reply in (("00", start), ("7F", start), ("FF", start), ("05", None), ("04", None)):
        data = packet(0x700 + node, bytes.fromhex(byte))
        assert one(spec, data, ours).reply == reply
        assert one(spec, data).reply is None


@pytest.mark.parametrize("node", [0, 128, -1])
def test_a_node_that_cannot_be_is_refused(node: int) -> None:
    with pytest.raises(ValueError, match="not within 1 to 127"):
        CanopenEncoderSettings(node=node)
    with pytest.raises(ValueError, match="not within 1 to 127"):
        CanopenIoShoeSettings(node=node)


# --- the encoder -------------------------------------------------------------------------------


def test_a_position_is_four_bytes_lowest_first() -> None:
    assert body(ENCODER, 0x191, "FFFFFFFF") == RotorPosition(0xFFFFFFFF)
    assert body(ENCODER, 0x191, "00000001") == RotorPosition(1 << 24)
    for data in ("", "A40100", "A401000000"):
        assert body(ENCODER, 0x191, data) is RejectReason.LENGTH


def test_a_house_may_map_the_position_to_another_pdo_of_another_node() -> None:
    settings = CanopenEncoderSettings(node=5, tpdo=3)
    position = packet(0x385, bytes.fromhex("A4010000"))
    assert one(ENCODER, position, settings).body == RotorPosition(420)
    assert one(ENCODER, packet(0x185, bytes(4)), settings).body is RejectReason.UNSUPPORTED


# --- the shoe ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ("00", ()),
        ("01", ("card_out",)),
        ("02", ("cut_card",)),
        ("04", ("error",)),
        ("07", ("card_out", "cut_card", "error")),
        ("F8", ()),
    ],
)
def test_inputs_are_bits_and_those_without_a_name_say_nothing(
    data: str, names: tuple[ShoeInput, ...]
) -> None:
    assert body(SHOE, 0x1A1, data) == inputs(*names)


def test_an_input_may_be_in_any_byte_and_open_when_it_acts() -> None:
    settings = CanopenIoShoeSettings(
        input_bytes=2, inputs=((0, "lid_open"), (9, "card_out"), (15, "locked")), inverted=(0, 15)
    )

    def said(data: str) -> Reading | RejectReason:
        return one(SHOE, packet(0x1A1, bytes.fromhex(data)), settings).body

    assert said("0180") == inputs()
    assert said("0082") == inputs("lid_open", "card_out")
    assert said("0102") == inputs("card_out", "locked")
    assert said("01") is RejectReason.LENGTH


def test_its_boot_up_is_a_start_and_its_emergency_an_error_that_blocks() -> None:
    assert body(SHOE, 0x721, "00") == ShoeStarted()
    assert body(SHOE, 0x0A1, "3081110000000000") == ShoeErrorRaised(
        0x8130, LIFE_GUARD, blocking=True
    )
    assert body(SHOE, 0x0A1, "0000000000000000") == ShoeErrorCleared(0, "no error")


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"input_bytes": 0}, "1 to 8"),
        ({"input_bytes": 9}, "1 to 8"),
        ({"inputs": ((8, "card_out"),)}, "the input 8 is not within 0 to 7"),
        ({"inputs": ((0, "card_out"), (0, "error"))}, "named twice"),
        ({"inputs": ((0, "card_out"), (1, "card_out"))}, "named twice"),
        ({"inverted": (5,)}, "the inverted input 5 has no name"),
    ],
)
def test_inputs_that_cannot_be_are_refused(settings: Settings, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        CanopenIoShoeSettings(**settings)


# --- the simulated node -------------------------------------------------------------------------


def test_a_node_that_waits_is_silent_until_the_host_starts_it() -> None:
    simulator = ENCODER.simulator(CanopenEncoderSettings(start=True))
    simulator.cue(AT, PowerOn())
    said = [data for second in range(4) for data in simulator.speak(AT.after(second))]
    assert {data[:4] for data in said} == {bytes.fromhex("00000711")}
    with pytest.raises(ValueError, match="not operational"):
        simulator.cue(AT.after(3), SpinBall("17"))
    simulator.hear(AT.after(3), start_node(0x11))
    assert simulator.speak(AT.after(3)) == [packet(0x191, bytes.fromhex("A4010000"))]


@pytest.mark.parametrize(
    ("spec", "cue"),
    [(ENCODER, DrawCutCard()), (SHOE, StateResult("player")), (SHOE, SpinBall("0"))],
)
def test_a_device_refuses_what_it_cannot_play(spec: DeviceSpec, cue: object) -> None:
    simulator = spec.simulator(spec.settings())
    simulator.cue(AT, PowerOn())
    simulator.speak(AT.after(1))
    with pytest.raises(ValueError, match="cannot play"):
        simulator.cue(AT.after(1), cue)  # type: ignore[arg-type]
