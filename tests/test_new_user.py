"""A newcomer's road: what the README says to type, then only what arena itself says to type next."""

import re
import shlex
from pathlib import Path

import pytest
from support.pages import Place, blocks, prepare

from arena import registry

pytestmark = [pytest.mark.slow, pytest.mark.jail]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder, and beside it nothing but the command."""
    return Place(tmp_path)


def says_next(shown: str) -> list[str]:
    return re.findall(r"(?:Next|Then): (.+)$", shown, re.M)


def in_the_readme(word: str) -> list[str]:
    lines = [
        line for block in blocks("README.md") if block.language == "sh" for line in block.text.splitlines()
    ]
    return [line for line in lines if line.startswith(f"arena {word}")]


def test_from_the_readme_to_the_standings(place: Place) -> None:
    (begin,) = in_the_readme("new bot")
    (check,) = says_next(place.type(begin))
    checked = place.type(check)
    assert checked.count("✓") == 13
    (submit,) = says_next(checked)

    (play,) = in_the_readme("play")
    watched = place.type(play)
    assert "my_bot" in watched
    assert "place" in watched

    bot = place.folder / "my_bot.py"  # change it: the best card as loot, the worst for the rat
    text = bot.read_text(encoding="utf-8")
    changed = text.replace(
        "return random.choice(turn.legal)", 'return turn.legal[-1 if turn.kind == "loot" else 0]'
    )
    assert changed != text
    (new_config,) = says_next(place.type(submit))
    bot.write_text(changed, encoding="utf-8")
    assert "version 2" in place.type(submit)

    (run,) = says_next(place.type(new_config))
    page = Path(place.type(run).strip())
    assert "my_bot" in (place.folder / page).read_text(encoding="utf-8")
    standings = place.type(f"arena standings {page.parents[1]}")
    assert re.search(r"^ +[12] .* my_bot .* 20 +0$", standings, re.M), standings  # 20 matches without a fault
    played = place.folder / page.parents[1] / "private" / "bots"
    assert changed in [file.read_text(encoding="utf-8") for file in played.rglob("my_bot.py")]


def test_the_bots_own_comments_are_commands_too(place: Place) -> None:
    place.type(in_the_readme("new bot")[0])
    hints = re.findall(
        r"^\w+ it: +(arena .+)$", (place.folder / "my_bot.py").read_text(encoding="utf-8"), re.M
    )
    assert len(hints) == 2
    for hint in hints:
        place.type(hint)


def test_another_language_goes_the_same_way(place: Place) -> None:
    todo = ["arena new bot swift --game pecking_order --lang c"]
    for step in todo:
        todo += says_next(place.type(step))
    assert [shlex.split(step)[1] for step in todo if step.startswith("arena")] == [
        "new", "check", "submit", "new", "run",
    ]  # fmt: skip


@pytest.mark.parametrize("game", registry.games.names())
def test_a_failed_check_says_what_to_do_and_how_to_see_it(place: Place, game: str) -> None:
    place.type(f"arena new bot my_bot --game {game}")
    bot = place.folder / "my_bot.py"
    whole = bot.read_text(encoding="utf-8")
    bot.write_text(whole.replace("turn.legal)", "turn.leagl)"), encoding="utf-8")
    with pytest.raises(AssertionError) as failed:
        place.type(f"arena check my_bot.py --game {game}")
    told = str(failed.value)
    assert "AttributeError: 'Turn' object has no attribute 'leagl'" in told
    again = re.search(r"(arena play .+)$", told, re.M)
    assert again, told
    assert "leagl" in place.type(again[1])  # the same match, with the same fault
    bot.write_text(whole, encoding="utf-8")
    place.type(f"arena check my_bot.py --game {game} --matches 5")


def test_the_readmes_own_tournament_is_played_whole(tmp_path: Path) -> None:
    """The run command of the README, all but the installation."""
    place = prepare(tmp_path)
    (line,) = [
        line for block in blocks("README.md") for line in block.text.splitlines() if "quickstart" in line
    ]
    page = Path(place.type(line.rpartition("&&")[2].strip()).strip())
    site = (tmp_path / page).parent
    assert page.parts[-2:] == ("site", "index.html")
    assert len((site / "standings.csv").read_text(encoding="utf-8").splitlines()) == 13
