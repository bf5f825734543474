"""What a round waits for from the table server: asked of the game, and told whenever it changes.

The game names its own commands (`candidate_commands`, `check_command`, `may_turn`); what would be
obeyed of them is what the round waits for. Whether the table is held makes no difference: the
commands wait as the round does, and `round.held` says that.
"""

from __future__ import annotations

from collections.abc import Iterable

from daemon.gamekit.shoegame.transition import AnyShoeTransition
from protocols.commands import Command, Decide, RevealCard
from protocols.events import AwaitedCommand, RoundCommandsAwaited
from protocols.replace import replace


def obeyed_now(transition: AnyShoeTransition) -> tuple[Command, ...]:
    """Return the commands that would be obeyed between the cards, if no hold was there."""
    game, state, rules = transition.game, transition.state, transition.profile
    if transition.round is None or transition.round.phase == "betting":
        return ()
    round_id = transition.round.round_id
    own = [
        command
        for command in game.candidate_commands(state, round_id)
        if game.check_command(state, rules, command) is None
    ]
    reveals = [
        RevealCard(sealed.slot, round_id)
        for sealed in state.face_down
        if game.may_turn(state, rules, sealed.slot)
    ]
    return (*own, *reveals)


def tell(transition: AnyShoeTransition) -> None:
    """Tell what the open round waits for, if that is another than it was."""
    if transition.round is None:
        return
    commands = summed_up(obeyed_now(transition))
    if commands != transition.state.asked:
        transition.set(asked=commands)
        transition.emit(RoundCommandsAwaited(transition.round.round_id, commands))


def summed_up(commands: Iterable[Command]) -> tuple[AwaitedCommand, ...]:
    """Return commands as an event lists them: the decisions of a hand are one entry."""
    hands: dict[tuple[int, int], AwaitedCommand] = {}
    others: list[AwaitedCommand] = []
    for command in commands:
        match command:
            case Decide(box=box, hand=hand, action=action, dark=dark):
                known = hands.get((box, hand), AwaitedCommand(command.kind, box, hand))
                actions = (*known.actions, *((action,) if action not in known.actions else ()))
                hands[box, hand] = replace(known, actions=actions, dark=known.dark or dark)
            case RevealCard(slot=slot):
                others.append(AwaitedCommand(command.kind, slot=slot))
            case _:
                others.append(AwaitedCommand(command.kind))
    return (*hands.values(), *others)
