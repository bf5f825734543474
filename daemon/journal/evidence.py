"""Which checkpoints may be believed: those that the journal keeps, and those of witnesses.

A checkpoint is evidence where its signatures fit and one of its keys is trusted: a key that the
caller trusts, else the key of the first checkpoint, and each key that a trusted one introduced.
A witness's lines are evidence about this journal where they name it. That a witness has a later one
than the journal keeps shows an older copy, or a cut-off end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from daemon.journal.checkpoint import BadCheckpoint, Checkpoint, SignedCheckpoint, read
from daemon.journal.reader import ReadableJournal

COPY = "it is an older copy, or its end was cut off"


@dataclass
class Evidence:
    """Checkpoints that may be believed, and what is wrong with the others.

    kept       of the journal itself, in order
    witnessed  of witnesses, about this journal
    faults     what is wrong with the journal
    notes      what to know about the evidence
    """

    kept: list[Checkpoint] = field(default_factory=list)
    witnessed: list[Checkpoint] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def newest(self) -> Checkpoint | None:
        """Return the journal's own newest checkpoint."""
        return self.kept[-1] if self.kept else None

    def about(self, table: str) -> Iterator[Checkpoint]:
        """Yield the checkpoints that say where this table stood, each place once."""
        last = None
        for checkpoint in (*self.kept, *self.witnessed):
            head = checkpoint.tables.get(table)
            if head is not None and (head.record, head.chain) != last:
                last = (head.record, head.chain)
                yield checkpoint


def weigh(
    rows: Iterable[tuple[int, int, bytes]],
    witnesses: Iterable[bytes] = (),
    trusted: Collection[str] = (),
) -> Evidence:
    """Return what the journal's checkpoints, (number, introduces, line), and witnesses are worth.

    trusted  public keys that the site vouches for; empty: the first one there is
    """
    evidence = Evidence()
    trust = set(trusted)
    for number, introduces, line in rows:
        try:
            signed = read(line)
        except BadCheckpoint as error:
            evidence.faults.append(f"checkpoint {number} is damaged: {error}")
            continue
        if (what := _out_of_order(evidence.newest, signed, number, introduces)) is not None:
            evidence.faults.append(f"checkpoint {number} {what}")
        if not trust:
            trust |= signed.signers
        if trust.isdisjoint(signed.signers):
            evidence.faults.append(
                f"checkpoint {number} of {signed.checkpoint.at} is signed with the key"
                f" {signed.checkpoint.key}, which no trusted key introduced"
            )
            continue
        trust |= signed.signers
        evidence.kept.append(signed.checkpoint)
    _hear(evidence, witnesses, trust)
    return evidence


def _out_of_order(
    before: Checkpoint | None, signed: SignedCheckpoint, number: int, introduces: int
) -> str | None:
    checkpoint = signed.checkpoint
    if checkpoint.number != number:
        return f"stands under another number than its own, {checkpoint.number}"
    if before is not None and checkpoint.journal != before.journal:
        return "is of another journal"
    if introduces != int(before is None or before.key != checkpoint.key):
        return "has another mark for a new key than was written"
    return None


def _hear(evidence: Evidence, witnesses: Iterable[bytes], trust: Collection[str]) -> None:
    """Add what witnesses have, and compare it with the newest checkpoint of the journal."""
    heard = 0
    others: set[str] = set()
    newest = evidence.newest
    for number, line in enumerate(witnesses, 1):
        if not line.strip():
            continue
        heard += 1
        try:
            signed = read(line.strip())
        except BadCheckpoint as error:
            evidence.notes.append(f"line {number} of the witness was left out: {error}")
            continue
        checkpoint = signed.checkpoint
        if newest is not None and checkpoint.journal != newest.journal:
            others.add(checkpoint.journal)
        elif trust and signed.signers.isdisjoint(trust):
            key = checkpoint.key
            evidence.notes.append(f"line {number} of the witness was left out: unknown key {key}")
        else:
            evidence.witnessed.append(checkpoint)
    if heard and not evidence.witnessed:
        of = f"; it has some of {', '.join(sorted(others))}" if others else ""
        evidence.faults.append(f"the witness has no checkpoint of this journal{of}")
    last = max(evidence.witnessed, key=lambda one: one.number, default=None)
    if last is not None and (newest is None or last.number > newest.number):
        ours = "has none" if newest is None else f"ends with {newest.number} of {newest.at}"
        evidence.faults.append(
            f"the witness has checkpoint {last.number} of {last.at}, the journal {ours}: {COPY}"
        )


def contradicted(journal: ReadableJournal, line: bytes, trusted: Collection[str]) -> dict[str, str]:
    """Return the tables of which a witness's checkpoint knows something else, and what.

    For a daemon that asks a witness for the last checkpoint it has, before it plays on. A line that
    is no checkpoint, or signed by nobody who is trusted, knows nothing.
    """
    try:
        signed = read(line)
    except BadCheckpoint:
        return {}
    if signed.signers.isdisjoint(trusted):
        return {}
    known: dict[str, str] = {}
    who = f"the witness has checkpoint {signed.checkpoint.number} of {signed.checkpoint.at}"
    for table, head in signed.checkpoint.tables.items():
        ours = journal.chain_at(table, head.record)
        if ours is None:
            known[table] = f"{who}, with {head.record} records of {table}: {COPY}"
        elif ours != head.chain:
            known[table] = f"{who}, with another record {head.record} of {table}"
    return known
