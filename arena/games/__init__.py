"""The rules: one pure file a game. Bots in the jail may import them, so nothing is imported here."""
