"""The boxes in play are those that have a bet when the bets are closed."""

import pytest
from oracle.blackjack import Round
from oracle.blackjack_bets import BETS_END, Bets, BoxesError, EarlyCardError
from oracle.blackjack_house import HOUSES
from oracle.blackjack_notation import DK, RU


@pytest.mark.parametrize(
    ("opened", "stated", "boxes"),
    [
        pytest.param((), (2, 5), (2, 5), id="DK 3.4 i: only the bets tell"),
        pytest.param((1, 2, 3), (2, 5), (2, 5), id="DK 3.4 i: the bets tell otherwise"),
        pytest.param((1, 2, 3), (), (1, 2, 3), id="nothing is said of them any more"),
        pytest.param((3, 1), (7, 4), (4, 7), id="DK 3.4: dealt in table order"),
    ],
)
def test_the_bets_decide_the_boxes(
    opened: tuple[int, ...], stated: tuple[int, ...], boxes: tuple[int, ...]
) -> None:
    bets = Bets("announced", opened)
    assert bets.close(stated) == boxes
    assert bets.first_card() == boxes
    assert Round(DK, boxes).due() == f"box{boxes[0]}.hand1.card1"


def test_a_house_without_a_call_takes_the_first_card_for_it() -> None:
    bets = Bets("first_card", (6, 2))
    assert bets.boxes is None
    assert bets.first_card() == (2, 6)
    assert Round(RU, (2, 6)).due() == "box2.hand1.card1"


def test_there_too_the_bets_may_be_closed_with_other_boxes() -> None:
    bets = Bets("first_card", (6, 2))
    bets.close((3,))
    assert bets.first_card() == (3,)


def test_a_card_before_the_call_is_early() -> None:
    with pytest.raises(EarlyCardError):
        Bets("announced", (1,)).first_card()


@pytest.mark.parametrize("end", ["announced", "first_card"])
def test_a_round_without_a_bet_is_no_round(end: str) -> None:
    bets = Bets("first_card") if end == "first_card" else Bets("announced")
    with pytest.raises(BoxesError, match="no box has a bet"):
        bets.close()
    assert bets.boxes is None


def test_a_first_card_without_a_bet_goes_nowhere() -> None:
    with pytest.raises(BoxesError, match="no box has a bet"):
        Bets("first_card").first_card()


@pytest.mark.parametrize("boxes", [(0,), (8,), (2, 2)])
def test_only_the_seven_boxes_of_a_table_each_once(boxes: tuple[int, ...]) -> None:
    with pytest.raises(BoxesError, match="different boxes"):
        Bets("announced", boxes)
    with pytest.raises(BoxesError, match="different boxes"):
        Bets("announced", (1,)).close(boxes)


def test_every_house_says_what_ends_its_bets() -> None:
    assert set(BETS_END) == set(HOUSES)
