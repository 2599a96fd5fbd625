"""docs/cli.md and the help of every command: complete, and every example is a command."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli import COMMANDS, cli

TEXT = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Each command by what is typed after `arena`; those of a group too."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            for inner, one in command.commands.items():
                yield f"{name} {inner}", one


ALL = dict(every_command())


def section(name: str) -> str:
    found = re.search(rf"^##+ arena {name}\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section: arena {name}"
    return found[1]


def options_of(command: click.Command) -> set[str]:
    return {
        name for one in command.params if isinstance(one, click.Option) for name in one.opts if "--" in name
    }


def examples(text: str) -> list[list[str]]:
    lines = re.findall(r"^ *(arena .+?)(?: > \S+)?$", text, re.MULTILINE)
    return [shlex.split(line)[1:] for line in lines]


def is_a_command(words: list[str]) -> None:
    """Parsed as it would be, and not carried out; a click error tells what is wrong."""
    command: click.Command = cli
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, words = found, words[1:]
    command.make_context("arena", list(words))


@pytest.mark.parametrize("name", ALL)
def test_every_option_of_every_command_is_documented_and_no_other(name: str) -> None:
    rows = re.findall(r"^\| (`--.+?) \| ", section(name), re.MULTILINE)
    documented = {option for row in rows for option in re.findall(r"`(--[a-z-]+)", row)}
    assert documented == options_of(ALL[name]) - {"--help"}


@pytest.mark.parametrize("name", [name for name in ALL if not isinstance(ALL[name], click.Group)])
def test_every_command_has_an_example_in_the_docs_and_in_its_help(name: str) -> None:
    written = [
        words
        for block in re.findall(r"```sh\n(.*?)```", section(name), re.DOTALL)
        for words in examples(block)
    ]
    helped = examples((ALL[name].help or "").partition("Example")[2])
    for found in (written, helped):
        assert found
        for words in found:
            assert " ".join(words).startswith(name)
            is_a_command(words)


@pytest.mark.parametrize("name", ALL)
def test_every_option_has_a_line_of_help(name: str) -> None:
    for option in ALL[name].params:
        assert not isinstance(option, click.Option) or option.help


def test_nothing_is_documented_that_is_no_command() -> None:
    assert set(re.findall(r"^##+ arena (.+)$", TEXT, re.MULTILINE)) == set(ALL)
    linked = set(re.findall(r"\(#arena-([a-z-]+)\)", TEXT))
    assert linked <= {name.replace(" ", "-") for name in ALL}


def test_the_steps_of_the_check_are_documented_in_their_order() -> None:
    from arena.testing.causes import STEPS

    assert tuple(re.findall(r"^\| ([a-z,' ]+) \| ", section("check"), re.MULTILINE)[1:14]) == STEPS


def test_the_shell_completes_commands_and_options() -> None:
    program = Path(sys.executable).with_name("arena")

    def completed(*words: str) -> list[str]:
        given = {
            "_ARENA_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        }
        done = subprocess.run(
            [program], env={**os.environ, **given}, capture_output=True, text=True, timeout=60
        )
        return [line.partition(",")[2] for line in done.stdout.splitlines()]

    assert completed("arena", "ch") == ["check"]
    assert completed("arena", "new", "") == ["bot", "config"]
    assert completed("arena", "check", "--may") == ["--may-differ"]
