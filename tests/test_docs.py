"""Every command, config and link in README.md and docs/ works as it stands there."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml
from support import pages
from support.audit_rat_deau import replay
from support.pages import NAMES, ROOT, Block, Place, blocks, commands, lines_of, parts, prepare

from arena import inbox, registry
from arena.config import read_config
from arena.errors import ConfigError
from arena.players.bots import find_bot
from arena.store import Store

ORDINARY = {"docs/tutorial.md"}  # the others are typed in CI
TYPED = [
    pytest.param(name, marks=[] if name in ORDINARY else [pytest.mark.slow])
    for name in NAMES
    if any(commands(name))
]
CONFIGS = [
    pytest.param(name, block, id=f"{name}-{number}")
    for name in NAMES
    for number, block in enumerate(blocks(name))
    if block.language == "yaml"
]


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the quickstart with a few deals only, as its folder's `reports`."""
    place = prepare(tmp_path_factory.mktemp("quickstart"))
    _shorten(place.folder)
    place.type("arena run configs/quickstart.yaml --quiet")
    return place.folder / "reports"


def _shorten(folder: Path) -> None:
    config = folder / "configs" / "quickstart.yaml"
    config.write_text(re.sub(r"deals: \d+", "deals: 2", config.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", [name for name in NAMES if any(commands(name))])
def test_every_command_is_one(name: str) -> None:
    for line in commands(name):
        for words in pages.arena_words(line):
            pages.parse(words)


@pytest.mark.jail
@pytest.mark.parametrize("name", TYPED)
def test_a_page_can_be_followed_from_top_to_bottom(
    tmp_path: Path, request: pytest.FixtureRequest, name: str
) -> None:
    """Files are saved, commands typed, and where output is shown below a command, that is what it prints."""
    for number, part in enumerate(parts(name)):
        place = prepare(tmp_path / str(number), part)
        _shorten(place.folder)
        if any("reports/quickstart" in line for line in lines_of(part)):
            place.type(f"cp -r {request.getfixturevalue('quickstart')} reports")
        _follow(place, part)


def _follow(place: Place, part: Sequence[Block]) -> None:
    shown = ""
    for block in part:
        if block.file:
            place.save(block)
        for line in lines_of([block]):
            if not pages.why_not_run(line):
                shown = place.type(line)
        if block.language == "text" and shown:
            assert pages.shows(block.text, shown), f"{block.text}\nis shown, and this is printed:\n{shown}"


@pytest.mark.parametrize("name", NAMES)
def test_commands_within_a_sentence_exist(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.M | re.S)
    assert not re.search(r"^    arena ", text, re.M), "a command in an indented block is typed by no test"
    for line in re.findall(r"`arena ([a-z][^`]*)`", text):
        pages.has_options(line.split())


def test_what_is_not_typed_is_there_and_no_more() -> None:
    lines = [line for name in NAMES for line in commands(name)]
    for pattern in pages.NOT_RUN:
        assert any(re.search(pattern, line) for line in lines), f"nothing is excused by {pattern}"


@pytest.mark.parametrize(("name", "block"), CONFIGS)
def test_every_yaml_is_a_config_a_part_of_one_or_a_bot(tmp_path: Path, name: str, block: Block) -> None:
    """What a page runs, it runs; parts of a config are put into one, each bot of a list by itself."""
    given = yaml.safe_load(block.text)
    if {"name", "bots"} <= set(given):
        in_reference = name == "docs/config.md"  # test_config_docs.py reads those
        assert in_reference or any(line.startswith(f"arena run {block.file}") for line in commands(name))
        return
    _contest(tmp_path)
    if "command" in given:
        (tmp_path / "bots/mine_in_c/bot.yaml").write_text(block.text, encoding="utf-8")
        given = {"bots": ["bots/mine_in_c"]}
    for bot in given.pop("bots", ["random"]):
        assert _holds_in(tmp_path, "peech", bot, given) or _holds_in(tmp_path, "pecking_order", bot, given)


def _holds_in(folder: Path, game: str, bot: object, part: Mapping[str, object]) -> bool:
    """Whether it is a config with this bot, twelve others and this game: one has two seats, one has four."""
    others = [{"path": "random", "name": f"Random {number}"} for number in range(12)]
    config = {"name": "Part", "game": game, "bots": [*others, bot], **part}
    (folder / "part.yaml").write_text(json.dumps(config), encoding="utf-8")
    try:
        return len(read_config(folder / "part.yaml").events[0].bots) > len(others)
    except ConfigError as error:
        print(error)
        return False


def _contest(folder: Path) -> None:
    """What the reference lists under `bots:`, all of it there."""
    prepare(folder)
    for path in ("submissions/ann.py", "submissions/bob.py", "bots/old.py"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(pages.BOT, encoding="utf-8")
    for path in ("bots/mine_in_c", "programs/fast"):
        (folder / path).mkdir(parents=True)
    (folder / "bots/mine_in_c/bot.yaml").write_text("command: [./mine]\n")
    inbox.submit(folder / "inbox", find_bot(str(folder / "my_bot.py")), ("peech",), {"passed": True})


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        page = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        assert page.is_file(), target
        assert not anchor or anchor in _anchors(page), target


def _anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_the_index_leads_to_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        path = str(page.relative_to(ROOT / "docs"))
        assert path == "README.md" or f"({path})" in index, path


def test_every_game_and_plug_in_is_documented() -> None:
    reference = "".join((ROOT / "docs" / name).read_text() for name in ("config.md", "statistics.md"))
    for kind in (registry.formats, registry.ratings, registry.executors):
        for name in kind:
            assert re.search(rf"\b{name}\b", reference), name
    for name in registry.games:
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
        for option in registry.games.get(name).options:
            assert f"`{option}`" in page, option


def test_the_record_format_is_documented_field_by_field(quickstart: Path) -> None:
    text = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(\w+)` \| [^`{]", text, re.M)
    with Store.open(quickstart / "quickstart") as store:
        records = [record.as_json() for record in store.records()]
    assert list(records[0]) == documented
    example = json.loads(next(block.text for block in blocks("docs/records.md") if block.language == "json"))
    assert list(example) == documented
    scores, placings = replay(example)
    assert (scores, placings) == (example["scores"], [2, 1])
    assert example["placings"] == [1, 2]  # by the fault
    for name in registry.games:
        chance = next(record["chance"] for record in records if record["game"] == name)
        assert re.search(rf'^\| `{name}` \| `{{"{next(iter(chance))}": ', text, re.M)
