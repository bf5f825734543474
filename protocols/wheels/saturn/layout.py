"""The frames of a TCS JohnHuxley Saturn wheel, as data: shared by its decoder and its simulator.

    01  d d  02  text  03  C  04

    d d   two digits: 02 in the questions SR1 and SR2, 04 in SR3 and RC03
    C     40 hex, or'ed with the low six bits of the sum of all before it

    SR1   not known                    SR3   what the error is
    SR2   status, asked every 200 ms   RC03  fire: start a game

RS-485, half duplex: one question, one answer, nothing unasked. Bytes are counted from the 01:

    status      at least 49; byte 48 is the error flag, `1` for an error
    error text  bytes 5 to 11

Source: one public host program and the four questions in it. No answer of a real wheel is public.

Not understood: where an answer says the winning number, the state, the speed and the direction, so
none of them is read; what d d is, and whether an answer repeats it; whether an error text is longer
than byte 11 (taken: it is not, which tells it from a status); lower-case text, which is rejected
because the six bits of C cannot protect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SOH: Final = b"\x01"
EOT: Final = b"\x04"
TEXT_AT: Final = 4
"""Where the text begins, counted from the 01."""
FLAG_AT: Final = 48 - TEXT_AT
ERROR_TEXT: Final = slice(5 - TEXT_AT, 12 - TEXT_AT)
ERROR_LENGTH: Final = 12 - TEXT_AT
FRAME_MAX: Final = 256
"""Most bytes of a frame that are kept; a status is known to have 49 and a few more."""

ERROR_FLAG: Final = {"0": False, "1": True}

POLL_S: Final = 0.2
"""How often the public host asks for the status."""

_CHECK_MASK: Final = 0x3F
_CHECK_BASE: Final = 0x40


@dataclass(frozen=True, slots=True)
class SaturnSettings:
    """Whether we ask. `poll` is off where another host on the line does: then we only listen."""

    poll: bool = True


def check_of(covered: bytes) -> int:
    """Return the check byte: blind to the two high bits of every byte, and to order."""
    return sum(covered) & _CHECK_MASK | _CHECK_BASE


def frame(address: bytes, text: bytes) -> bytes:
    """Return a whole frame."""
    covered = b"\x01%b\x02%b\x03" % (address, text)
    return covered + bytes((check_of(covered),)) + EOT


QUERY: Final = frame(b"02", b"SR1")
STATUS: Final = frame(b"02", b"SR2")
ERROR: Final = frame(b"04", b"SR3")
FIRE: Final = frame(b"04", b"RC03")
QUESTIONS: Final = frozenset({"SR1", "SR2", "SR3", "RC03"})
