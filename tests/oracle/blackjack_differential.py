"""The oracle's scripts played at the product's own table: jobs of many rounds, what they show."""

from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Final

from oracle.blackjack_house import HOUSES, House
from oracle.blackjack_player import DECKS_WHERE_THE_BOOK_IS_SILENT, any_house, scripts
from oracle.blackjack_side_by_side import (
    HOLE_READER,
    ONE_READER,
    Counts,
    DiffersError,
    SideBySide,
)
from oracle.blackjack_translation import house_rules, named_house
from oracle.rulings import TODAYS_PRODUCT

from daemon.games.blackjack.profile import BlackjackProfile
from protocols.table_terms import Role


@dataclass(frozen=True, slots=True)
class Job:
    """So many rounds of a house, by its key, or of ever new houses (`any`), from a seed.

    refusals  illegal commands tried at each step of one round in `every`
    """

    house: str
    auto_stand_on_21: bool
    roles: tuple[Role, ...]
    rounds: int
    seed: int
    refusals: int = 4
    every: int = 20


ANY_HOUSE: Final = "any"
ROUNDS_OF_ANY_HOUSE: Final = 20


def jobs(rounds: int, seed: int) -> list[Job]:
    """Share rounds out: the four houses with either field, and random ones, with either readers."""
    kinds = [
        (house, stands, roles)
        for house in (*HOUSES, ANY_HOUSE)
        for stands in (True, False)
        for roles in (ONE_READER, HOLE_READER)
    ]
    share = -(-rounds // len(kinds))
    return [Job(*kind, share, seed * 1000 + at) for at, kind in enumerate(kinds)]


def run(job: Job) -> Counts:
    """Play a job; every difference is told, with the script that made it."""
    chance, counts = Random(job.seed), Counts()
    left = job.rounds
    while left:
        house, rules = _houses(job, chance)
        decks = house.decks or DECKS_WHERE_THE_BOOK_IS_SILENT
        tables = SideBySide(rules, job.roles, decks)
        share = min(left, ROUNDS_OF_ANY_HOUSE) if job.house == ANY_HOUSE else left
        left -= share
        played = islice(scripts(house, chance, TODAYS_PRODUCT), share)
        for number, script in enumerate(played):
            try:
                tables.play(script, chance, refusals=0 if number % job.every else job.refusals)
            except DiffersError as differs:
                counts.differences.append(f"{differs}\n{job}\n{script}")
                counts.add(tables.counts)
                tables = SideBySide(rules, job.roles, decks)
        counts.add(tables.counts)
    return counts


def _houses(job: Job, chance: Random) -> tuple[House, BlackjackProfile]:
    if job.house != ANY_HOUSE:
        return named_house(job.house, auto_stand_on_21=job.auto_stand_on_21)
    house = replace(any_house(chance), auto_stand_on_21=job.auto_stand_on_21)
    return house, house_rules(house)
