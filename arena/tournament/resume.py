"""Going on with a run: the same tournament, or one that has grown and leaves its old blocks as they are."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena import registry
from arena.blocks import blocks_of
from arena.errors import UsageError
from arena.model import Event, Format, Json, Outcome, Round
from arena.store import Store

_FIXED = ("name", "game", "seats", "options", "format", "limits", "seed", "common_deals")
"""What of an event decides about results, apart from its bots and its format's options."""

_Played = list[tuple[Round, tuple[Outcome, ...]]]


def extend(store: Store, events: Sequence[Event], meta: Json) -> tuple[str, ...]:
    """Let the store go on with these settings; lines that tell what was added.

    More bots, deals or rounds are sound where the format, asked again, wants every block that was played, and
    with the same seatings. UsageError lists what differs otherwise.
    """
    before = store.events()
    changes = [*_changes(store.meta, meta), *_event_changes(before, events)]
    if not changes and (grown := _grown(before, events)):
        changes = [
            text for old, new in zip(before, events, strict=True) for text in _unsound(store, old, new)
        ]
    else:
        grown = ()
    if changes:
        listed = "".join(f"\n  {text}" for text in changes)
        raise UsageError(f"{store.folder}: holds a run of something else (--new starts another):{listed}")
    if grown:
        for old, new in zip(before, events, strict=True):
            for round_, _ in _asked_again(store, old, new):
                store.add_round(new.index, round_)
        store.set_meta("finished", False)
    store.set_events(events)
    for key, value in meta.items():
        store.set_meta(key, value)
    return tuple(f"{text}: only what is new is played" for text in grown)


def _changes(old: Json, new: Json) -> Iterator[str]:
    """Differences outside the events that decide about results."""
    for key in ("seed", "rules"):
        if old[key] != new[key]:
            yield f"{key}: {_show(old[key])} then, {_show(new[key])} now"
    if old["sandbox"].get("tier") != new["sandbox"].get("tier"):
        yield f"jail.tier: {old['sandbox'].get('tier')} then, {new['sandbox'].get('tier')} now"


def _event_changes(old: Sequence[Event], new: Sequence[Event]) -> Iterator[str]:
    if len(old) != len(new):
        yield f"events: {len(old)} then, {len(new)} now"
        return
    for before, after in zip(old, new, strict=True):
        for key in _FIXED:
            if getattr(before, key) != getattr(after, key):
                yield f"{before.name}: {key}: {getattr(before, key)} then, {getattr(after, key)} now"
        now = {bot.id: bot for bot in after.bots}
        for bot in before.bots:
            same = now.get(bot.id)
            if same is None:
                yield f"{before.name}: {bot.name} played then, and is not in the list now"
            elif (same.digest, same.command) != (bot.digest, bot.command):
                hashes = f"sha256 {bot.digest[:8]} then, {same.digest[:8]} now"
                yield f"{before.name}: {bot.name} has changed ({hashes})"


def _grown(old: Sequence[Event], new: Sequence[Event]) -> tuple[str, ...]:
    """What was added, in words; nothing for the same events."""
    said = []
    for before, after in zip(old, new, strict=True):
        known = {bot.id for bot in before.bots}
        said += [f"{after.name}: {bot.name} was added" for bot in after.bots if bot.id not in known]
        if [bot.id for bot in after.bots if bot.id in known] != [bot.id for bot in before.bots]:
            said.append(f"{after.name}: the order of the bots has changed")
        for key, value in after.format_options.items():
            earlier = before.format_options.get(key)
            if earlier != value:
                said.append(f"{after.name}: format.{key} was {_show(earlier)} and is {_show(value)}")
    return tuple(said)


def _unsound(store: Store, old: Event, new: Event) -> Iterator[str]:
    """Why the new event's schedule does not hold all that was played; nothing when it does."""
    done = {block for block in store.done() if block.event == old.index}
    asked = {round_.number: round_ for round_, _ in _asked_again(store, old, new)}
    for round_ in store.rounds(old.index):
        again = asked.get(round_.number)
        wanted = {block.id: block.seatings for block in blocks_of(new, again)} if again else {}
        for block in blocks_of(old, round_):
            if block.id in done and wanted.get(block.id) != block.seatings:
                what = "; ".join(_grown([old], [new]))
                yield f"{what}; in a {new.format} that changes who meets whom (block {block.id}, say)"
                return


def _asked_again(store: Store, old: Event, new: Event) -> _Played:
    """For every round there is, the one that the format asks for with the new settings."""
    format_: Format = registry.formats.get(new.format)
    played: _Played = []
    for round_ in store.rounds(old.index):
        again = format_.next_round(new, tuple(played))
        if again is None:
            break
        played.append((again, store.round_outcomes(old.index, round_.number)))
    return played


def _show(value: Any) -> str:
    return "null" if value is None else str(value)
