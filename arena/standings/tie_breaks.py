"""Tie-breaks of a Swiss event.

At two seats as FIDE's C.07 defines them (Tie-Break Regulations in force since 1 March 2026; articles are
cited), byes and forfeits included. One "game" is a pairing: all its blocks give a win, a draw or a loss. At
tables of three and four there is no such law: the points of the opponents met, then the own score margin.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

WIN, DRAW = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class RoundCard:
    """What one round gave one bot: the rivals at its table (none for a bye) and its points.

    `played` is False for byes and forfeits. `voluntary`: the bot itself is the reason that it did not play
    (it was absent, or lost by forfeit); a bye that the pairing gave is not (16.1.2). `margin` is the mean
    of its score over the table's mean, more being better.
    """

    round: int
    rivals: tuple[str, ...]
    points: float
    played: bool = True
    voluntary: bool = False
    margin: float = 0.0


Cards = Mapping[str, Sequence[RoundCard]]
"""For each bot its rounds, in order."""


def earned(cards: Cards) -> dict[str, float]:
    """Each bot's points."""
    return {bot: sum(card.points for card in rounds) for bot, rounds in cards.items()}


def buchholz(cards: Cards) -> dict[str, float]:
    """The sum of the opponents' scores (article 8.1), unplayed rounds as article 16 says."""
    against = _opponents_scores(cards)
    return {bot: sum(against[bot]) for bot in cards}


def buchholz_cut_1(cards: Cards) -> dict[str, float]:
    """Buchholz without its least part (article 14.1), and if there are rounds that the bot chose not to
    play, without the least of those (16.5)."""
    found = {}
    for bot, parts in _opponents_scores(cards).items():
        chosen = [part for part, card in zip(parts, cards[bot], strict=True) if card.voluntary]
        found[bot] = sum(parts) - min(chosen or parts, default=0.0)
    return found


def sonneborn_berger(cards: Cards) -> dict[str, float]:
    """The sum of the opponents' scores, each times the points taken from it (article 9.1)."""
    against = _opponents_scores(cards)
    return {
        bot: sum(card.points * part for card, part in zip(rounds, against[bot], strict=True))
        for bot, rounds in cards.items()
    }


def wins(cards: Cards) -> dict[str, float]:
    """The number of rounds that gave as much as a win, played or not (article 7.1)."""
    return {bot: float(sum(card.points >= WIN for card in rounds)) for bot, rounds in cards.items()}


def opponents_points(cards: Cards) -> dict[str, float]:
    """The mean points of all rivals met, a bye counting as a rival level with oneself; for pods."""
    total, found = earned(cards), {}
    for bot, rounds in cards.items():
        met = [sum(total[rival] for rival in card.rivals) / len(card.rivals) if card.rivals else total[bot]
               for card in rounds]  # fmt: skip
        found[bot] = sum(met) / max(len(met), 1)
    return found


def score_margin(cards: Cards) -> dict[str, float]:
    """The sum over rounds of the own mean score over the table's mean; for pods."""
    return {bot: sum(card.margin for card in rounds) for bot, rounds in cards.items()}


def _opponents_scores(cards: Cards) -> dict[str, list[float]]:
    """For each bot and round the score of its opponent, or of the dummy that an unplayed round is against."""
    total, adjusted = earned(cards), {bot: _adjusted(rounds) for bot, rounds in cards.items()}
    found: dict[str, list[float]] = {bot: [] for bot in cards}
    for bot, rounds in cards.items():
        for card in rounds:
            if card.played:
                score = adjusted[card.rivals[0]]
            elif card.rivals:  # a forfeit: the own score, at most the scheduled opponent's (16.4.1)
                score = min(total[bot], adjusted[card.rivals[0]])
            else:  # a bye: the own score, at most a draw a round (16.4.2)
                score = min(total[bot], DRAW * len(rounds))
            found[bot].append(score)
    return found


def _adjusted(rounds: Sequence[RoundCard]) -> float:
    """A bot's score as its opponents count it: absences from which it never came back are draws (16.3.2)."""
    stayed = max((at for at, card in enumerate(rounds) if not card.voluntary), default=-1)
    return sum(card.points if at <= stayed or card.rivals else DRAW for at, card in enumerate(rounds))


def direct_encounter(cards: Cards, tied: Sequence[str]) -> dict[str, float]:
    """Who of the `tied` comes first by the games they played among themselves (article 6): more is better.

    All met: by the sum of points, several games of a pair averaged (6.1.2). Not all met: whoever stays
    ahead even if all missing games were lost is first, and so on (6.2). Those still level are compared
    again on their own (6.3).
    """
    level, again = dict.fromkeys(tied, 0.0), True
    while again:
        again = False
        for group in _groups(tied, level):
            order = _encounter(cards, group)
            if len(order) > 1:
                again = True
                behind = len(group)
                for step in order:
                    behind -= len(step)
                    for bot in step:
                        level[bot] += behind
    return level


def _groups(tied: Sequence[str], level: Mapping[str, float]) -> list[list[str]]:
    order = sorted(tied, key=lambda bot: (level[bot], bot))
    return [list(group) for _, group in groupby(order, key=lambda bot: level[bot])]


def _encounter(cards: Cards, group: Sequence[str]) -> list[list[str]]:
    """One step of the direct encounter: the group in its order, those still level together."""
    taken = {bot: _taken(cards[bot], set(group) - {bot}) for bot in group}
    score = {bot: sum(sum(games) / len(games) for games in taken[bot].values()) for bot in group}
    order = sorted(group, key=lambda bot: (-score[bot], bot))
    if all(len(taken[bot]) == len(group) - 1 for bot in group):
        return [list(level) for _, level in groupby(order, key=lambda bot: score[bot])]
    ceiling = {bot: score[bot] + (len(group) - 1 - len(taken[bot])) * WIN for bot in group}
    steps: list[list[str]] = []
    while len(order) > 1 and score[order[0]] > max(ceiling[bot] for bot in order[1:]):
        steps.append([order.pop(0)])
    return [*steps, order]


def _taken(rounds: Sequence[RoundCard], rivals: set[str]) -> dict[str, list[float]]:
    games: dict[str, list[float]] = {}
    for card in rounds:
        if card.played and card.rivals[0] in rivals:
            games.setdefault(card.rivals[0], []).append(card.points)
    return games


TIE_BREAKS: Mapping[str, Callable[[Cards], dict[str, float]]] = {
    "buchholz_cut_1": buchholz_cut_1,
    "buchholz": buchholz,
    "sonneborn_berger": sonneborn_berger,
    "wins": wins,
    "opponents_points": opponents_points,
    "score_margin": score_margin,
}
DIRECT = "direct_encounter"
SWISS = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "wins", DIRECT)
"""The tie-breaks of a two-seat Swiss, in this order unless the config says otherwise."""
PODS = ("opponents_points", "score_margin")
"""Those of a Swiss at tables of three and four."""


def tie_breaks(cards: Cards, chosen: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """For each bot the values of the chosen tie-breaks, more being better; KeyError for an unknown name.

    The direct encounter compares those whom points and the tie-breaks before it leave level.
    """
    total = earned(cards)
    values: dict[str, tuple[float, ...]] = dict.fromkeys(cards, ())
    for name in chosen:
        if name == DIRECT:
            merit = {bot: (total[bot], *values[bot]) for bot in cards}
            order = sorted(cards, key=lambda bot: merit[bot])
            found: dict[str, float] = {}
            for _, group in groupby(order, key=lambda bot: merit[bot]):
                found.update(direct_encounter(cards, list(group)))
        else:
            found = TIE_BREAKS[name](cards)
        values = {bot: (*values[bot], round(found[bot], 9)) for bot in cards}
    return values
