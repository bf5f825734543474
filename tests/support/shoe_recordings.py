"""Recordings of card devices, simulated: what our simulators and frame builders put on the wire.

Names and grammar are those of the real recordings, so that a test reads both alike. See
`recordings.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from support.notation import card, draw_cue
from support.recordings import SIMULATED

from config.dbc import read_dbc
from protocols.bytetext import spell_bytes
from protocols.canopen import start_node
from protocols.instant import Instant
from protocols.shoes.angel_eye_ii_ex.commands import host_commands
from protocols.shoes.angel_eye_ii_ex.layout import AngelEyeSettings, report
from protocols.shoes.angel_eye_ii_ex.simulator import AngelEyeSimulator
from protocols.shoes.barcode_lines.layout import BarcodeLinesSettings
from protocols.shoes.barcode_lines.simulator import BarcodeLinesSimulator
from protocols.shoes.beetek.layout import BeetekSettings
from protocols.shoes.beetek.simulator import BeetekSimulator
from protocols.shoes.canopen_io_shoe.layout import CanopenIoShoeSettings
from protocols.shoes.canopen_io_shoe.simulator import CanopenIoShoeSimulator
from protocols.shoes.dbc_profile.layout import DbcProfileSettings
from protocols.shoes.dbc_profile.simulator import DbcProfileSimulator
from protocols.shoes.feig_obid.commands import COMMANDS as FEIG_COMMANDS
from protocols.shoes.feig_obid.layout import FeigObidSettings
from protocols.shoes.feig_obid.simulator import FeigObidSimulator
from protocols.shoes.hid_keyboard.layout import HidKeyboardSettings
from protocols.shoes.hid_keyboard.simulator import HidKeyboardSimulator
from protocols.shoes.hid_pos.commands import COMMANDS as HID_POS_COMMANDS
from protocols.shoes.hid_pos.layout import HidPosSettings, aim_packet
from protocols.shoes.hid_pos.simulator import HidPosSimulator
from protocols.shoes.zebra_ssi.commands import COMMANDS as SSI_COMMANDS
from protocols.shoes.zebra_ssi.layout import (
    CMD_ACK,
    CMD_NAK,
    HOST,
    RESEND,
    RESPONSE_S,
    ZebraSsiSettings,
)
from protocols.shoes.zebra_ssi.layout import packet as ssi_packet
from protocols.shoes.zebra_ssi.simulator import ZebraSsiSimulator
from protocols.simulator import Cue, Fault, PowerOn, Simulator, SpinBall, StateResult
from protocols.wheels.canopen_encoder.layout import CanopenEncoderSettings
from protocols.wheels.canopen_encoder.simulator import CanopenEncoderSimulator

FOLDER: Final = SIMULATED / "shoe"
DBC: Final = FOLDER / "pine_table.dbc"
"""A database that we wrote for a shoe that nobody makes."""
PINE: Final = DbcProfileSettings(
    dbc=read_dbc(DBC.read_bytes()),
    message="PINE_CARD",
    rank="Face",
    suit="Colour",
    suits=(("clubs", "C"), ("diamonds", "D"), ("hearts", "H"), ("spades", "S")),
    event="What",
    events=(
        ("pulled", "drawn"),
        ("thrown away", "burned"),
        ("marker", "cut_card"),
        ("blurred", "unread"),
        ("stuck", "error"),
    ),
    target="",
    sequence="Number",
)
_LATER: Final = Instant("recording", 10**12)


def at(seconds: float) -> Instant:
    """Return a moment of the recording."""
    return Instant("recording", round(seconds * 1e9))


def spoken(simulator: Simulator, *cues: Cue) -> list[bytes]:
    """Return what a device says when this happens, a second apart."""
    frames: list[bytes] = []
    for second, cue in enumerate(cues):
        simulator.cue(at(second), cue)
        frames += simulator.speak(at(second + 0.9))
    return frames


def timed(simulator: Simulator, *cues: tuple[float, Cue]) -> Iterator[tuple[float, bytes]]:
    """Yield what a device says, and when; cues come at their times."""
    for seconds, cue in cues:
        yield from _until(simulator, at(seconds))
        simulator.cue(at(seconds), cue)
    yield from _until(simulator, _LATER)


def _until(simulator: Simulator, moment: Instant) -> Iterator[tuple[float, bytes]]:
    while (due := simulator.wake_at) is not None and due.ns < moment.ns:
        for frame in simulator.speak(due):
            yield due.ns / 1e9, frame


def spelled(data: bytes) -> str:
    """Return bytes as the recordings have them."""
    return data.hex(" ").upper()


# --- a recording each --------------------------------------------------------------------------


def angel_eye() -> Iterator[str]:
    reports: Sequence[tuple[str, str]] = (
        ("S", ""), ("P", ""), ("D", "C0C7"), ("D", "D780"), ("D", "A1A3"), ("D", "81B8"),
        ("D", "91A5"), ("D", "829D"), ("D", "92C2"), ("D", "83BA"), ("D", "93A1"), ("G", "91"),
        ("G", "A2"), ("G", "C0"), ("G", "F0"), ("C", ""), ("E", "C1"), ("E", "C2"), ("E", "C3"),
        ("E", "C4"), ("E", "C5"), ("E", "C6"), ("E", "C7"), ("E", "81"), ("e", "82"),
        ("R", "8199"), ("L", "81"), ("L", "80"), ("d", "80B4"), ("d", "91B4"),
        ("M", "313030303330"),
    )  # fmt: skip
    for count, (code, data) in enumerate(reports):
        yield f"{spelled(report(str(count % 9 + 1), code, bytes.fromhex(data)))} | {code} {data}"
    yield "06 | ACK"
    for cause in ("01", "02", "03", "11", "12", "13", "14", "21", "22", "FF"):
        yield f"15 {cause} | NAK"
    good, result = report("1", "D", b"\x81\xb8"), report("2", "G", b"\x91")
    yield f"{spelled(good[:-1])} {good[-1] ^ 1:02X} | a wrong bit in the check value"
    yield f"{spelled(result[:3])} 11 {spelled(result[4:])} | one byte without its top bit"
    yield f"{spelled(report('1', 'D', bytes.fromhex('B881')))} | the payload the other way round"
    yield f"{spelled(report('E', 'D', bytes.fromhex('80B8')))} | a letter for its number"
    yield f"{spelled(report('F', 'D', bytes.fromhex('8108')))} | a letter for its number"
    yield f"{spelled(good[:5])} | half a telegram"
    yield f"00 00 FF {spelled(report('2', 'P'))} | noise before a telegram"
    yield f"{spelled(report('1', 'D', bytes.fromhex('0138')))} | a seven-bit port, both bytes"
    for command in host_commands(includes_start=True):
        yield f"{spelled(command.data)} | from the host: {command.name}"


def angel_eye_triple() -> Iterator[str]:
    shoe = AngelEyeSimulator(AngelEyeSettings())
    shoe.cue(at(0), Fault("triple_transmission"))
    said = timed(
        shoe,
        (0.0, draw_cue("8S>player.1")),
        (1.8, draw_cue("5C>banker.1")),
        (3.6, draw_cue("KD>player.2")),
        (5.4, draw_cue("2H>banker.2")),
        (7.2, StateResult("player")),
    )
    for seconds, frame in said:
        yield f"{round(seconds * 1000):6} | {spelled(frame)} | the shoe"


def barcode_lines() -> Iterator[str]:
    numbers = BarcodeLinesSettings(scheme="suit_number")
    for code in ("QD", "AS", "TH", "KC"):
        yield from _lines(numbers, draw_cue(code))
    ends_cr = BarcodeLinesSettings(scheme="suit_number", terminator="<CR>", aim="required")
    yield from _lines(ends_cr, draw_cue("QD"))
    framed = BarcodeLinesSettings(scheme="suit_number", prefix="<STX>", terminator="<ETX>")
    yield from _lines(framed, draw_cue("QD"))
    counted = BarcodeLinesSettings(scheme="filler_suit_rank", terminator="", length=4)
    yield from _lines(counted, draw_cue("TH"))
    yield from _lines(BarcodeLinesSettings(terminator="<CR>"), Fault("no_read"))


def _lines(settings: BarcodeLinesSettings, cue: Cue) -> Iterator[str]:
    for frame in spoken(BarcodeLinesSimulator(settings), cue):
        yield f"{spell_bytes(frame)} | {cue.kind}"


def beetek() -> Iterator[str]:
    mode, tens = Fault("mode_button"), Fault("ten_in_digits")
    unread, alarm = Fault("unreadable"), Fault("not_read_alarm")
    ten = draw_cue("TD")
    yield from (
        token.decode()
        for frame in spoken(
            BeetekSimulator(BeetekSettings()),
            draw_cue("4S"), draw_cue("TH"), tens, ten,
            mode, draw_cue("KC"), draw_cue("AD"), mode,
            unread, ten, mode, unread, ten, mode, alarm, ten, alarm, ten, Fault("warning"),
        )
        for token in frame.replace(b"\r", b"").split(b"\n")
        if token
    )  # fmt: skip


def canopen() -> Iterator[str]:
    encoder = CanopenEncoderSimulator(CanopenEncoderSettings(start=True))
    module = CanopenIoShoeSimulator(CanopenIoShoeSettings())
    pine = DbcProfileSimulator(PINE)
    encoder.cue(at(0), PowerOn())
    said = [*_until(encoder, at(0.3)), (0.3, start_node(0x11))]
    encoder.hear(at(0.3), start_node(0x11))
    for seconds, cue in (
        (0.45, SpinBall("0")),
        (0.55, Fault("emergency")),
        (1.1, Fault("restart")),
    ):
        said += _until(encoder, at(seconds))
        encoder.cue(at(seconds), cue)
    said += _until(encoder, at(1.2))
    module.cue(at(0.05), PowerOn())
    said += _until(module, at(0.42))
    module.cue(at(0.42), draw_cue("8S"))
    said += _until(module, at(1.0))
    for code in ("2H", "3H", "8S"):
        pine.cue(at(0.43), draw_cue(code))
    said.append((0.43, pine.speak(at(0.44))[-1]))
    for seconds, packet in sorted(said, key=lambda one: one[0]):
        identifier, data = int.from_bytes(packet[:4], "big"), packet[8:]
        yield f"({1700000000 + seconds:.6f}) can0 {identifier:03X}#{data.hex().upper()}"


def feig() -> Iterator[str]:
    sent = {command.name: command.data for command in FEIG_COMMANDS}
    for name in ("identify", "cpu_reset", "rf_reset", "reader_info"):
        yield f"[G] {spelled(sent[name])} | host: {name}"
    whole = sent["system_reset"]
    yield f"[G] {spelled(whole[:5] + whole[6:])} | host: system_reset without its parameter"
    yield f"[G] {spelled(sent['inventory'])} | host: inventory"
    enrolled = (("E004015012345678", "AS"),)
    reader = FeigObidSimulator(FeigObidSettings(enrolment=()))
    reader._uids = {**reader._uids, card("AS"): enrolled[0][0]}
    reader.cue(at(0), draw_cue("AS"))
    for second in (0, 5):
        reader.hear(at(second), sent["inventory"])
        (answer,) = reader.speak(at(second + 1))
        yield f"[G] {spelled(answer)} | reader"


def hid_keyboard() -> Iterator[str]:
    wedge = HidKeyboardSimulator(HidKeyboardSettings(scheme="suit_number"))
    notes = (
        "'D' down",
        "all up",
        "'1' down",
        "all up",
        "'2' down",
        "all up",
        "'\\n' down",
        "all up",
    )
    for note, packet in zip(notes, spoken(wedge, draw_cue("QD")), strict=True):
        yield f"{spelled(packet[1:])} | {note}"
    joined = spoken(wedge, Fault("joined_keys"), draw_cue("QD"))
    for packet in joined[2:5]:
        yield f"{spelled(packet[1:])} | keys that join"
    wedge.cue(at(20), Fault("rollover"))
    wedge.cue(at(20), draw_cue("QD"))
    yield f"{spelled(wedge.speak(at(21))[2][1:])} | ErrorRollOver"


def hid_pos() -> Iterator[str]:
    scanner = HidPosSimulator(HidPosSettings(scheme="suit_number"))
    scanner.hear(at(0), HID_POS_COMMANDS[0].data)
    first, _second, last = scanner.speak(at(1))
    yield f"[G] {spelled(first[1:])} | part 1 of n"
    yield f"[G] {spelled(last[1:])} | final"
    (label,) = spoken(scanner, draw_cue("QD"))
    yield f"[G] {spelled(label[1:])} | D12, Code 128"
    label = aim_packet(b"]d1", b"H01\r")
    yield f"[G] {spelled(label[1:])} | H01, Data Matrix, suffix CR"
    plain = HidPosSimulator(HidPosSettings(scheme="suit_number", layout="plain"))
    (label,) = spoken(plain, draw_cue("QD"))
    yield f"[G] {spelled(label[1:])} | D12, NO AIM id"


def zebra() -> Iterator[str]:
    sent = {command.name: command.data for command in SSI_COMMANDS}
    scanner = ZebraSsiSimulator(ZebraSsiSettings(scheme="suit_number"))
    ack = ssi_packet(CMD_ACK, source=HOST)
    for second, name in enumerate(("configure", "flush", "enable")):
        yield f"H> {spelled(sent[name])} | {name}"
        scanner.hear(at(second), sent[name])
        yield from _said(scanner, second + 0.5)
    scanner.cue(at(10), Fault("unknown_code"))
    yield from _said(scanner, 10.5)
    yield f"H> {spelled(ack)} | ACK"
    scanner.hear(at(11), ack)
    for name in ("start", "stop"):
        yield f"H> {spelled(sent[name])} | {name}"
    scanner.cue(at(12), Fault("decode_events"))
    scanner.cue(at(12), draw_cue("QD"))
    yield from _said(scanner, 12.5)
    yield f"H> {spelled(ack)} | ACK"
    scanner.hear(at(13), ack)
    yield from _said(scanner, 13.5)
    yield from _said(scanner, 13.5 + RESPONSE_S)  # not acknowledged: sent again
    yield f"H> {spelled(ssi_packet(CMD_NAK, bytes([RESEND]), source=HOST))} | NAK"


def _said(scanner: ZebraSsiSimulator, seconds: float) -> Iterator[str]:
    for frame in scanner.speak(at(seconds)):
        yield f"D> {spelled(frame)} | scanner"


RECORDINGS: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "angel_eye_ii_ex.hex": angel_eye,
    "angel_eye_round_triple_tx.txt": angel_eye_triple,
    "barcode_ascii_lines.txt": barcode_lines,
    "beetek_lines.txt": beetek,
    "canopen_candump.log": canopen,
    "feig_obid.hex": feig,
    "usb_hid_keyboard.hex": hid_keyboard,
    "usb_hid_pos.hex": hid_pos,
    "zebra_ssi.hex": zebra,
}


def recordings() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every simulated recording of a card device."""
    for name, lines in RECORDINGS.items():
        yield name, "".join(f"{line}\n" for line in ("# SIMULATED", *lines()))


def main() -> None:
    """Write every simulated recording anew."""
    for name, text in recordings():
        (FOLDER / name).write_text(text, "ascii")


if __name__ == "__main__":
    main()
