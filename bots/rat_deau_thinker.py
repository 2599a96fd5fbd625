"""Plays every card on to the end, again and again, against others who play one of their three best cards.

Nothing but dice and choices is hidden here, so `imagine` only draws what the others may have laid face down.
Playouts are counted, not timed: with the same seed it plays a match the same way again.
"""

from random import Random

from arena.bot import imagine, play_out

NAME = "Thinker"
AUTHOR = "arena"
GAMES = ["rat_deau"]

PLAYOUTS = 500  # for each decision, shared by the cards to choose from
BEST = 3


class Bot:
    def __init__(self, setup):
        self.rng = Random(setup.seed)

    def one_of_the_best(self, position):
        return self.rng.choice(position.legal()[-BEST:])

    def act(self, turn):
        results = dict.fromkeys(turn.legal, 0.0)
        for _ in range(max(1, PLAYOUTS // len(turn.legal))):
            world = imagine(turn, self.rng)
            for card in turn.legal:
                scores = play_out(world.play(card), self.one_of_the_best).scores()
                results[card] += self.value(scores, turn.seat)
        return max(results, key=results.get)

    def value(self, scores, seat):
        """The others beaten, a tie as one half; and a little for every point ahead."""
        mine = scores[seat]
        others = [score for other, score in enumerate(scores) if other != seat]
        beaten = sum((mine > score) + (mine == score) / 2 for score in others)
        return beaten + (mine - max(others)) / 50
