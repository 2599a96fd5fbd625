"""A two-seat Swiss event as FIDE's Tournament Report File, the text that pairing programs read.

Rounds and first colour stand in both dialects: the XX lines of TRF16 and the numbered ones since 2025.

One "game" of the file is a whole pairing: mean points above, at or below one half are a win, a draw, a loss.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.formats.history import Played, TableResult, table_results

WIN, DRAW, LOSS, BYE = "1", "=", "0", "U"
FORFEIT_WIN, FORFEIT_LOSS = "+", "-"
WORTH = {WIN: 1.0, DRAW: 0.5, LOSS: 0.0, BYE: 1.0, FORFEIT_WIN: 1.0, FORFEIT_LOSS: 0.0}


@dataclass(frozen=True, slots=True)
class Game:
    """One round of one player: opponent ("" for a bye), colour ("w", "b" or "-") and result letter."""

    opponent: str
    colour: str
    result: str


def games_of(played: Played, bots: Sequence[str]) -> dict[str, list[Game]]:
    """For each bot one game a round; a bye is a win, a wholly void pairing a draw.

    A bot that was in no match of its pairing loses by forfeit: the two may be paired again (C.04.1).
    """
    games: dict[str, list[Game]] = {bot: [] for bot in bots}
    for round_, outcomes in played:
        for result in table_results(round_, outcomes):
            white, black = result.pairing.bots
            mine, theirs = letters(result)
            games[white].append(Game(black, "w", mine))
            games[black].append(Game(white, "b", theirs))
        for bot in round_.byes:
            games[bot].append(Game("", "-", BYE))
    return games


def letters(result: TableResult) -> tuple[str, str]:
    """The result of a two-seat table as its two letters, first bot's first."""
    if result.absent:
        mine, theirs = (FORFEIT_LOSS if bot in result.absent else FORFEIT_WIN for bot in result.pairing.bots)
        return mine, theirs
    white = result.points.get(result.pairing.bots[0], 0.5)
    if abs(white - 0.5) < 1e-9:
        return DRAW, DRAW
    return (WIN, LOSS) if white > 0.5 else (LOSS, WIN)


def trf(name: str, order: Sequence[str], games: Mapping[str, Sequence[Game]], rounds: int) -> str:
    """The file: `order` gives the pairing numbers from 1 (first the strongest seed)."""
    number = {bot: i for i, bot in enumerate(order, 1)}
    total = {bot: sum(WORTH[game.result] for game in games[bot]) for bot in order}
    rank = {bot: i for i, bot in enumerate(sorted(order, key=lambda bot: (-total[bot], number[bot])), 1)}
    lines = [f"012 {_plain(name)}", f"062 {len(order)}", "092 Swiss (Dutch)", f"XXR {rounds}", "XXC white1"]
    lines += [f"142 {rounds}", "152 W", "192 FIDE_DUTCH"]
    for bot in order:
        head = f"001 {number[bot]:>4}      {_plain(bot):<33.33} {max(3000 - number[bot], 1000):>4}" + " " * 27
        cells = "".join(
            f"  {number.get(game.opponent, 0):>4} {game.colour} {game.result}"
            if game.opponent
            else f"  0000 - {game.result}"
            for game in games[bot]
        )
        lines.append(f"{head} {total[bot]:>4.1f} {rank[bot]:>4}{cells}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """TRF is a fixed-column ASCII file: anything else becomes a question mark."""
    return text.encode("ascii", "replace").decode().replace("\n", "?").replace("\r", "?")
