"""What a house leaves its supervisor to decide: on the houses' own files (findings R2 and R4)."""

from __future__ import annotations

from typing import Any

import pytest
from support import baccarat_bench, roulette_bench
from support.baccarat_bench import BaccaratBench
from support.roulette_bench import RouletteBench
from support.table_bench import PROFILES, found, kinds, written_rules

from daemon.gamekit.house_rules import HouseRules
from daemon.gamekit.spec import AnyGame
from daemon.games.baccarat import GAME as BACCARAT
from daemon.games.roulette import GAME as ROULETTE
from daemon.runtime.catalog import games
from protocols.commands import ResolveAction, ResolveViolation
from protocols.events import ResultEnteredManually, RoundBetsClosed, ViolationRaised
from protocols.readings import CardUnread
from protocols.refusals import Refusal

DK_BACCARAT = written_rules(BACCARAT, "baccarat-dk")
GR_BACCARAT = written_rules(BACCARAT, "baccarat-gr")
STRICT = sorted(
    path.stem
    for path in PROFILES.glob("*.toml")
    if path.stem.rpartition("-")[2] not in ("gr", "ru")
)
EACH_GAME = pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)


def game_of(profile: str) -> AnyGame:
    return next(game for key, game in games().items() if profile.replace("-", "_").startswith(key))


# --- R2: a system failure voids ------------------------------------------------------------------


@pytest.mark.parametrize("profile", STRICT)
def test_r2_where_the_book_voids_a_malfunction_nothing_else_is_offered(profile: str) -> None:
    game = game_of(profile)
    rules = written_rules(game, profile)
    failures = [code for code, rule in game.violations.items() if rule.cause == "malfunction"]
    assert {"device_lost", "reading_gap", "recovery_differs"} <= set(failures)
    assert {game.resolutions(code, rules) for code in failures} == {("void",)}


@pytest.mark.parametrize(
    ("game", "codes"),
    [
        (BACCARAT, {"shoe_error", "card_conflict", "result_conflict"}),
        (ROULETTE, {"sensor_fault", "spin_lost", "spin_timeout", "pocket_conflict"}),
    ],
)
def test_r2_what_a_failed_device_leaves_is_a_malfunction(game: AnyGame, codes: set[str]) -> None:
    assert {game.rule_of(code).cause for code in codes} == {"malfunction"}


def test_r2_the_violation_offers_what_is_obeyed() -> None:
    bench = BaccaratBench(DK_BACCARAT)
    bench.deal("8S")
    bench.unplug()
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.resolutions) == ("device_lost", ("void",))
    bench.ask(bench.decision("device_lost", "accept"))
    assert bench.refusal is Refusal.ACTION_NOT_ALLOWED
    bench.resolve("device_lost", "void")
    assert bench.state.round is None


def test_r2_a_house_whose_book_is_silent_leaves_it_to_the_supervisor() -> None:
    bench = BaccaratBench(GR_BACCARAT, decks=None)
    assert bench.setup.game.resolutions("device_lost", GR_BACCARAT) == ("void", "accept")


@EACH_GAME
def test_r2_the_defaults_are_the_strict_ones(game: AnyGame) -> None:
    for code, rule in game.violations.items():
        allowed = game.resolutions(code, HouseRules())
        if rule.cause == "malfunction":
            assert set(allowed) <= {"void"}, code
        elif rule.cause == "early":
            assert not {"accept", "correct"} & set(allowed), code
        else:
            assert allowed == rule.resolutions, code


# --- R2: a value that no device stated has two names ---------------------------------------------


def entered(second_who: str | None, who: str = "anna", card: str = "5C") -> Any:
    """Return a table on which an unread card was named, or was not."""
    bench = BaccaratBench(DK_BACCARAT)
    bench.deal("8S")
    bench.hear(CardUnread("no code"))
    violation = bench.state.open[0].violation_id
    bench.ask(ResolveViolation(violation, "correct", who, "seen", card=card, second_who=second_who))
    return bench


@pytest.mark.parametrize("second_who", [None, "", "  ", "anna", " Anna "])
def test_r2_one_person_enters_no_card_that_nobody_read(second_who: str | None) -> None:
    bench = entered(second_who)
    assert bench.refusal is Refusal.TWO_NAMES
    assert bench.state.held


def test_r2_two_people_enter_it_and_the_event_names_both() -> None:
    bench = entered("bert")
    (event,) = found(bench.events, ResultEnteredManually)
    assert (event.value, event.who, event.second_who) == ("5C", "anna", "bert")


def test_r2_nobody_is_no_first_name_either() -> None:
    assert entered("bert", who=" ").refusal is Refusal.TWO_NAMES


def test_r2_what_is_no_card_is_refused_before_the_names_are_counted() -> None:
    assert entered(None, card="XX").refusal is Refusal.VALUE_MISSING


@pytest.mark.parametrize(("pocket", "refusal"), [("13", None), ("4", Refusal.TWO_NAMES)])
def test_r2_a_pocket_that_the_wheel_stated_needs_one_name(
    pocket: str, refusal: Refusal | None
) -> None:
    """27 against 13, and one person says 4."""
    bench = RouletteBench(roulette_bench.profile())
    bench.spin_to("no_more_bets", spin=4)
    bench.say("winning_number", 4, "27", after=26.0)
    bench.number("13")
    assert bench.codes[-1] == "pocket_conflict"
    violation = bench.state.open[-1].violation_id
    bench.ask(ResolveViolation(violation, "correct", "anna", "seen", pocket=pocket))
    assert bench.refusal is refusal


# --- R4: what comes before "no more bets" --------------------------------------------------------


@pytest.mark.parametrize("action", ["accept", "correct"])
def test_r4_an_early_card_counts_for_no_round_in_a_strict_house(action: ResolveAction) -> None:
    bench = BaccaratBench(DK_BACCARAT)
    bench.open()
    bench.draw("8S")
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.resolutions) == ("card_before_no_more_bets", ("void", "burn"))
    bench.ask(bench.decision("card_before_no_more_bets", action, "8S"))
    assert bench.refusal is Refusal.ACTION_NOT_ALLOWED


def test_r4_an_early_card_that_was_not_read_is_not_named_into_the_round_either() -> None:
    bench = BaccaratBench(DK_BACCARAT)
    bench.open()
    bench.hear(CardUnread("no code"))
    (raised,) = found(bench.events, ViolationRaised)
    assert raised.resolutions == ("void", "burn")
    bench.close()
    bench.ask(bench.decision(raised.code, "correct", "5C"))
    assert bench.refusal is Refusal.ACTION_NOT_ALLOWED, "closed later, it came no later"


@pytest.mark.parametrize("named", [None, "9S"])
def test_r4_who_lets_it_count_has_closed_the_bets(named: str | None) -> None:
    bench = BaccaratBench(baccarat_bench.profile())
    bench.open()
    bench.draw("8S")
    bench.resolve("card_before_no_more_bets", "correct" if named else "accept", named)
    (raised,) = found(bench.events, ViolationRaised)
    (closed,) = found(bench.events, RoundBetsClosed)
    assert (closed.by, closed.violation_id) == ("supervisor", raised.violation_id)


def early_ball(**rules: Any) -> RouletteBench:
    """Return a table whose ball has landed while its bets were open."""
    bench = RouletteBench(roulette_bench.profile(min_revolutions=0.0, **rules), control="server")
    bench.say("place_bets", 11)
    bench.open()
    bench.spin_to("no_more_bets")
    bench.number("27")
    bench.say("winning_number", 11, "27", after=26)
    return bench


@pytest.mark.parametrize("house", [one for one in STRICT if one.startswith("roulette")])
@pytest.mark.parametrize("closed_later", [False, True], ids=["open still", "closed later"])
def test_r4_an_early_ball_counts_for_no_round_in_a_strict_house(
    house: str, *, closed_later: bool
) -> None:
    strict = written_rules(ROULETTE, house)
    bench = early_ball(before_no_more_bets=strict.before_no_more_bets)
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.resolutions) == ("ball_before_no_more_bets", ("void",))
    if closed_later:
        bench.close()
    bench.ask(bench.decision(raised.code, "accept"))
    assert bench.refusal is Refusal.ACTION_NOT_ALLOWED
    assert bench.pockets == []


def test_r4_who_lets_an_early_ball_count_has_closed_the_bets() -> None:
    bench = early_ball(before_no_more_bets="supervisor")
    (raised,) = found(bench.events, ViolationRaised)
    heard = bench.resolve(raised.code, "accept")
    assert kinds(heard)[2:] == ["round.bets_closed", "spin.landed", "round.completed"]
    (closed,) = found(heard, RoundBetsClosed)
    assert (closed.by, closed.violation_id) == ("supervisor", raised.violation_id)


def lost_early(before_no_more_bets: str, *, closed_later: bool) -> RouletteBench:
    """Return a table whose ball came to rest while its bets were open, and whose pocket is lost."""
    rules = {"malfunction": "supervisor", "before_no_more_bets": before_no_more_bets}
    bench = RouletteBench(roulette_bench.profile(min_revolutions=0.0, **rules), control="server")
    bench.say("place_bets", 11)
    bench.open()
    bench.spin_to("no_more_bets")
    bench.number("27")
    bench.say("winning_number", 11, "13", after=26)
    if closed_later:
        bench.close()
    return bench


@pytest.mark.parametrize("closed_later", [False, True], ids=["open still", "closed later"])
def test_r4_a_lost_pocket_of_an_early_ball_is_not_entered_by_hand_in_a_strict_house(
    *, closed_later: bool
) -> None:
    bench = lost_early("not_counted", closed_later=closed_later)
    (raised,) = found(bench.events, ViolationRaised)
    assert (raised.code, raised.resolutions) == ("pocket_conflict", ("void",))
    violation = bench.state.open[-1].violation_id
    bench.ask(ResolveViolation(violation, "correct", "anna", "seen", pocket="27"))
    assert bench.refusal is Refusal.ACTION_NOT_ALLOWED
    assert bench.pockets == []


def test_r4_who_enters_the_pocket_of_an_early_ball_has_closed_the_bets() -> None:
    bench = lost_early("supervisor", closed_later=False)
    violation = bench.state.open[-1].violation_id
    heard = bench.obey(ResolveViolation(violation, "correct", "anna", "seen", pocket="27"))
    (closed,) = found(heard, RoundBetsClosed)
    assert (closed.by, closed.violation_id) == ("supervisor", violation)
    assert bench.pockets == ["27"]


def test_r4_bets_that_the_wheel_closes_only_with_its_result_were_open() -> None:
    """The wheel's own call was not heard: the first that closes the bets is where the ball lies."""
    bench = RouletteBench(
        roulette_bench.profile(min_revolutions=0.0, bets_end="device"), control="server"
    )
    bench.say("place_bets", 11)
    bench.open()
    bench.spin_to("ball_in_rim")
    bench.say("winning_number", 11, "27", after=1)
    bench.say("winning_number", 11, "27")
    assert (bench.codes, bench.pockets) == (["ball_before_no_more_bets"], [])


def test_r4_bets_that_close_between_two_statements_of_a_result_were_open() -> None:
    bench = RouletteBench(roulette_bench.profile(), control="server")
    bench.open()
    bench.spin_to("no_more_bets")
    bench.number("27")
    bench.close()
    bench.say("winning_number", 11, "27", after=1)
    assert (bench.codes, bench.pockets) == (["ball_before_no_more_bets"], [])
