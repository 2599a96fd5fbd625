"""Imagines the other hands and coup cards, and plays each kind of card on to the end of the round.

In the playouts all seats play carefully: strong cards first, mines while there is nothing strong. Playouts
are counted, not timed: with the same seed it plays a match the same way again.
"""

from random import Random

from arena.bot import play_out, rules_of
from arena.bot.peech import WORTH, Table

NAME = "Thinker"
AUTHOR = "arena"
GAMES = ["peech"]

WORLDS = 12  # imagined for each decision; each kind of card is played out once in each


def last_round(view):
    """The same view, as if this round were the last: then a game that is over is a round that is over."""
    return {**view, "options": {**view["options"], "rounds": view["round"]}}


class Bot:
    def __init__(self, setup):
        self.rng = Random(setup.seed)

    def careful(self, position):
        """As strong a card as there is; with nothing of 3 or more a mine, a card worth nothing."""
        hand = position.legal()
        best = max(hand, key=self.strength.get)
        mines = () if WORTH[best] >= 3 else [card for card in hand if WORTH[card] == 0]
        return mines[0] if mines else best

    def act(self, turn):
        self.strength = Table.of(turn.view).strength
        kinds = {(self.strength[card], WORTH[card], card[0] == "A"): card for card in turn.legal}
        results = dict.fromkeys(kinds.values(), 0)
        view, rules = last_round(turn.view), rules_of("peech")
        for _ in range(WORLDS if len(results) > 1 else 0):
            world = rules.imagine(view, self.rng)
            for card in results:
                scores = play_out(world.play(card), self.careful).scores()
                results[card] += sum(scores) - len(scores) * scores[turn.seat]  # few points win
        return max(results, key=results.get)
