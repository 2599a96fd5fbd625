"""Counts the cards: plays a strong one only while few that beat it are still out."""

from arena.bot.peech import WORTH, Table

NAME = "Memory"
AUTHOR = "arena"
GAMES = ["peech"]


def act(turn):
    table = Table.of(turn.view)
    rivals = len(table.active) - 1
    held = rivals * len(table.hand)  # by the others, out of the unseen cards
    out = {card: table.stronger(card) * held / len(table.unseen) for card in turn.legal}
    winners = [card for card in turn.legal if out[card] <= rivals]
    if winners:
        return min(winners, key=table.strength.get)
    return min(turn.legal, key=lambda card: (WORTH[card], table.strength[card]))
