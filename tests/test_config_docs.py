"""docs/config.md documents every key, with its true default, and its examples are configs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import registry
from arena.config import keys, read_config

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([^`]+)` \| (.+?) \|", TEXT, re.MULTILINE))
SECTIONS = keys.sections()


def every_key() -> Iterator[str]:
    for key in keys.TOP:
        yield from [f"{key}.{name}" for name in SECTIONS[key]] if key in SECTIONS else [key]
    yield from (f"game.{key}" for key in keys.GAME)
    yield from (f"bots[].{key}" for key in keys.BOT)
    yield "format.kind"


@pytest.mark.parametrize("key", sorted(every_key()))
def test_every_key_is_documented(key: str) -> None:
    assert key in ROWS


def test_no_key_is_documented_that_does_not_exist() -> None:
    own = {key for name in registry.formats for key in registry.formats.get(name).options}
    assert set(ROWS) - set(every_key()) <= own


@pytest.mark.parametrize("name", [key for key in ROWS if key.partition(".")[0] in SECTIONS or key == "seed"])
def test_a_documented_default_is_the_true_one(name: str) -> None:
    section, _, key = name.rpartition(".")
    option = SECTIONS[section][key]
    text = ROWS[name].strip("`")
    assert option.read(None if text == "null" else text) == option.default


def test_every_format_is_documented_with_its_own_keys() -> None:
    for name in registry.formats:
        chapter = TEXT.partition(f"### {name}\n")[2].partition("\n#")[0]
        for key, option in registry.formats.get(name).options.items():
            found = re.search(rf"^\| `{key}` \| (.+?) \|", chapter, re.MULTILINE)
            assert found, f"{name}.{key}"
            text = found[1].strip("`")
            assert option.read(None if text == "null" else text) == option.default


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(name: .+?)```", TEXT, re.DOTALL))
def test_the_examples_are_configs(tmp_path: Path, text: str) -> None:
    for name in ("ann", "bob", "cy", "dan"):
        for folder in ("bots", "submissions"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.py").write_text("def act(turn):\n    return turn.legal[0]\n")
    (tmp_path / "cup.yaml").write_text(text)
    assert read_config(tmp_path / "cup.yaml").events


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_configs_are_read(path: Path) -> None:
    settings = read_config(path)
    assert settings.events
    assert settings.warnings == ()
