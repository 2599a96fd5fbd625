"""Executors: blocks in, results out; where and how many at once is theirs to know."""
