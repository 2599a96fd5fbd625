"""A config file to frozen settings; every problem at once, each with its line."""
