"""Two daemons and one bus, and every order in which their steps can come: a small model.

The policy is the product's own (`delivery/lease.py`); bus, connections and time are modelled. From
each of the beginnings below, every interleaving of up to so many steps is explored, each state
once: of 5 in `make quick`, of 8 in `make test`.
A step is one of

 look    a daemon asks; the answer is of this moment, and is under way
 hear    the answer arrives, however late; what the daemon writes then is under way
 put     the bus gets what is under way, and the result is under way
 ack     the result arrives
 cut     the connection is lost, with all that is under way; what the bus got, it keeps
 back    it is there again
 die     the process is killed, and its successor starts (the same journal, the same machine)
 tick    half a second passes

In every state:  at most one daemon is confirmed; an event is taken from no daemon but the one that
                 wrote the lease that the bus has now.
From every state: once both are connected and look as often as they should, within five seconds one
                 is confirmed, and the other knows whose the lease is. Nobody waits for ever. Where
                 one of them is dead instead, the other is confirmed.

`test_the_model_notices…` seeds faults in the policy, each of which the exploration finds.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from daemon.delivery import lease as lease_module
from daemon.delivery.bus import LeaseBoard
from daemon.delivery.lease import Lease, Owner, WriteClaim, WriteLease

TICK_S = 0.5
SOON_S = 5.0
Write = WriteLease | WriteClaim


NOTHING = LeaseBoard()


@dataclass
class Node:
    """A daemon, its connection, and what is under way on it.

    heard   an answer on its way to it: (board, when it was asked for)
    sent    a write on its way to the bus, and when it was sent
    result  the bus's word on its way back: (write, number or None where refused, when it was sent)
    """

    name: str
    lease: Lease
    connected: bool = True
    heard: tuple[LeaseBoard, float] | None = None
    sent: tuple[Write, float] | None = None
    result: tuple[Write, int | None, float] | None = None

    @property
    def next_step(self) -> str | None:
        """What becomes of what is under way, None where nothing is."""
        under_way = {"hear": self.heard, "put": self.sent, "ack": self.result}
        return next((step for step, it in under_way.items() if it is not None), None)

    def lose(self) -> None:
        self.heard = self.sent = self.result = None

    def fork(self) -> Node:
        twin = copy.copy(self)
        twin.lease = copy.copy(self.lease)
        twin.lease._tokens = self.lease._tokens.copy()
        return twin


@dataclass
class World:
    """Everything: the bus's lease and claim, who wrote the lease, two daemons, the time."""

    nodes: tuple[Node, Node]
    board: LeaseBoard = NOTHING
    writer: str = ""
    last: int = 0
    now: float = 100.0
    tokens: int = 0
    path: tuple[str, ...] = field(default=(), compare=False)

    def fork(self) -> World:
        return replace(self, nodes=(self.nodes[0].fork(), self.nodes[1].fork()))

    # --- steps -----------------------------------------------------------------------------

    def steps(self) -> Iterator[str]:
        yield "tick"
        for node in self.nodes:
            can = {
                (node.next_step or "look"): node.connected,
                "cut": node.connected,
                "back": not node.connected,
                "die": True,
            }
            yield from (f"{step} {node.name}" for step, possible in can.items() if possible)

    def after(self, step: str) -> World:
        world = self.fork()
        world.path = (*self.path, step)
        world.do(step)
        return world

    def do(self, step: str) -> None:
        if step == "tick":
            self.now += TICK_S
        else:
            verb, name = step.split()
            getattr(self, f"_{verb}")(self.node(name))

    def node(self, name: str) -> Node:
        return self.nodes[0] if self.nodes[0].name == name else self.nodes[1]

    def finish(self, name: str) -> None:
        """Let all that is under way between this daemon and the bus arrive."""
        while (step := self.node(name).next_step) is not None:
            self.do(f"{step} {name}")
            self.check()

    def _look(self, node: Node) -> None:
        node.heard = (self.board, self.now)

    def _hear(self, node: Node) -> None:
        assert node.heard is not None
        (board, asked), node.heard = node.heard, None
        self.tokens += 1
        write = node.lease.look(board, asked, f"token {self.tokens}")
        node.sent = None if write is None else (write, self.now)

    def _put(self, node: Node) -> None:
        assert node.sent is not None
        (write, at), node.sent = node.sent, None
        number: int | None = self.last + 1
        match write:
            case WriteLease(after=after, body=body) if self.takes(after):
                self.last += 1
                self.board = replace(self.board, number=self.last, lease=body)
                self.writer = node.name
            case WriteLease():
                number = None
            case WriteClaim(body=body):
                self.last += 1
                self.board = replace(self.board, claim_number=self.last, claim=body)
        node.result = (write, number, at)

    def takes(self, after: int) -> bool:
        """Return whether the bus takes a lease that replaces this number."""
        return after == self.board.number

    def _ack(self, node: Node) -> None:
        assert node.result is not None
        (write, number, sent), node.result = node.result, None
        match write, number:
            case WriteLease(), int():
                node.lease.written(number, sent)
            case WriteClaim(), int():
                node.lease.claimed(number, self.now)
            case _:
                pass

    def _cut(self, node: Node) -> None:
        node.connected = False
        node.lose()
        node.lease.disconnected()

    def _back(self, node: Node) -> None:
        node.connected = True

    def _die(self, node: Node) -> None:
        node.lose()
        node.lease = Lease(node.lease._owner)

    # --- what must hold --------------------------------------------------------------------

    def check(self) -> None:
        confirmed = [one.name for one in self.nodes if one.lease.confirmed(self.now)]
        assert len(confirmed) < 2, f"both serve after {self.path}"
        for node in self.nodes:
            taken = node.lease.number and node.lease.number == self.board.number
            assert not taken or self.writer == node.name, f"a loser's event after {self.path}"

    def settle(self, dead: str = "") -> None:
        """From here on all goes well, but for the one that is dead: who serves in five seconds?"""
        world, names = self.fork(), [one.name for one in self.nodes if one.name != dead]
        for name in names:
            world.node(name).connected = True
        until, due = world.now + SOON_S, dict.fromkeys(names, world.now)
        while world.now < until:
            for name in names:
                world.finish(name)
                if world.now >= due[name]:
                    world.do(f"look {name}")
                    world.finish(name)
                    due[name] = world.now + world.node(name).lease.look_after_s
            world.do("tick")
            world.check()
        stand = {one.name: one.lease for one in world.nodes if one.name != dead}
        serving = [name for name, lease in stand.items() if lease.confirmed(world.now)]
        assert len(serving) == 1, f"{serving or 'nobody'} serves, after {world.path}"
        others = [lease.standing for name, lease in stand.items() if name not in serving]
        assert others in ([], ["other"]), f"the other believes {others}, after {world.path}"

    def key(self) -> Any:
        """What of this state matters: ages, not times; the order of numbers, not the numbers."""
        numbers: set[int] = {0, self.board.number, self.board.claim_number}
        for node in self.nodes:
            numbers.update(_numbers(node))
        rank = {number: place for place, number in enumerate(sorted(numbers))}
        nodes = tuple(_key(node, self.now, rank) for node in self.nodes)
        return nodes, _board(self.board, rank), self.writer


def _numbers(node: Node) -> Iterator[int]:
    yield node.lease.number
    if (claim := node.lease._claim) is not None:
        yield from (claim.contested[0], claim.number or 0)
    if node.heard is not None:
        yield from (node.heard[0].number, node.heard[0].claim_number)
    if node.sent is not None and isinstance(node.sent[0], WriteLease):
        yield node.sent[0].after
    if node.result is not None:
        yield node.result[1] or 0


def _board(board: LeaseBoard, rank: dict[int, int]) -> Any:
    return rank[board.number], rank[board.claim_number]


def _key(node: Node, now: float, rank: dict[int, int]) -> Any:
    lease = node.lease

    def age(at: float | None) -> float | None:
        return None if at is None else min(now - at, SOON_S)

    claim = lease._claim
    mine = tuple(sorted(rank.get(number, -1) for number in _mine(node)))
    heard, sent, result = node.heard, node.sent, node.result
    return (
        node.connected,
        (lease.standing, rank[lease.number], lease._looked, lease._anew, mine),
        age(lease._confirmed),
        claim and (rank[claim.contested[0]], rank[claim.number or 0], age(claim.since)),
        heard and (_board(heard[0], rank), age(heard[1])),
        sent and (type(sent[0]), rank[getattr(sent[0], "after", 0)], age(sent[1])),
        result and (type(result[0]), rank[result[1] or 0], age(result[2])),
    )


def _mine(node: Node) -> Iterator[int]:
    """Which of the leases in sight have a token of this daemon."""
    boards = [node.heard[0]] if node.heard is not None else []
    for board in boards:
        if board.lease is not None and any(
            one.encode() in board.lease for one in node.lease._tokens
        ):
            yield board.number


def started() -> World:
    first, second = (Node(name, Lease(Owner(name, f"place of {name}"))) for name in "AB")
    return World((first, second))


def played(world: World, *steps: str) -> World:
    for step in steps:
        world = world.after(step)
        world.check()
    return world


TAKES = ("look A", "hear A", "put A", "ack A")
ASKS = ("look B", "hear B", "put B", "ack B")
BEGINNINGS = {
    "both start": (),
    "one serves": TAKES,
    "the other has asked": (*TAKES, *ASKS),
    "the other may take it": (*TAKES, *ASKS, *["tick"] * 6, "look B"),
    "the owner answers": (*TAKES, *ASKS, "tick", "look A", "hear A"),
    "the owner's answer is late": (*TAKES, "look A", *ASKS, *["tick"] * 6, "look B", "hear B"),
    "the owner was away": (*TAKES, "cut A", *ASKS, *["tick"] * 6, "back A"),
}


def explored(begin: World, depth: int) -> int:
    """Check every state that is up to `depth` steps away; return how many there are."""
    seen, due = {begin.key()}, deque([(begin, 0)])
    while due:
        world, steps = due.popleft()
        world.check()
        world.settle()
        world.settle(dead="A")
        if steps == depth:
            continue
        for step in world.steps():
            following = world.after(step)
            if (key := following.key()) not in seen:
                seen.add(key)
                due.append((following, steps + 1))
    return len(seen)


def all_explored(depth: int) -> None:
    for steps in BEGINNINGS.values():
        explored(played(started(), *steps), depth)


@pytest.mark.parametrize("beginning", BEGINNINGS)
@pytest.mark.parametrize("depth", [5, pytest.param(8, marks=pytest.mark.slow)])
def test_one_daemon_serves_whatever_comes_in_which_order(beginning: str, depth: int) -> None:
    assert explored(played(started(), *BEGINNINGS[beginning]), depth) > 200


def impatient(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lease_module, "CLAIM_S", 1.0)


def deaf_to_claims(patch: pytest.MonkeyPatch) -> None:
    look = Lease.look

    def deaf(self: Lease, board: LeaseBoard, sent: float, token: str) -> Write | None:
        unseen = replace(board, claim_number=0) if self.standing == "ours" else board
        return look(self, unseen, sent, token)

    patch.setattr(Lease, "look", deaf)


def trusting_late_answers(patch: pytest.MonkeyPatch) -> None:
    hear = World._hear

    def late(self: World, node: Node) -> None:
        assert node.heard is not None
        node.heard = (node.heard[0], self.now)
        hear(self, node)

    patch.setattr(World, "_hear", late)


def never_asking_again(patch: pytest.MonkeyPatch) -> None:
    contest = Lease._contest

    def once(self: Lease, board: LeaseBoard, sent: float, token: str) -> Write | None:
        known, self._asked = getattr(self, "_asked", False), True  # type: ignore[attr-defined] # the fault's own memory
        return None if known and self._claim is None else contest(self, board, sent, token)

    patch.setattr(Lease, "_contest", once)


def taking_any_lease(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(World, "takes", lambda _world, _after: True)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (impatient, "both serve"),
        (deaf_to_claims, "both serve"),
        (trusting_late_answers, "both serve"),
        (never_asking_again, "nobody serves|the other believes"),
        (taking_any_lease, "both serve"),
    ],
)
def test_the_model_notices(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None], said: str
) -> None:
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=said):
        all_explored(6)
