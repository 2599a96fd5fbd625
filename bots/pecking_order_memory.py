"""Forgets nothing: knows the chance that an attack on a hidden card wins, and attacks where it pays.

`Memory` counts in how many ways the other seat's cards can lie, given all draws, fights and looks so far.
"""

from arena.bot.pecking_order import JAGUAR, WORTH, Memory, Table

NAME = "Memory"
AUTHOR = "arena"
GAMES = ["pecking_order"]

PRICE = 4  # perch points that the best card is worth when it is lost


def price(card):
    return PRICE if card == JAGUAR else PRICE * card / 12


class Bot:
    def __init__(self, setup):
        self.memory = Memory(setup)

    def act(self, turn):
        self.memory.see(turn.events)
        table = Table.of(turn.view)
        if turn.kind == "look":
            return self.look(turn)
        gains = {perch.name: self.hold(table.card, perch.worth) for perch in table.empty}
        gains |= {perch.name: self.attack(table.card, perch) for perch in table.theirs}
        return max(turn.legal, key=gains.get)

    def look(self, turn):
        """At the card that one knows least of; the more valuable one of equals."""
        hidden = [perch for perch in turn.legal if perch != "none"]
        return max(hidden, key=lambda perch: (len(self.memory.odds(perch)), WORTH[perch]))

    def hold(self, card, worth):
        """What a perch brings: less for a weak bird, which will be driven away, nothing for a jaguar."""
        if card == JAGUAR:
            return -PRICE
        coming = self.memory.to_come()
        weaker = sum(chance for other, chance in coming.items() if other != JAGUAR and other < card)
        return worth * (0.4 + 0.6 * weaker / max(1, sum(coming.values())))

    def attack(self, card, perch):
        """What it brings in the mean: perch points won, or lost by the other seat, and the cards gone."""
        gain = 0.0
        for other, chance in self.memory.odds(perch.name).items():
            if JAGUAR in (card, other):
                outcome = perch.worth * (other != JAGUAR) + price(other) - price(card)
            elif other < card:
                outcome = perch.worth + price(other) + self.hold(card, perch.worth)
            else:
                outcome = -price(card)
            gain += chance * outcome
        return gain
