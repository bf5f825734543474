"""The lines of a slcan adapter, in full: python-can takes what it knows and drops the rest unsaid.

    t iii l dd..      a frame: identifier, length, data in hex; T (or x) with 29 bits in eight
    r iii l           a remote request; R with 29 bits       d b, D B: frames of CAN FD
    z Z               sent      V N F and a few digits: answers to questions
    each ends in CR; BEL alone: refused. An adapter may put the time behind a frame, four digits.

The line between host and adapter has no check value: that of the bus is taken off by the adapter.
So what is no line of these may have been a frame (4.6.1 of python-can, measured: a bent first
letter is nothing to it, and of two frames whose CR was lost it returns the first alone).

Source: the Lawicel protocol, as public adapters speak it.
"""

from __future__ import annotations

import re
from typing import Final

from can.util import CAN_FD_DLC

_HEX: Final = "[0-9A-Fa-f]"
_FRAME: Final = re.compile(rf"(?:[tdb]{_HEX}{{3}}|[TxDB]{_HEX}{{8}})({_HEX})({_HEX}*)\r")
_REQUEST: Final = re.compile(rf"(?:r{_HEX}{{3}}|R{_HEX}{{8}})[0-8](?:{_HEX}{{4}})?\r")
_ANSWER: Final = re.compile(r"[zZ]?[\r\a]|[VNF][0-9A-Za-z]{2,4}\r")
_TIME: Final = 4


def is_whole(line: str) -> bool:
    """Return whether a line is one of the above. Shorter data than it says: the decoder refuses."""
    frame = _FRAME.fullmatch(line)
    if frame is None:
        return bool(_REQUEST.fullmatch(line) or _ANSWER.fullmatch(line))
    digits = 2 * CAN_FD_DLC[int(frame[1], 16)]
    return len(frame[2]) <= digits or len(frame[2]) == digits + _TIME
