"""An oracle for baccarat, written from docs/rules/baccarat.md alone, in another manner: by value.

It knows six values in a row and answers: how many are used, and who wins. No cards, no state.
"""

STANDS_ON = {  # banker's total -> third-card values on which the banker, having to decide, stands
    3: {8},
    4: {0, 1, 8, 9},
    5: {0, 1, 2, 3, 8, 9},
    6: {0, 1, 2, 3, 4, 5, 8, 9},
}


def play(values: tuple[int, ...]) -> tuple[int, str]:
    """Return (cards used, winner) of player, banker, player, banker, then third cards."""
    p = (values[0] + values[2]) % 10
    b = (values[1] + values[3]) % 10
    used = 4
    if max(p, b) < 8:
        third = None
        if p < 6:
            third = values[used]
            used += 1
        draws = b < 6 if third is None else b < 7 and third not in STANDS_ON.get(b, set())
        if third is not None:
            p = (p + third) % 10
        if draws:
            b = (b + values[used]) % 10
            used += 1
    return used, "player" if p > b else "banker" if b > p else "tie"
