"""The loop of a tournament, and the run folder it writes to; of reports it knows nothing."""

from arena.tournament.estimate import expect
from arena.tournament.folder import choose_folder, locked, open_run
from arena.tournament.loop import Progress, run

__all__ = ["Progress", "choose_folder", "expect", "locked", "open_run", "run"]
