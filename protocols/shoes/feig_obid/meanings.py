"""What a frame says, from its bytes alone."""

from __future__ import annotations

from typing import Final, TypeAlias

from protocols.cards import Card, find_card
from protocols.readings import CardsPresent, CardTag, CommandReply, DeviceIdentity, Reading
from protocols.rejects import RejectReason
from protocols.shoes.feig_obid.layout import (
    ANY_READER,
    CHECK,
    CONTROLS,
    INVENTORY,
    ISO15693,
    MORE_DATA,
    NO_TAG,
    SET,
    UID_FIRST,
    VERSION,
    WELL,
    FeigObidSettings,
    head_of,
)

Body: TypeAlias = Reading | RejectReason

_LISTS: Final = (WELL, MORE_DATA)


class Meanings:
    """The meanings of frames at one site."""

    def __init__(self, settings: FeigObidSettings) -> None:
        self._address = settings.address
        self._cards: dict[str, Card | None] = {
            uid: find_card(name) for uid, name in settings.enrolment
        }

    def of(self, raw: bytes) -> Body:
        """Return what a frame says whose check value is right."""
        address, control, status = raw[head_of(raw) : head_of(raw) + 3]
        data = raw[head_of(raw) + 3 : -CHECK]
        if self._address not in (ANY_READER, address):
            return RejectReason.UNSUPPORTED  # another reader on the same line
        name = CONTROLS[control]
        if control == INVENTORY and status == NO_TAG:
            return CardsPresent(()) if not data else RejectReason.LENGTH
        if control == INVENTORY and status in _LISTS:
            return self._tags(data, complete=status == WELL)
        if status != WELL:
            return CommandReply("refused", name, f"{status:02X}")
        if control == VERSION:
            return DeviceIdentity(f"OBID {data.hex()}")
        return CommandReply("value", name, data.hex()) if data else CommandReply("ok", name)

    def _tags(self, data: bytes, *, complete: bool) -> Body:
        sets = [data[start : start + SET] for start in range(1, len(data), SET)]
        if any(tag_set[0] != ISO15693 for tag_set in sets):
            return RejectReason.UNSUPPORTED
        if not data or len(data) != 1 + data[0] * SET:
            return RejectReason.LENGTH
        uids = sorted(tag_set[2:].hex().upper() for tag_set in sets)
        if len(set(uids)) != len(uids) or not all(uid.startswith(UID_FIRST) for uid in uids):
            return RejectReason.VALUE
        return CardsPresent(tuple(CardTag(uid, self._cards.get(uid)) for uid in uids), complete)
