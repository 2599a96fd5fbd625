"""How a bot is shut in: fork server, namespaces, filter, limits, probe."""
