"""A tournament runner for submitted bots. Light on purpose: bots in the jail import it too."""

__version__ = "0.1.0"
