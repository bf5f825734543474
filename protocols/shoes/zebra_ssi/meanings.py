"""What a packet says, from its bytes alone, and what it wants to hear."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from protocols.cardcodes import Labels, labels
from protocols.readings import CommandReply, DeviceIdentity, Reading
from protocols.rejects import RejectReason
from protocols.shoes.zebra_ssi.layout import (
    AGAIN,
    BAD_CONTEXT,
    CAPABILITIES_REPLY,
    CHECK,
    CMD_ACK,
    CMD_NAK,
    CONTINUED,
    DECODE_DATA,
    EVENT,
    HEAD,
    HOST,
    PARAM_SEND,
    RESEND,
    REVISION_REPLY,
    SYMBOLOGIES,
    ZebraSsiSettings,
    first_sent,
    packet,
)

Body: TypeAlias = Reading | RejectReason

ACK: Final = packet(CMD_ACK, source=HOST)
NAK_RESEND: Final = packet(CMD_NAK, bytes([RESEND]), source=HOST)
NAK_BAD_CONTEXT: Final = packet(CMD_NAK, bytes([BAD_CONTEXT]), source=HOST)

_VALUES: Final = {PARAM_SEND: "parameters", CAPABILITIES_REPLY: "capabilities"}
_AROUND: Final = " \t\r\n"
_AIM: Final = re.compile(r"\][A-Za-z][0-9A-Za-z]")
"""An AIM identifier, where the scanner is set to send one: no part of the label."""


class Meaning(NamedTuple):
    """What a whole packet says, what to answer, and which packet it repeats."""

    body: Body
    answer: bytes | None
    repeats: bytes | None = None


class Meanings:
    """The meanings of packets at one site."""

    def __init__(self, settings: ZebraSsiSettings) -> None:
        self._labels: Labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._symbologies = frozenset(SYMBOLOGIES[symbology] for symbology in settings.symbologies)

    def of(self, raw: bytes) -> Meaning:
        """Return the meaning of a packet whose check value is right."""
        opcode, status, data = raw[1], raw[3], raw[HEAD:-CHECK]
        if opcode in (CMD_ACK, CMD_NAK):
            return Meaning(_answer(opcode, data), None)
        repeats = first_sent(raw) if status & AGAIN else None
        if opcode == DECODE_DATA:
            longer = bool(status & CONTINUED)
            body = RejectReason.UNSUPPORTED if longer else self._scanned(data)
            return Meaning(body, ACK, repeats)
        if opcode == EVENT:  # the scan that it announces speaks for itself
            return Meaning(RejectReason.UNSUPPORTED, ACK, repeats)
        if opcode == REVISION_REPLY:
            return Meaning(_identity(data), ACK, repeats)
        if opcode in _VALUES:
            return Meaning(CommandReply("value", _VALUES[opcode], data.hex()), ACK, repeats)
        return Meaning(RejectReason.UNSUPPORTED, NAK_BAD_CONTEXT)

    def _scanned(self, data: bytes) -> Body:
        if not data:
            return RejectReason.LENGTH
        label = data[1:].decode("latin-1").strip(_AROUND)
        if _AIM.match(label):
            label = label[3:]
        # Which symbology a "no read" is sent with is not documented, so any will do.
        if data[0] not in self._symbologies and label not in self._labels.no_read:
            return RejectReason.UNSUPPORTED
        return self._labels.read(label)


def _answer(opcode: int, data: bytes) -> Body:
    if opcode == CMD_ACK:
        return CommandReply("ok") if not data else RejectReason.LENGTH
    if len(data) != 1:
        return RejectReason.LENGTH
    return CommandReply("refused", value=f"{data[0]:02X}")


def _identity(data: bytes) -> Body:
    text = data.decode("latin-1").strip().encode("unicode_escape").decode("ascii")
    return DeviceIdentity(text) if text else RejectReason.LENGTH
