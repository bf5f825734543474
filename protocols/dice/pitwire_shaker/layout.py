"""The lines of a dice shaker of our own making, as data: shared by its decoder and its simulator.

    $ N K text * CCCC LF

    N     line number 0-9 then A-Z, and 0 after Z; kept over a loss of mains. I is not counted: it
          says the number that comes next
    K     S  the dice are shaken                  no text
          L  they lie: three characters, one for each die, 1 to 6, or - where it was not recognised
          I  the shaker was switched on           who it is, up to 24 printable characters
    CCCC  CRC-16/MCRF4XX of all between $ and *, upper-case hex, high byte first

The line goes one way, so each line is sent twice, `RESENT_AFTER_S` apart: the same bytes with the
same number. A line that is lost both times leaves a hole in the numbers. Whoever looks at the same
dice again says L anew, under its next number.

Source: none. No public document of a real dice shaker is known; this is what we would ask a maker
for, so that the rules, the contract and the tests have a device to be tried on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocols.checks import crc16_mcrf4xx

DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The line numbers, in order."""
START: Final = b"$"
SHAKEN: Final = "S"
LIE: Final = "L"
IDENTITY: Final = "I"
UNREAD: Final = "-"
TEXT_MAX: Final = 24
BODY_MAX: Final = 2 + TEXT_MAX + 5
"""Most characters between the start of a line and its end."""
RESENT_AFTER_S: Final = 0.1
RESENT_WITHIN_S: Final = 5.0
"""How far the second copy may lag, through a host that stalls: no 36 lines go in that time."""


@dataclass(frozen=True, slots=True)
class PitwireShakerSettings:
    """Nothing differs between sites."""


def line(number: str, kind: str, text: str = "") -> bytes:
    """Return a line as the shaker sends it."""
    body = f"{number}{kind}{text}".encode("ascii")
    return START + body + b"*%04X\n" % crc16_mcrf4xx(body)
