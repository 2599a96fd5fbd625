"""The bot SDK: standard library only, usable without the rest of arena."""
