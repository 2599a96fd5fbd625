"""Which Pythons arena was tried on, and a word, once, where it runs on another."""

import os
import sys
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 15)
"""The first and the last that the tests run on; `requires-python` and the classifiers say the same."""


def untried(version: tuple[int, int] = sys.version_info[:2]) -> str:
    """A line to be said on a newer Python, when it was not said before on this machine; else empty."""
    if version <= NEWEST or not _first_time(".".join(map(str, version))):
        return ""
    tried, this = (".".join(map(str, one)) for one in (NEWEST, version))
    return f"note: arena was tried on Python up to {tried}, not on {this}; `arena doctor` tries the jail"


def _first_time(version: str) -> bool:
    """Whether nobody remembers it; where nothing can be remembered it is always the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    try:
        (cache / "arena").mkdir(parents=True, exist_ok=True)
        (cache / "arena" / f"untried-{version}").touch(exist_ok=False)
    except FileExistsError:
        return False
    except (OSError, RuntimeError):  # no home at all is a RuntimeError
        pass
    return True
