"""Every format in the whole loop: stopped within rounds and gone on, with bots that fail and with voids."""

from pathlib import Path
from random import Random

import pytest
from support.executors import Shuffled

from arena.config import read_config
from arena.model import Block, Record
from arena.store import Store
from arena.tournament import open_run, run
from arena.verify import Audit

FORMATS = {
    "dutch": (2, "{kind: swiss, rounds: 4, deals: 2}"),
    "pods": (4, "{kind: swiss, rounds: 3, deals: 2, remainder: short}"),
    "pods with byes": (3, "{kind: swiss, rounds: 3, deals: 2}"),
    "knockout": (2, "{kind: knockout, deals: 2}"),
    "knockout of fours": (4, "{kind: knockout, deals: 2}"),
    "gauntlet": (3, "{kind: gauntlet, deals: 2, heroes: 2}"),
    "balanced": (4, "{kind: round_robin, deals: 2, max_tables: 7, rounds: 2}"),
}
BOTS = ("ann", "bob", "crash", "cy", "dan", "eve", "start")


def void(block: Block) -> str | None:
    return "the power failed" if Random(str(block.id)).random() < 0.25 else None


def play(folder: Path, where: str, executor: Shuffled, config: Path) -> None:
    settings = read_config(config)
    store, _ = open_run(settings, folder / where, {"tier": "A"})
    with store:
        run(settings, store, executor)


def state(folder: Path) -> tuple[list[Record], object, object]:
    with Store.open(folder) as store:
        return list(store.records()), store.rounds(0), store.voids()


@pytest.mark.parametrize("rule", ["null", "2"])
@pytest.mark.parametrize("name", FORMATS)
def test_stopped_anywhere_it_goes_on_to_the_same(tmp_path: Path, name: str, rule: str) -> None:
    seats, format_ = FORMATS[name]
    for bot in BOTS:
        (tmp_path / f"{bot}.py").write_text(f"# {bot}\ndef act(turn):\n    return turn.legal[0]\n")
    config = tmp_path / "cup.yaml"
    names = ", ".join(f"{bot}.py" for bot in BOTS)
    config.write_text(
        f"name: Cup\ngame: {{name: rat_deau, seats: {seats}}}\nbots: [{names}]\n"
        f"format: {format_}\nseed: 9\nfaults: {{disqualify_after: {rule}}}\n"
    )
    play(tmp_path, "whole", Shuffled(1, 3, void=void), config)
    for stop in (3, 1, 4, 2):
        with pytest.raises(KeyboardInterrupt):
            play(tmp_path, "pieces", Shuffled(stop, 5, stop_after=stop, void=void), config)
    play(tmp_path, "pieces", Shuffled(5, 2, void=void), config)
    assert state(tmp_path / "pieces") == state(tmp_path / "whole")
    with Store.open(tmp_path / "whole") as store:
        assert store.voids()
        assert list(Audit(store).mismatches()) == []
