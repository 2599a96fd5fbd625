"""The games as PettingZoo environments, to train agents on arena's rules: `pip install arena[pettingzoo]`.

from arena import pettingzoo

env = pettingzoo.env("rat_deau", seats=3)
"""

try:
    from arena.pettingzoo.environment import Environment, env
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error.msg}; pip install 'arena[pettingzoo]'", name=error.name) from error

__all__ = ["Environment", "env"]
