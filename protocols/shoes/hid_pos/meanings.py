"""What a report says, from its bytes alone.

Scanned data that cannot be read is a card that was not read: nothing sends it again.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from protocols.cardcodes import Labels, labels
from protocols.readings import CardUnread, CommandReply, Reading
from protocols.rejects import RejectReason
from protocols.shoes.hid_pos.layout import (
    AIM_AT,
    AIM_SIZE,
    ANSWER_END,
    ANSWER_TEXT,
    DATA_MAX,
    IN,
    LENGTH_AT,
    MORE_AT,
    PACKET_SIZE,
    SCANNED,
    SYMBOLOGIES,
    ZERO_AT,
    HidPosSettings,
)

Body: TypeAlias = Reading | RejectReason

_AROUND: Final = " \t\r\n"
_AIM: Final = re.compile(rb"\][A-Za-z][0-9A-Za-z]")
_ANSWER: Final = re.compile(rb"([!-~]{1,16})([\x05\x06\x15])\.")


class Meaning(NamedTuple):
    """What a packet says by itself, its AIM identifier, and whether its scan goes on."""

    body: Body
    aim: bytes = b""
    more: bool = False


class Meanings:
    """The meanings of packets at one site."""

    def __init__(self, settings: HidPosSettings) -> None:
        self._labels: Labels = labels(
            settings.scheme, settings.card_map, settings.no_read, settings.cut_card
        )
        self._has_aim = settings.layout == "aim"
        self._symbologies = frozenset(SYMBOLOGIES[symbology] for symbology in settings.symbologies)

    def of(self, packet: bytes) -> Meaning:
        """Return the meaning of a packet."""
        if len(packet) < 2 or not packet[0] & IN or packet[1] != SCANNED:
            return Meaning(RejectReason.UNSUPPORTED)
        if len(packet) != PACKET_SIZE:
            return Meaning(CardUnread(f"a report of {len(packet) - 1} bytes"))
        length = packet[LENGTH_AT]
        if not 0 < length <= DATA_MAX:
            return Meaning(CardUnread(f"a report with {length} bytes of data"))
        if not self._has_aim:
            return Meaning(self._label(packet[AIM_AT : AIM_AT + length]))
        aim = packet[AIM_AT : AIM_AT + AIM_SIZE]
        if not _AIM.fullmatch(aim) or packet[ZERO_AT] or packet[MORE_AT] > 1:
            return Meaning(CardUnread("a report in another layout"))
        data = packet[AIM_AT + AIM_SIZE :][:length]
        return Meaning(self._said(aim, data), aim, bool(packet[MORE_AT]))

    def _said(self, aim: bytes, data: bytes) -> Body:
        if aim == ANSWER_END:
            return _answer(data)
        if aim == ANSWER_TEXT:  # comes in parts that nothing numbers: shown raw
            return RejectReason.UNSUPPORTED
        label = self._label(data)
        # With which identifier a "no read" comes is not documented, so any will do.
        text = data.decode("latin-1").strip(_AROUND)
        if aim[:2] not in self._symbologies and text not in self._labels.no_read:
            return RejectReason.UNSUPPORTED
        return label

    def _label(self, data: bytes) -> Body:
        text = data.decode("latin-1").strip(_AROUND)
        return self._labels.read(text) if text else CardUnread("an empty label")


def _answer(data: bytes) -> Body:
    parts = _ANSWER.fullmatch(data)
    if parts is None:
        return RejectReason.UNSUPPORTED
    return CommandReply("ok" if parts[2] == b"\x06" else "refused", parts[1].decode("ascii"))
