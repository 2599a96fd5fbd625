"""The kinds of pages: one file each, and one line here."""

from collections.abc import Callable, Iterator

from arena.report.pages import bot, fairness, index, made, matches, pairs, rounds
from arena.report.site import Page
from arena.report.summary import RunSummary

PAGES: dict[str, Callable[[RunSummary], Iterator[Page]]] = {
    "standings": index.pages,
    "head-to-head": pairs.pages,
    "bot": bot.pages,
    "rounds": rounds.pages,
    "matches": matches.pages,
    "fairness": fairness.pages,
    "how it was made": made.pages,
}
"""Name to a function that gives the pages of that kind; replays, made from records, are beside them."""
