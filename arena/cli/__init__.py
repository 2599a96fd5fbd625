"""The command line: a table of contents, one file a command."""

import errno
import os
import sys
import tempfile
import traceback
from importlib import import_module

import click

from arena import __version__
from arena.cli._python import untried
from arena.errors import ArenaError, Unforeseen, UsageError

# Before numpy is imported: no threads where workers are forked, and sums that no number of cores can change.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS: dict[str, str] = {
    "bench": "arena.cli.bench:bench",
    "check": "arena.cli.check:check",
    "doctor": "arena.cli.doctor:doctor",
    "export": "arena.cli.export:export",
    "games": "arena.cli.games:games",
    "new": "arena.cli.new:new",
    "plan": "arena.cli.plan:plan_command",
    "play": "arena.cli.play:play",
    "rate": "arena.cli.rate:rate",
    "replay": "arena.cli.replay:replay",
    "report": "arena.cli.report:report",
    "run": "arena.cli.run:run",
    "standings": "arena.cli.standings:standings",
    "submit": "arena.cli.submit:submit",
    "verify": "arena.cli.verify:verify",
}
"""Name to `module:function`; a command's module is imported when it is called, so `arena` starts fast."""

_BUG = 70  # EX_SOFTWARE of sysexits.h
_OF_THE_MACHINE = {
    errno.EACCES, errno.EDQUOT, errno.EIO, errno.EISDIR, errno.EMFILE, errno.ENAMETOOLONG, errno.ENFILE,
    errno.ENOMEM, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
}  # fmt: skip
"""Errors that no bug of arena's makes likely: a full disk, a folder that may not be written to."""
_DEBUG = "ARENA_DEBUG"


class _Contents(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


@click.group(cls=_Contents, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.option("--debug", is_flag=True, help="Show the traceback where arena itself is at fault.")
def cli(debug: bool) -> None:
    """Run tournaments between submitted bots in Pecking Order, Peech and Rat d'eau."""
    if debug:
        os.environ[_DEBUG] = "1"


def main() -> None:
    """The program: one line on standard error for whatever goes wrong.

    Exit status: 0 done, 1 arena's error, 2 usage or config, 70 a bug of arena's own, 130 stopped.
    """
    _open_streams()
    if note := untried():
        click.echo(note, err=True)
    try:
        cli(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except Exception as error:
        sys.exit(_tell(error))


def _tell(error: Exception) -> int:
    """Say it in one line; the exit status for it."""
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        where = f"{error.filename}: " if error.filename is not None else ""
        click.echo(f"{where}{error.strerror}", err=True)
        return 1
    cause = error.__cause__ or error
    if not isinstance(error, ArenaError):
        error = Unforeseen(error, _keep_trace(error))
    if isinstance(error, Unforeseen) and os.environ.get(_DEBUG):
        traceback.print_exception(cause)
    click.echo(str(error), err=True)
    return _BUG if isinstance(error, Unforeseen) else 2 if isinstance(error, UsageError) else 1


def _keep_trace(error: Exception) -> str:
    """Write the traceback of a bug to a file of its own; where."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="arena-", suffix=".log", delete=False
        ) as file:
            file.writelines(traceback.format_exception(error))
    except OSError as problem:
        return f"no file ({problem.strerror}): --debug shows it"
    return file.name


def _open_streams() -> None:
    """Standard streams that were closed lead nowhere: else the next file to be opened takes their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
