"""A dealer who errs once a round: the oracle's scripts with one fault in them, before each reader.

What a reader makes of it is said by `DEALER_ERRORS` of daemon/violations.py. Each error here makes
a plan of a script: what is read and said, where the fault is. A script that gives no occasion for
the error makes none.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Final, get_args

from blackjack_bench import ROUND, Bench
from oracle.blackjack import HOUSES, VALUE, Choice, Hand, Round, reveal
from oracle.blackjack_differential import as_one_reader_hears_it, cards_of, command_of
from oracle.blackjack_player import Deal, Script, Step, scripts

from daemon.game import Role
from daemon.violations import DEALER_ERRORS, Reader, Sight
from protocols.cards import DECK, SUITS, Card
from protocols.commands import CloseBets, CloseShoe, LoadShoe, OpenRound
from protocols.events import CardRevealed, RoundCompleted, ViolationRaised
from protocols.readings import CardDrawn, CardTarget

HOLE: Final = "dealer.2"
VAIN: Final = 600  # rounds without an occasion: this house has none
TARGETS: Final[dict[str, CardTarget]] = {one: one for one in get_args(CardTarget)}


@dataclass(frozen=True, slots=True)
class Read:
    """A reader says a card. `place`: where it really lies."""

    card: Card
    place: str
    role: Role = "primary"


@dataclass(frozen=True, slots=True)
class Say:
    """The server says something; `seen`: how many cards of the hand lie on the table."""

    choice: Choice
    seen: int


Act = Read | Say


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens; `at` is the act at fault, None: one is missing. `early`: bets still run."""

    acts: tuple[Act, ...]
    at: int | None
    early: bool = False


@dataclass(frozen=True, slots=True)
class Sitting:
    """A script before a reader: its acts, and how the table stood before each (and at the end)."""

    reader: Reader
    script: Script
    steps: tuple[Step, ...]
    acts: tuple[Act, ...]
    stood: tuple["Standing", ...]
    hole: Card | None

    def where(self, holds: Callable[[int], bool]) -> list[int]:
        """Return the acts for which something holds."""
        return [i for i in range(len(self.acts)) if holds(i)]

    def without(self, i: int) -> tuple[Act, ...]:
        """Return the acts without one."""
        return (*self.acts[:i], *self.acts[i + 1 :])

    def with_act(self, i: int, act: Act) -> Plan:
        """Return a plan with one act more, which is at fault."""
        return Plan((*self.acts[:i], act, *self.acts[i:]), i)

    def instead(self, i: int, *acts: Act) -> Plan:
        """Return a plan with other acts in the place of as many."""
        return Plan((*self.acts[:i], *acts, *self.acts[i + len(acts) :]), i)

    def first_word(self) -> Choice | None:
        """Return the first thing that the server says."""
        return next((one for one in self.steps if isinstance(one, Choice)), None)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the table stands before an act.

    turn    the box and hand that are to decide; nothing of the first deal or the insurance is left
    stood   boxes without a hand that may get a card, one of which stood
    full    the same, one of which has 21
    """

    dealing: bool
    due: str | None
    turn: tuple[int, int] | None
    stood: tuple[int, ...]
    full: tuple[int, ...]
    over: tuple[int, ...]
    may_turn_hole: bool
    peek_due: bool
    last: Card | None


def hidden(step: Step) -> bool:
    """Return whether a step deals a card face down."""
    return isinstance(step, Deal) and step.hidden


def standing(oracle: Round) -> Standing:
    """Look at the oracle's table."""
    turn = oracle._turn if oracle.due() is None else None
    over = {box: hands for box, hands in oracle.hands.items() if finished(oracle, hands)}
    return Standing(
        dealing=oracle.dealing,
        due=oracle.due(),
        turn=(turn.box, turn.number) if turn else None,
        stood=tuple(box for box, hands in over.items() if any(one.stood for one in hands)),
        full=tuple(
            box
            for box, hands in over.items()
            if any(one.total == 21 and not one.gone and not one.doubled for one in hands)
        ),
        over=tuple(over),
        may_turn_hole=reveal(HOLE) in oracle.legal(),
        peek_due=oracle._peek_due,
        last=turn.cards[-1] if turn and not turn.dark else None,
    )


def finished(oracle: Round, hands: list[Hand]) -> bool:
    """Return whether no hand of a box gets another card."""
    return all(len(one.cards) > 1 and not one.asked and oracle._finished(one) for one in hands)


def sit(script: Script, reader: Reader) -> Sitting | None:
    """Put a script before a reader; its hole card is made one that lies nowhere else."""
    made = with_hole_of_its_own(script)
    if made is None:
        return None
    steps = as_one_reader_hears_it(made.steps) if reader == "identity" else made.steps
    oracle = Round(made.house, made.boxes)
    acts: list[Act] = []
    stood = [standing(oracle)]
    for step in steps:
        if isinstance(step, Deal):
            on_hole = reader == "hole" and step.hidden and step.slot == HOLE
            place = step.slot.partition(".")[0]
            acts.append(Read(step.card, place, "hole" if on_hole else "primary"))
            oracle.card(step.card)
        else:
            acts.append(Say(step, cards_of(oracle, step)))
            oracle.choose(step)
        stood.append(standing(oracle))
    hole = next(
        (one.card for one in steps if isinstance(one, Deal) and one.hidden and one.slot == HOLE),
        None,
    )
    return Sitting(reader, made, tuple(steps), tuple(acts), tuple(stood), hole)


def with_hole_of_its_own(script: Script) -> Script | None:
    """Give the hole card a suit that its rank has nowhere else in the round."""
    at = next((i for i, one in enumerate(script.steps) if hidden(one)), None)
    if not script.house.hole_card or at is None:
        return script
    step = script.steps[at]
    assert isinstance(step, Deal)
    used = {one.card for one in script.steps if isinstance(one, Deal) and one is not step}
    free = [one for one in (Card(step.card.rank, suit) for suit in SUITS) if one not in used]
    if not free:
        return None
    steps = (*script.steps[:at], replace(step, card=free[0]), *script.steps[at + 1 :])
    return replace(script, steps=steps)


# --- the errors ----------------------------------------------------------------------------

Error = Callable[[Sitting, Random], Plan | None]


def one_of(found: list[int], chance: Random) -> int | None:
    """Return one of the occasions, None where there is none."""
    return chance.choice(found) if found else None


def another(table: Sitting, chance: Random) -> Card:
    """Return a card that is not the hole card."""
    return chance.choice([one for one in DECK if one != table.hole])


def before_bets_closed(table: Sitting, _chance: Random) -> Plan | None:
    announced = table.script.house.hole_card  # the house without one lets the first card do it
    return Plan(table.acts, 0, early=True) if announced else None


def without_decision(table: Sitting, chance: Random) -> Plan | None:
    i = one_of(table.where(lambda i: table.stood[i].turn is not None), chance)
    turn = table.stood[i].turn if i is not None else None
    if i is None or turn is None:
        return None
    return table.with_act(i, Read(another(table, chance), f"box{turn[0]}"))


def _to_box(boxes: Callable[[Sitting, int], tuple[int, ...]]) -> Error:
    """Return the error: one card more to one of these boxes, while another box is to decide."""

    def wanted(table: Sitting, i: int) -> list[int]:
        turn = table.stood[i].turn
        return [] if turn is None else [box for box in boxes(table, i) if box != turn[0]]

    def error(table: Sitting, chance: Random) -> Plan | None:
        i = one_of(table.where(lambda i: bool(wanted(table, i))), chance)
        if i is None:
            return None
        box = chance.choice(wanted(table, i))
        return table.with_act(i, Read(another(table, chance), f"box{box}"))

    return error


def _just_doubled(table: Sitting, i: int) -> tuple[int, ...]:
    """Return the box whose doubled card came right before."""
    if i < 2:
        return ()
    told, got = table.steps[i - 2], table.steps[i - 1]
    if not isinstance(told, Choice) or told.action != "double" or not isinstance(got, Deal):
        return ()
    return (told.box,) if told.box in table.stood[i].over else ()


def before_hole_turned(table: Sitting, chance: Random) -> Plan | None:
    def may_turn(i: int) -> bool:
        one = table.stood[i]
        return one.may_turn_hole and not one.peek_due

    i = one_of(table.where(may_turn), chance)
    return None if i is None else table.with_act(i, Read(another(table, chance), "dealer"))


def past_17(table: Sitting, chance: Random) -> Plan | None:
    if table.script.result.total < 17 or len(table.script.result.dealer) < 2:
        return None
    return table.with_act(len(table.acts), Read(another(table, chance), "dealer"))


def after_round(table: Sitting, chance: Random) -> Plan | None:
    box = chance.choice(table.script.boxes)
    return table.with_act(len(table.acts), Read(another(table, chance), f"box{box}"))


def _decides_first(table: Sitting) -> Choice | None:
    """Return the first word, where it is a decision: what is missing then stands out at it."""
    word = table.first_word()
    return word if word is not None and word.kind == "decision" else None


def _hole_at(table: Sitting) -> int | None:
    found = [i for i, one in enumerate(table.steps) if hidden(one) and one.slot == HOLE]  # type: ignore[union-attr] # hidden: a Deal
    return found[0] if found else None


def hole_missing(table: Sitting, _chance: Random) -> Plan | None:
    at = _hole_at(table)
    if at is None or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def hole_missing_goes_on(table: Sitting, chance: Random) -> Plan | None:
    at, word = _hole_at(table), _decides_first(table)
    if at is None or word is None:
        return None
    taken = Read(another(table, chance), f"box{word.box}")
    acts = list(table.instead(at, taken).acts)
    for i, act in enumerate(acts):
        if isinstance(act, Say) and (act.choice.box, act.choice.hand) == (word.box, word.hand):
            acts[i] = replace(act, seen=act.seen + 1)
    return Plan(tuple(acts), None)


def _up_cards(table: Sitting) -> list[int]:
    return table.where(lambda i: table.stood[i].dealing and not hidden(table.steps[i]))


def up_skipped(table: Sitting, _chance: Random) -> Plan | None:
    if _hole_at(table) is None or _decides_first(table) is None:
        return None
    at = next(i for i, one in enumerate(table.steps) if getattr(one, "slot", "") == "dealer.1")
    return Plan(table.without(at), None)


def up_missed(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table), chance)
    if at is None or _hole_at(table) is None or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def up_missed_without_hole(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table)[:-1], chance)  # after the last one a decision comes first
    if at is None or table.script.house.hole_card or _decides_first(table) is None:
        return None
    return Plan(table.without(at), None)


def _is_drawn(table: Sitting, i: int) -> bool:
    step = table.steps[i]
    return isinstance(step, Deal) and step.slot.startswith("box") and not table.stood[i].dealing


def _asked_next(table: Sitting, i: int) -> Choice | None:
    """Return the word for a hand that follows at once."""
    step = table.steps[i + 1] if i + 1 < len(table.steps) else None
    own = ("hit", "stand", "double", "split")
    return step if isinstance(step, Choice) and step.action in own else None


def drawn_missed(table: Sitting, chance: Random) -> Plan | None:
    found = table.where(lambda i: _is_drawn(table, i) and _asked_next(table, i) is not None)
    at = one_of(found, chance)
    return None if at is None else Plan(table.without(at), None)


def wrong_order(table: Sitting, chance: Random) -> Plan | None:
    def two_boxes(i: int) -> bool:
        pair = table.steps[i : i + 2]
        return (
            len(pair) == 2
            and all(isinstance(one, Deal) and one.slot.startswith("box") for one in pair)
            and table.stood[i + 1].dealing
        )

    i = one_of(table.where(two_boxes), chance)
    return None if i is None else table.instead(i, table.acts[i + 1], table.acts[i])


def drawn_to_another(table: Sitting, chance: Random) -> Plan | None:
    def occasion(i: int) -> bool:
        step, word = table.steps[i], _asked_next(table, i)
        if not _is_drawn(table, i) or word is None or hidden(step) or not table.stood[i].stood:
            return False
        own = f"box{word.box}.hand{word.hand}."
        return getattr(step, "slot", "").startswith(own) and bool(
            set(table.stood[i].stood) - {word.box}
        )

    i = one_of(table.where(occasion), chance)
    if i is None:
        return None
    act, word, told = table.acts[i], _asked_next(table, i), table.acts[i + 1]
    assert isinstance(act, Read)
    assert isinstance(told, Say)
    assert word is not None
    box = chance.choice(sorted(set(table.stood[i].stood) - {word.box}))
    return table.instead(i, replace(act, place=f"box{box}"), replace(told, seen=told.seen - 1))


def read_again(table: Sitting, chance: Random) -> Plan | None:
    i = one_of(table.where(lambda i: table.stood[i].last is not None), chance)
    if i is None:
        return None
    card, turn = table.stood[i].last, table.stood[i].turn
    assert card is not None
    assert turn is not None
    return table.with_act(i, Read(card, f"box{turn[0]}"))


def read_again_in_first_deal(table: Sitting, chance: Random) -> Plan | None:
    up = _up_cards(table)
    at = one_of(up[:-1], chance)
    if at is None or _hole_at(table) is None:
        return None
    cards = [act.card for act in table.acts[: len(up)] if isinstance(act, Read)]
    shifted = (*cards[: at + 1], *cards[at:-1])
    boxes, act = len(table.script.boxes), table.acts[at]
    assert isinstance(act, Read)
    if all(map(_is_blackjack, shifted[:boxes], shifted[boxes + 1 :])):
        return None  # no decision would be asked of such a table
    if at > boxes and _is_blackjack(cards[at - boxes - 1], cards[at]):
        return None  # a hand that is over: `card_to_21`
    return table.with_act(at + 1, act)


def _is_blackjack(one: Card, other: Card) -> bool:
    return sorted((VALUE[one.rank], VALUE[other.rank])) == [1, 10]


def hole_at_shoe(table: Sitting, _chance: Random) -> Plan | None:
    at = _hole_at(table)
    return None if at is None else table.instead(at, replace(table.acts[at], role="primary"))


def up_on_hole_reader(table: Sitting, chance: Random) -> Plan | None:
    at = one_of(_up_cards(table), chance)
    return None if at is None else table.instead(at, replace(table.acts[at], role="hole"))


def looked_at(table: Sitting, chance: Random) -> Plan | None:
    at = _hole_at(table)
    if at is None or table.hole is None:
        return None
    turned = next(
        i
        for i, one in enumerate(table.steps)
        if isinstance(one, Choice) and one.kind == "card.reveal" and one.slot == HOLE
    )
    found = [i for i in range(at + 1, turned + 1) if not table.stood[i].may_turn_hole]
    i = one_of(found, chance)
    return None if i is None else table.with_act(i, Read(table.hole, "dealer", "hole"))


def another_turned(table: Sitting, chance: Random) -> Plan | None:
    for i, one in enumerate(table.steps):
        if isinstance(one, Choice) and one.kind == "card.reveal" and one.slot == HOLE:
            return table.instead(i, Read(another(table, chance), "dealer", "hole"))
    return None


ERRORS: Final[dict[str, Error]] = {
    "card_before_bets_closed": before_bets_closed,
    "card_without_decision": without_decision,
    "card_to_standing_hand": _to_box(lambda table, i: table.stood[i].stood),
    "card_to_21": _to_box(lambda table, i: table.stood[i].full),
    "second_card_after_double": _to_box(_just_doubled),
    "card_before_hole_card_is_turned": before_hole_turned,
    "dealer_past_17": past_17,
    "card_after_round": after_round,
    "hole_card_missing": hole_missing,
    "hole_card_missing_deal_goes_on": hole_missing_goes_on,
    "up_card_skipped": up_skipped,
    "up_card_missed": up_missed,
    "up_card_missed_without_hole_card": up_missed_without_hole,
    "drawn_card_missed": drawn_missed,
    "boxes_in_wrong_order": wrong_order,
    "drawn_card_to_another_box": drawn_to_another,
    "card_read_again": read_again,
    "card_read_again_in_first_deal": read_again_in_first_deal,
    "hole_card_at_the_shoe": hole_at_shoe,
    "up_card_on_hole_reader": up_on_hole_reader,
    "hole_card_looked_at": looked_at,
    "another_card_turned": another_turned,
}


# --- before the table ----------------------------------------------------------------------


@dataclass(slots=True)
class Watched:
    """A table with one kind of reader, and what it says of a plan."""

    house: str
    reader: Reader
    bench: Bench = field(init=False)

    def __post_init__(self) -> None:
        roles: tuple[Role, ...] = ("primary", "hole") if self.reader == "hole" else ("primary",)
        self.bench = Bench(self.house, roles)

    def play(self, table: Sitting, plan: Plan) -> Sight | None:
        """Play a plan. Return what named the error, and when; None where all went through."""
        bench = self.bench
        self._fresh_shoe()
        bench.command(OpenRound(ROUND, table.script.boxes))
        if not plan.early and bench.setup.profile.bets_end == "announced":
            bench.command(CloseBets(ROUND))
        sight = next(self._seen(table, plan), None)
        if bench.state.round is not None:
            bench.void()
        for one in bench.state.open:  # after the round: the card is burned
            bench.resolve(one.violation.code, "burn")
        return sight

    def _seen(self, table: Sitting, plan: Plan) -> Iterator[Sight]:
        bench = self.bench
        for i, act in enumerate(plan.acts):
            if isinstance(act, Read):
                target = TARGETS[act.place] if self.reader == "position" else None
                told = bench.say(CardDrawn(act.card, target), act.role)
                raised = [one for one in told if isinstance(one, ViolationRaised)]
                self._tells_nothing(table)
                if raised:
                    yield raised[0].code, ("this card" if i == plan.at else "next card")
                    return
            else:
                bench.command(command_of(act.choice, act.seen))
                self._tells_nothing(table)
                if bench.refusal is not None:
                    yield str(bench.refusal), "decision"
                    return
        if not any(isinstance(one, RoundCompleted) for one in bench.events):
            yield "the round does not end", "decision"

    def _tells_nothing(self, table: Sitting) -> None:
        """The hole card is in no event before it is turned, and turned it is what it was."""
        if table.hole is None:
            return
        for one in self.bench.events:
            if isinstance(one, CardRevealed) and one.slot == HOLE:
                assert Card(one.rank, one.suit) == table.hole, one
                return
        told = repr(self.bench.events)
        assert f"rank={table.hole.rank!r}, suit={table.hole.suit!r}" not in told
        assert str(table.hole) not in told

    def _fresh_shoe(self) -> None:
        bench = self.bench
        bench.command(CloseShoe())
        bench.command(LoadShoe("S1", 8))
        while bench.due is not None:
            bench.draw("2C")  # the house's burns
        bench.events.clear()


@dataclass(slots=True)
class Caught:
    """How often an error was met, and what was not as the table says."""

    rounds: int = 0
    differences: list[str] = field(default_factory=list)


def expected(error: str, reader: Reader) -> Sight | None:
    """Return what the product's table says, None where this reader cannot meet the error."""
    return DEALER_ERRORS[error].seen.get(reader)


def meet(error: str, reader: Reader, rounds: int, seed: int) -> Caught:
    """Let a dealer make this error in so many rounds, in every house where it can be made."""
    chance, caught = Random(seed), Caught()
    sight = expected(error, reader)
    for number, key in enumerate(HOUSES):
        watched = Watched(key, reader)
        share = rounds * (number + 1) // len(HOUSES) - rounds * number // len(HOUSES)
        deals = _plans(key, error, reader, chance)
        for table, plan in islice(deals, share):
            seen = watched.play(table, plan)
            caught.rounds += 1
            if not _as_said(seen, sight):
                caught.differences.append(
                    f"{error} before {reader}: {seen}, not {sight}\n{key} {plan}"
                )
    return caught


def _plans(key: str, error: str, reader: Reader, chance: Random) -> Iterator[tuple[Sitting, Plan]]:
    """Return the occasions for the error that a house's rounds give, if the first give any."""
    vain = 0
    for script in scripts(HOUSES[key], chance):
        table = sit(script, reader)
        plan = ERRORS[error](table, chance) if table is not None else None
        vain = 0 if plan is not None else vain + 1
        if table is not None and plan is not None:
            yield table, plan
        elif vain > VAIN:
            return


def _as_said(seen: Sight | None, sight: Sight | None) -> bool:
    """Return whether it was caught as said.

    What is never seen for sure may come out later, by luck: the hands that the product takes for
    others ask for other cards and words than come.
    """
    if sight is None:
        return False
    if sight[1] == "never":
        return seen is None or seen[1] != "this card"
    return seen == sight
