"""Dragon Tiger and Football Studio: rounds, who opens them, the last one, the shoe's verdicts."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter
from support.notation import burned, dealt
from support.table_bench import PROFILES, found, kinds, written_rules
from support.two_card_bench import GAMES, TwoCardBench, TwoCards

from config.load import builtin_profiles
from daemon.gamekit.shoegame import ShoeRules, ShoeState
from daemon.gamekit.spec import DueCard, Round
from daemon.runtime.codec import Cause, EnvelopeFields, event_blob, parse_event
from daemon.service.assembly import one_table, setup_of
from daemon.table.transition import TableTransition
from protocols.canonical import canonical
from protocols.commands import BurnCards, ChangeDealer, CloseBets, LoadShoe, OpenRound
from protocols.events import RoundCompleted, RoundVoidRequired, ViolationRaised
from protocols.readings import BurnCountStated, CutCardSeen, ShoeResult, ShoeStarted
from protocols.refusals import Refusal
from protocols.shoes.angel_eye_ii_ex import DEVICE

pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.key)

# --- a round --------------------------------------------------------------------------------


def test_a_round_is_one_card_each_and_ends_with_the_second(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    heard = bench.deal("8S", "5C")
    assert kinds(heard) == [
        "round.opened",
        "round.bets_closed",
        "card.dealt",
        "card.dealt",
        "round.completed",
    ]
    assert dealt(heard) == [(game.slots[0], "8S", 1), (game.slots[1], "5C", 2)]
    assert bench.winners == [game.first]
    assert bench.state.round is None


def test_the_slot_that_is_due_is_known_while_cards_are_dealt(game: TwoCards) -> None:
    bench = TwoCardBench(game)

    def due() -> object:
        return game.spec.due(
            bench.state.game, TableTransition(bench.setup, bench.state, bench.now).context()
        )

    bench.open()
    assert due() is None
    bench.obey(CloseBets("R1"))
    seen = [due()]
    for one in ("8S", "5C"):
        bench.draw(one)
        seen.append(due())
    assert seen == [*(DueCard(slot) for slot in game.slots), None]


def test_two_cards_of_one_face_in_a_row_are_two_cards(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("KD", "KD")
    assert bench.winners == [game.equal]
    assert bench.codes == []


def test_an_outcome_comes_back_from_its_envelope_as_it_was(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    (event,) = found(bench.events, RoundCompleted)
    stamp = EnvelopeFields("house", "t1", "rehearsal", "000001-x", "b2:00")
    wall = datetime(2026, 1, 1, tzinfo=UTC)
    blob = event_blob(stamp, 1, event, cause=Cause(1), round_id="R1", wall=wall, quality="synced")
    assert parse_event(blob) == event
    assert json.loads(blob)["data"]["outcome"]["game"] == game.spec.key


# --- what a shoe that states places calls the hands -----------------------------------------


def test_the_shoes_player_is_the_first_hand_and_its_banker_the_second(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player.1", "5C>banker.1")
    assert dealt(bench.events) == [(game.slots[0], "8S", 1), (game.slots[1], "5C", 2)]
    assert bench.codes == []


def test_a_shoe_may_name_a_hand_alone(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S>player", "5C>banker")
    assert bench.winners == [game.first]


def test_player_1_opens_the_round_where_the_shoe_does(game: TwoCards) -> None:
    bench = TwoCardBench(game, "device")
    assert kinds(bench.draw("8S>player.1")) == ["round.opened", "round.bets_closed", "card.dealt"]
    bench.draw("5C>banker.1", "9D>player.1")
    assert bench.winners == [game.first]
    assert bench.state.round == Round("T-1-2", "dealing")


def test_a_shoe_without_places_opens_the_next_round_with_the_next_card(game: TwoCards) -> None:
    bench = TwoCardBench(game, "device")
    bench.draw("8S", "5C", "2H", "9D")
    assert bench.winners == [game.first, game.second]
    assert bench.codes == []


def test_the_first_card_closes_the_bets_where_the_house_says_so(game: TwoCards) -> None:
    bench = TwoCardBench(game, bets_end="first_card")
    bench.open()
    assert kinds(bench.draw("8S")) == ["round.bets_closed", "card.dealt"]


# --- the shoe's own verdict, which is one on a baccarat ---------------------------------------


@pytest.mark.parametrize("winner", ["player", "banker", "tie"])
def test_a_verdict_by_the_rules_of_baccarat_is_not_heard(game: TwoCards, winner: str) -> None:
    verdict = ShoeResult(winner, player_pair=True, banker_pair=False)  # type: ignore[arg-type] # a Winner
    bench = TwoCardBench(game)
    assert bench.hear(verdict) == []
    bench.deal("8S")
    assert bench.hear(verdict) == []
    bench.draw("5C")
    assert bench.hear(verdict) == []
    assert bench.winners == [game.first]


def test_a_shoe_that_is_reset_between_rounds_disturbs_nothing(game: TwoCards) -> None:
    aborted = ShoeResult("aborted", player_pair=False, banker_pair=False)
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    assert bench.hear(aborted) == []
    bench.open("R2")
    assert bench.hear(aborted) == []
    bench.obey(CloseBets("R2"))
    bench.draw("2H", "9D")
    assert bench.winners == [game.first, game.second]


def test_a_deal_that_is_broken_off_at_the_shoe_has_to_be_voided(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S")
    heard = bench.hear(ShoeResult("aborted", player_pair=False, banker_pair=False))
    assert [one.round_id for one in found(heard, RoundVoidRequired)] == ["R1"]
    assert [one.code for one in found(heard, ViolationRaised)] == ["shoe_error"]


# --- burns ------------------------------------------------------------------------------------


def test_the_house_burns_nothing_of_its_own(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.obey(ChangeDealer("D7"))
    for reason in ("misdeal", "dealer_change", "discretion"):
        assert bench.refused(BurnCards(1, reason)) is Refusal.BURN_NOT_ALLOWED  # type: ignore[arg-type] # a BurnReason
    assert bench.refused(OpenRound("R1")) is None


def test_a_house_that_burns_does_so_before_the_first_round(game: TwoCards) -> None:
    bench = TwoCardBench(game, burn_after_shuffle=2)
    assert bench.refused(OpenRound("R1")) is Refusal.WRONG_PHASE
    heard = bench.draw("2S", "3S")
    assert burned(heard) == [("burn.1", None, "shuffle", 1), ("burn.2", None, "shuffle", 2)]
    bench.deal("8S", "5C")
    assert dealt(bench.events)[0] == (game.slots[0], "8S", 3)


def test_a_house_may_burn_for_a_misdeal_and_at_its_discretion(game: TwoCards) -> None:
    bench = TwoCardBench(game, burn_after_misdeal=3, burn_at_discretion=True)
    bench.obey(BurnCards(3, "misdeal"))
    bench.draw("2S", "3S", "4S")
    bench.obey(BurnCards(1, "discretion"))
    assert [one[2] for one in burned(bench.draw("5S"))] == ["discretion"]


def test_the_shoes_own_burn_count_is_held_against_the_houses(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.hear(BurnCountStated(3))
    assert bench.codes == ["wrong_burn_count"]


# --- the shoe and its last round ----------------------------------------------------------------


def test_the_round_in_which_the_cut_card_comes_is_the_last(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.fill(364)
    bench.hear(CutCardSeen())
    assert bench.codes == []
    bench.deal("8S", "5C")
    assert bench.winners == [game.first]
    assert bench.refused(OpenRound("R2")) is Refusal.LAST_ROUND_PLAYED


def test_a_cut_card_that_is_not_where_the_house_places_it_is_on_record(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.fill(364 - 11)
    bench.hear(CutCardSeen())
    assert bench.codes == ["cut_card_misplaced"]
    assert not bench.state.held


@pytest.mark.parametrize(("left", "codes"), [(2, []), (1, ["shoe_exhausted"])])
def test_a_round_takes_two_cards_and_no_more(game: TwoCards, left: int, codes: list[str]) -> None:
    bench = TwoCardBench(game, cut_card_from_back=left)
    bench.fill(416 - left)
    bench.hear(CutCardSeen())
    assert bench.codes == codes


def test_a_shoe_has_to_be_there_and_the_command_may_state_its_decks(game: TwoCards) -> None:
    bench = TwoCardBench(game, decks=None)
    assert bench.refused(OpenRound("R1")) is Refusal.NO_SHOE
    assert bench.refused(LoadShoe("S1", 6)) is Refusal.DECKS_DIFFER
    bench.obey(LoadShoe("S1", 8))
    assert bench.shoe.decks == 8


def test_a_start_after_the_cut_card_is_a_new_shoe_where_the_device_rules(game: TwoCards) -> None:
    bench = TwoCardBench(game, "device")
    bench.hear(CutCardSeen())
    assert kinds(bench.hear(ShoeStarted())) == ["shoe.closed"]
    assert kinds(bench.draw("8S"))[:2] == ["shoe.loaded", "round.opened"]


# --- the rest -----------------------------------------------------------------------------------


def test_the_state_comes_back_from_json_as_it_was(game: TwoCards) -> None:
    bench = TwoCardBench(game)
    bench.deal("8S", "5C")
    bench.hear(CutCardSeen())
    bench.deal("2H", round_id="R2")
    codec = TypeAdapter(ShoeState)
    assert codec.validate_python(json.loads(canonical(codec.dump_python(bench.game)))) == bench.game


def test_the_profile_states_every_rule_and_loads(game: TwoCards) -> None:
    key = game.spec.default_profile
    written = tomllib.loads((PROFILES / f"{key}.toml").read_text())
    assert set(written) == {"game", "title", "source", "rules", "clauses"}
    assert set(written["rules"]) == set(ShoeRules.__dataclass_fields__) - {"cut_card_min_from_back"}
    assert key in builtin_profiles()
    setup = setup_of(one_table(game.spec.key, key, DEVICE.key))
    assert setup.profile == written_rules(game.spec, key)
    assert setup.digest.startswith("b2:")
    assert (setup.profile.decks, setup.profile.bets_end) == (8, "announced")
