"""The command line: a table of contents, one file a command."""

import errno
import os
import sys
from importlib import import_module

import click

from arena import __version__
from arena.errors import ArenaError, UsageError

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

_OF_THE_MACHINE = {
    errno.EACCES, errno.EDQUOT, errno.EIO, errno.EISDIR, errno.EMFILE, errno.ENAMETOOLONG, errno.ENFILE,
    errno.ENOMEM, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
}  # fmt: skip
"""Errors that no bug of arena's makes likely: a full disk, a folder that may not be written to."""


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
def cli() -> None:
    """Run tournaments between submitted bots in Pecking Order, Peech and Rat d'eau."""


def main() -> None:
    """The program: one line on standard error for arena's own errors and the machine's, a trace for bugs.

    Exit status: 0 done, 1 arena's error, 2 usage or config, 130 stopped.
    """
    _open_streams()
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
    except ArenaError as error:
        click.echo(str(error), err=True)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        where = f"{error.filename}: " if error.filename is not None else ""
        click.echo(f"{where}{error.strerror}", err=True)
        sys.exit(1)


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
