"""Recovery: a table's state after a restart, and whether its open round may go on.

Two questions, answered one after the other.

1. What was the state? The journal answers: here.

   `recover` loads the newest `state` record (written when a round ends, and at start and stop
   between rounds) and applies every input and command after it, through the same `table.apply` as
   in play. Each event that replay gives is compared with the event in the journal, which stays as
   it is: nothing is written or published again.

     older events    what their version did not tell is no difference (`older_events.py`)
     same code       any difference holds the table: a defect of ours, or an edited journal
     other code      a difference holds it only in a card, a pocket, dice or an outcome
     not readable    the table begins empty and held: an unknown state, or a sealed record that
                     no key here opens

   What was found goes into the table as the input `Restarted`; `recovery_differs` is the hold.

2. Did the device send anything meanwhile? Only the device can tell: `TableState.unproven`.

   unproven = the open round may lack readings of the primary device. It is no hold by itself: it
   says that the device's next readings decide whether there has to be one.

   set when a round is open and
     table/apply.py _restarted            the daemon was away
     table/apply.py _link                 the primary device's link was lost (held as `device_lost`)
     table/serving.py _served_by_another  another daemon took the table's lease
   cleared, and the round goes on, when
     table/apply.py _device_said          a numbered frame follows the last one without a gap; or a
                                          wheel sent its status: then the game has compared spin
                                          and phase with the last ones it saw (`_prove` in
                                          games/roulette/status.py) and holds by itself if needed
   cleared, and the round is held by `reading_gap`, when
     table/reading_gaps.py gap            frame numbers jump, or the shoe began to number anew
     table/reading_gaps.py prove_whole    the link is back and the device has no numbers, or bytes
                                          lay in the port that were sent while nobody read it
   cleared because the round is over
     table/transition.py emit             it was completed or voided
     table/resolution.py void             a supervisor or the table server voided it

   Invariants: unproven only while a round is open, or a card may open one. It is settled when the
   link is back, or with the device's first numbered frame, before the game judges that frame; by a
   wheel's first status, the game itself judges with it. A device without numbers never proves
   anything: any absence in a round is a `reading_gap`. A gap never heals by itself: a supervisor
   resolves it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from daemon.journal.cipher import Cipher, Unopened, is_sealed, opened
from daemon.journal.records import Record
from daemon.runtime.codec import StateCodec, parse_event, parse_input, parse_play
from daemon.runtime.older_events import is_older, pass_over, says_as_much
from daemon.table.apply import apply, start
from daemon.table.retelling import corrected
from daemon.table.state import RecordRef, TableSetup, TableState
from protocols.events import Event, PlayState
from protocols.play_fold import NOTHING_TOLD, after

_OUTCOMES = frozenset(
    {
        "card.dealt",
        "card.sealed",
        "card.peeked",
        "card.revealed",
        "card.burned",
        "spin.landed",
        "dice.landed",
        "round.completed",
    }
)


NOT_RESUMED: Final = "journal_not_resumed"
"""Why an epoch begins with an empty table behind records that are not what was written."""

_DECIDING = ("protocols", "daemon/gamekit", "daemon/games", "daemon/table")
"""What turns bytes into events: the code digest is of these rooms."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """A table as its journal tells it.

    differs  the first event that replay gives differently, None if all agree
    holds    whether that difference has to hold the table
    play     what the journal's events told of the table's play
    is_lost  whether the state could not be read: the table begins empty
    """

    state: TableState
    replayed: int
    differs: str | None
    holds: bool
    play: PlayState
    is_lost: bool = False


@cache
def code_digest() -> str:
    """Return the digest of everything that turns bytes into events, `b2:` + hex."""
    root = Path(__file__).parents[2]
    digest = hashlib.blake2b(digest_size=32)
    decides = [path for folder in _DECIDING for path in (root / folder).rglob("*.py")]
    for path in sorted(decides):
        digest.update(
            path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    return "b2:" + digest.hexdigest()


def recover(
    setup: TableSetup,
    last_state: Record | None,
    after: Iterable[Record],
    cipher: Cipher | None = None,
) -> Recovered:
    """Replay `after` on top of `last_state`.

    Under the same code a difference holds the table; under other code it holds only when a card,
    a pocket, dice or an outcome differs. What this version cannot read at all holds it
    too, and so does what `cipher` cannot open.
    """
    replay = _Replay(setup, cipher)
    try:
        replay.begin(last_state)
        for record in after:
            replay.apply(record)
    except Unopened as error:
        what = f"{error.what}: {error.action}"
    except (ValueError, KeyError) as error:
        # What a sealed record says is in no text: this one is published.
        sealed = f"record {replay.record}, which is sealed"
        detail = sealed if replay.is_sealed else str(error)
        what = f"this version cannot read the journal's state of the table: {detail}"
    else:
        return replay.result()
    return Recovered(start(setup), replay.count, what, holds=True, play=NOTHING_TOLD, is_lost=True)


class _Replay:
    """A table's state on its way through the records, and the first difference that it met.

    count              inputs and commands applied so far
    record, is_sealed  the record that is being read
    """

    def __init__(self, setup: TableSetup, cipher: Cipher | None) -> None:
        self.count = 0
        self.record = 0
        self.is_sealed = False
        self._setup = setup
        self._cipher = cipher
        self._state = start(setup)
        self._same_code = True
        self._older = False
        self._expected: list[Event] = []
        self._play = NOTHING_TOLD
        self._differs: tuple[str, bool] | None = None

    def begin(self, last_state: Record | None) -> None:
        if last_state is not None:
            saved: dict[str, Any] = json.loads(self._body(last_state))
            self._state = StateCodec(self._setup.game).load(saved["state"])
            self._same_code = saved["code"] == code_digest()
            told = parse_play(saved["play"]) if "play" in saved else NOTHING_TOLD
            self._play = corrected(self._setup, self._state, told)

    def apply(self, record: Record) -> None:
        if record.kind in ("input", "command"):
            self._expect_no_more_events()
            cause = parse_input(self._body(record))
            step = apply(self._setup, self._state, cause, RecordRef(record.epoch, record.record))
            self._state, self._expected = step.state, list(step.events)
            self.count += 1
        elif record.kind == "event" and record.seq is not None:
            event, envelope = parse_event(record.blob), json.loads(record.blob)
            self._play = after(self._play, event, record.seq)
            self._older = is_older(envelope)
            if self._older:
                pass_over(self._expected, event.kind)
            replayed = self._expected.pop(0) if self._expected else None
            unsaid = self._older and replayed is not None and says_as_much(replayed, envelope)
            if replayed != event and not unsaid:
                kind = replayed.kind if replayed is not None else "nothing"
                is_outcome = event.kind in _OUTCOMES or kind in _OUTCOMES
                self._differ(f"the journal has {event.kind}, replay gives {kind}", is_outcome)

    def result(self) -> Recovered:
        self._expect_no_more_events()
        difference, is_outcome = self._differs or (None, False)
        holds = difference is not None and (self._same_code or is_outcome)
        return Recovered(self._state, self.count, difference, holds, self._play)

    def _body(self, record: Record) -> bytes:
        self.record, self.is_sealed = record.record, is_sealed(record)
        return opened(self._setup.table, record, self._cipher).blob

    def _expect_no_more_events(self) -> None:
        if self._older:
            pass_over(self._expected, None)
        if self._expected:
            kind = self._expected[0].kind
            self._differ(f"replay gives {kind}, the journal has nothing", kind in _OUTCOMES)

    def _differ(self, what: str, is_outcome: bool) -> None:
        """Keep the first difference; one of an outcome holds, so it comes before any other."""
        if self._differs is None or (is_outcome and not self._differs[1]):
            self._differs = (what, is_outcome)
