"""Progress on standard error: a bar on a terminal, plain lines otherwise."""

import os
import sys
import time

from arena.tournament import Progress

_WIDTH = 30
_LINE_SECONDS = 15.0


class Display:
    """What a person sees of a run; nothing but `say` when it is quiet."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bar = not quiet and sys.stderr.isatty()
        self._begun = self._shown = time.monotonic()
        self._first: int | None = None
        self._drawn = False

    def say(self, line: str) -> None:
        """One line, above the bar."""
        self._write(("\r\x1b[K" if self._drawn else "") + line + "\n")
        self._drawn = False

    def progress(self, progress: Progress) -> None:
        """Draw the bar again, or write a line now and then."""
        now = time.monotonic()
        if self._first is None:
            self._first, self._begun = progress.blocks_done, now
        if self._quiet or now - self._shown < (0.1 if self._bar else _LINE_SECONDS):
            return
        self._shown = now
        text = self._text(progress, now)
        if self._bar:
            full = _WIDTH * progress.blocks_done // max(progress.blocks, 1)
            self._write(f"\r\x1b[K[{'#' * full}{'.' * (_WIDTH - full)}] {text}")
            self._drawn = True
        else:
            self._write(text + "\n")

    def done(self) -> None:
        """Take the bar away."""
        if self._drawn:
            self._write("\r\x1b[K")
            self._drawn = False

    def _text(self, progress: Progress, now: float) -> str:
        parts = [f"{progress.blocks_done} of {progress.blocks} blocks"]
        played = progress.blocks_done - (self._first or 0)
        if played > 0:
            left = (now - self._begun) * (progress.blocks - progress.blocks_done) / played
            parts.append(f"{duration(left)} left")
        if progress.faults:
            parts.append(f"{progress.faults} matches with a fault")
        if progress.voids:
            parts.append(f"{progress.voids} void")
        return ", ".join(parts)

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (BrokenPipeError, ValueError):
            # Whoever read along is gone: the tournament is worth more than its progress bar.
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for the rest of the process


def duration(seconds: float) -> str:
    """About how long, in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
