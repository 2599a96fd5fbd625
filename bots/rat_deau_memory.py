"""Knows what the others still hold: every card that was played is gone from its owner's hand.

Loot is the highest card. For the raft it offers no more than it takes to beat the best that another can
offer; where it cannot win, it gives as little as saves the loot, or the lowest card if nothing does.
"""

from arena.bot.rat_deau import Table

NAME = "Memory"
AUTHOR = "arena"
GAMES = ["rat_deau"]


def act(turn):
    if turn.kind == "loot":
        return turn.legal[-1]
    table = Table.of(turn.view)
    best = [max(table.hands[seat]) for seat in table.others]
    enough = [card for card in table.hand if card > max(best) and card + sum(best) >= table.demand]
    if enough:
        return str(min(enough))
    saving = [card for card in table.hand if card + sum(best) >= table.demand]  # the loot, if not the raft
    return str(min(saving or table.hand))
