"""Plans all six cards: the three best as loot, the next three as offers, the best first."""

NAME = "Planner"
AUTHOR = "arena"
GAMES = ["rat_deau"]


def act(turn):
    best_first = sorted(turn.options["pack"], reverse=True)
    planned = {"loot": best_first[:3], "offer": best_first[3:6]}[turn.kind]
    return str(planned[turn.view["round"] - 1])
