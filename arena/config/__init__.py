"""A config file to frozen settings; every problem at once, each with its line."""

from arena.config.reader import read_config
from arena.config.settings import Gate, Settings, Until

__all__ = ["Gate", "Settings", "Until", "read_config"]
