"""A config file to frozen settings; every problem at once, each with its line."""

from arena.config.reader import plain_event, read_config
from arena.config.settings import Gate, Settings, Until

__all__ = ["Gate", "Settings", "Until", "plain_event", "read_config"]
