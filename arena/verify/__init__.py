"""Does a run hold what its seeds, rules, schedule and bots give? Everything is made again and compared.

What stands in columns that end in `_ms` may differ between two runs and is left out. Of a fault, who, when
and whether it is a start fault follows from the record; its kind and words are the bot's doing, which only
`rerun` meets again.
"""

from arena.verify.audit import Audit
from arena.verify.rerun import rerun

__all__ = ["Audit", "rerun"]
