"""May this be a hidden card? The one place that answers it. Pure.

Who asks. The device feed asks of every frame, and of every stretch of bytes that is none, before
anything but the table looks at it, and only when the frame before it was applied: one chunk may
hold an open card and the hidden one after it. The table asks of a card that it makes itself out of
what lies on a reader of tags. The answer depends on what was known *before* the frame.

What may be hidden, and when:

* the house       its rules say whether any card may lie face down (`TableSetup.hides`); where none
                  may, only what a hole-card reader reads
* the game        by its state and the reader's role: a face-down card is due or may be moved, a
                  burned card's face is not shown, the shoe is counted with cards that lie face
                  down; all on a hole-card reader. What a shoe itself calls a burn is one
* a held table    what is read while it is held fills no slot yet: it may be for a hidden one
* a tag reader    it lists what lies there, and a card that came face down lies there as long as it
                  likes; so does half of such a list
* an older frame  a copy of a hidden card's frame, sent again when the game has gone on
* a torn frame    bytes that say nothing after a hidden card's frame: half a copy of it
* stale bytes     said before anybody listened: nobody knows when, and so of which card
* a witness       it reads the same cards, sooner or later than the table hears of them: all it says

What is shown in place of a hidden frame: that there was one. Not its bytes, nor how many, nor in
how many pieces they came, nor whether they were understood, nor what they were answered. The table
gets it as `HiddenSaid`, whose record is sealed. Stale bytes are told by the kilobyte, rounded up:
labels differ in length.

Why nobody is told that two cards are equal. Nothing here, and nothing that a table publishes before
the card is turned, depends on whether a card equals a hidden one: a person could put one card after
another on a reader until the answer changes, and 52 tries name the card. Where the house's book has
the dealer look at the hole card on its reader there is one try: any other card voids the round. A
*frame* may be compared with the one before it, as its device does to tell a repeat: it is then
hidden because it is a repeat, or out of its order, and never for its value. An equal frame that is
a card of its own is shown.

What follows from a yes is done elsewhere, without judging again: `runtime/inbox.py` seals the
record, `gamekit/shoegame` names the card in no event until it is dealt face up or turned, and
`devices/feed.py` holds back the chunks of which a part is hidden.
"""

from __future__ import annotations

from typing import Final

from daemon.table.frame_tracking import compared, judge, mark_of
from daemon.table.inputs import DeviceSaid
from daemon.table.state import TableSetup, TableState
from daemon.table.transition import context_of
from protocols.instant import Instant
from protocols.readings import CardsPresent, Reading
from protocols.replace import replace
from protocols.table_terms import Role

STALE_STEP: Final = 1024


def any_card_may_be_hidden(setup: TableSetup, role: Role) -> bool:
    """Return whether any card that this device ever reads may be a hidden one."""
    return setup.hides or role == "hole"


def card_may_be_hidden(
    setup: TableSetup, state: TableState, role: Role, reading: Reading | None = None
) -> bool:
    """Return whether the next card that this device reads may be a hidden one.

    reading  what it says, None where it says nothing
    """
    if not any_card_may_be_hidden(setup, role):
        return False
    return setup.game.may_be_hidden(state.game, context_of(setup, state), role, reading)


def frame_may_be_hidden(
    setup: TableSetup, state: TableState, at: Instant, role: Role, said: DeviceSaid | None
) -> bool:
    """Return whether nobody but the table may see a frame that has just arrived.

    said  what it says, None where its bytes say nothing
    """
    reading = None if said is None else said.reading
    if card_may_be_hidden(setup, state, role, reading):
        return True
    if said is None and may_be_torn(state, role):
        return True
    if not setup.hides:
        return False
    if reads_at_its_own_time(role) or _lists_tags(setup, role, reading):
        return True
    return said is not None and may_be_older(setup, state, at, said)


def may_be_older(setup: TableSetup, state: TableState, at: Instant, said: DeviceSaid) -> bool:
    """Return whether this may be a hidden card's frame, said again when the game has gone on.

    An equal frame that is a card of its own is none: to hide it would tell that the two are equal.
    One that comes out of its order holds the round, and is hidden as what is read while it is held.
    """
    last = state.tracks.get(said.role)
    spec = setup.devices[said.role]
    _, verdict = judge(spec, last, at, said)
    if last is not None and last.hidden and last.frame == mark_of(compared(spec, said)):
        return verdict.kind != "fresh"
    held = replace(context_of(setup, state), held=state.round is not None)
    return verdict.kind == "gap" and setup.game.may_be_hidden(
        state.game, held, said.role, said.reading
    )


def may_be_torn(state: TableState, role: Role) -> bool:
    """Return whether bytes that say nothing may be half a copy of a hidden card's frame."""
    last = state.tracks.get(role)
    return last is not None and last.hidden


def reads_at_its_own_time(role: Role) -> bool:
    """Return whether this device's next card may be another than the one that the table expects."""
    return role == "witness"


def stale_bytes_told(setup: TableSetup, size: int) -> int:
    """Return how many bytes may be told to have lain in a port, of so many that did."""
    return -(-size // STALE_STEP) * STALE_STEP if setup.hides else size


def _lists_tags(setup: TableSetup, role: Role, reading: Reading | None) -> bool:
    """Return whether this says what lies on a reader, or may be half of that."""
    told = reading is None or (isinstance(reading, CardsPresent) and bool(reading.tags))
    return told and setup.devices[role].gone_after_s is not None
