"""Imagines the hidden cards again and again, plays each move on from there, and takes the one that did best.

What is imagined fits all that was seen: looks, fights, even who won a tie. From there on both seats play by a
simple rule of thumb. Playouts are counted, not timed: with the same seed it plays a match the same way again.
"""

from random import Random

from arena.bot import imagine, play_out
from arena.bot.pecking_order import WORTH

NAME = "Thinker"
AUTHOR = "arena"
GAMES = ["pecking_order"]

WORLDS = 30  # imagined for each decision of a game of one round; each legal move is played out once in each
STRONG = 9


def rule_of_thumb(position):
    """Attack a bird known to be weaker, or with a strong one a hidden card; else take an empty perch."""
    legal, view = position.legal(), position.view(position.turn)
    if position.kind == "look":
        return legal[-1]  # "none"
    card, board = view["card"], view["board"]
    empty = [perch for perch in legal if board[perch] is None]
    others = {perch: board[perch]["card"] for perch in legal if board[perch]}
    if card == "J":
        targets = list(others)
    else:
        targets = [perch for perch, other in others.items() if other not in (None, "J") and other < card]
        if not targets and card >= STRONG:
            targets = [perch for perch, other in others.items() if other is None]
    return max(targets or empty or legal, key=WORTH.get)


class Bot:
    def __init__(self, setup):
        self.rng = Random(setup.seed)

    def act(self, turn):
        if len(turn.legal) == 1:
            return turn.legal[0]
        results = dict.fromkeys(turn.legal, 0.0)
        for _ in range(max(1, WORLDS // turn.options["rounds"])):
            world = imagine(turn, self.rng)
            for action in turn.legal:
                scores = play_out(world.play(action), rule_of_thumb).scores()
                lead = scores[turn.seat] - scores[1 - turn.seat]
                won = (lead > 0) - (lead < 0)
                results[action] += won + lead / 50  # winning is all, but points make it safer
        return max(results, key=results.get)
