"""What the rules of any game must hold: `check_game`, for arena's own and for plug-ins; needs no pytest."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from arena.errors import InfrastructureError, UsageError
from arena.model import Game, Json, Request
from arena.options import settle
from arena.protocol import turn_message
from arena.standings import placings_of
from arena.testing.hidden import Evenness, SameTold, check_imagine, check_siblings
from arena.testing.trial import Trial, as_text, is_usage_error

NONSENSE = ("", " ", "no such action", "é", "0x0")


def check_game(
    game: type[Game],
    *,
    games: int = 30,
    seed: int = 0,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    looks: int = 12,
    longest: int = 10_000,
) -> None:
    """Play random games at every table size (or at `seats`) and check the contract of arena.model.Game.

    AssertionError, in one line that says what does not hold and in which game, at the first breach.

    Checked: options and table sizes are declared and others refused; the same seed and actions give equal
    positions; views and events are JSON and a turn fits the protocol; `play` leaves its argument alone and
    refuses what is not legal; games end; scores and placings agree; events are numbered, and private ones
    name their seat; a game replays from its chance; `imagine` gives what its seat cannot tell from the truth,
    drawn evenly (from 20 games on); no seat sees what it may not. Each game is looked at closely in `looks`
    places, and must end within `longest` decisions.
    """
    settings = dict(options or {})
    for size in game.seats if seats is None else (seats,):
        trial = Trial(game, size, settings, seed)
        _check_declared(trial)
        evenness, same_told = Evenness(), SameTold()
        for number in range(games):
            trial = Trial(game, size, settings, seed + number)
            before = random.getstate()
            _check_one(trial, looks, longest, evenness, same_told)
            trial.need(random.getstate() == before, "the game draws from the global random generator")
            evenness.end_game()
        evenness.verdict(Trial(game, size, settings, seed))


def _check_declared(trial: Trial) -> None:
    game, sizes = trial.game, list(trial.game.seats)
    trial.need(re.fullmatch(r"[a-z][a-z0-9_]*", game.name), "name: a lower-case word, it is a key and a file")
    trial.need(sizes and sizes[0] >= 2, "seats: a range of table sizes from 2")
    trial.need(isinstance(game.higher_wins, bool), "higher_wins: True or False")
    for name, option in game.options.items():
        try:
            read = option.read(option.default)
        except (ValueError, KeyError, TypeError) as error:
            trial.fail(f"options.{name}: its own default {option.default!r} is refused: {error!r}")
        trial.same(read, option.default, f"options.{name}: its default is read as something else")
    trial.bytes_of(settle(game.options, trial.options), "the options")
    for wrong in (sizes[0] - 1, sizes[-1] + 1):
        trial.need(
            is_usage_error(game.start, wrong, Random(0), trial.options),
            f"start with {wrong} seats is not refused by a UsageError, though `seats` excludes it",
        )
    trial.need(
        is_usage_error(game.start, trial.seats, Random(0), {"no such option": "1"}),
        "start with an unknown option is not refused by a UsageError",
    )
    trial.need(
        is_usage_error(game.from_chance, trial.seats, {"no such chance": 1}, trial.options),
        "from_chance with nonsense is not refused by a UsageError",
    )


def _check_one(trial: Trial, looks: int, longest: int, evenness: Evenness, same_told: SameTold) -> None:
    """One random game: played once to learn its actions, then again, looking closely now and then."""
    rng = Random(f"{trial.seed}/{trial.seats}")
    first = _played(trial, rng, longest)
    actions, own = list(trial.actions), [list[str]() for _ in range(trial.seats)]
    places = {0, len(actions), *rng.sample(range(len(actions) + 1), min(looks, len(actions) + 1))}
    stages: dict[int, Json] = {}
    told_then: dict[int, bytes] = {}
    position, trial.actions = trial.start(), []
    for number in range(len(actions) + 1):
        trial.need(position == first[number], "the same seed and actions do not give equal positions")
        if number in places:
            stages[number] = trial.told(position)
            told_then[number] = as_text(stages[number])
            _check_told(trial, position, stages[number])
            _check_events(trial, position)
            _check_refusals(trial, position, actions)
            same_told.check(trial, position, own)
            check_imagine(trial, position, rng)
            check_siblings(trial, position, rng)
            evenness.look(trial, position, rng)
        if number < len(actions):
            own[position.turn or 0].append(actions[number])
            position = trial.play(position, actions[number])
            trial.actions.append(actions[number])
    _check_untouched(trial, first, stages, told_then)
    _check_chance(trial, first, stages, actions)


def _played(trial: Trial, rng: Random, longest: int) -> list[Game]:
    """Every position of a random game; each request must fit the protocol."""
    position, positions = trial.start(), []
    asked = Counter[int]()
    told = [list[Json]() for _ in range(trial.seats)]
    while True:
        positions.append(position)
        turn, legal = position.turn, position.legal()
        if turn is None:
            trial.need(legal == () and position.kind == "", "a game that is over still has a kind or legal()")
            for seat, events in enumerate(told):
                rest = position.events(seat, len(events))
                whole = [*events, *rest] == list(position.events(seat))
                trial.need(whole, f"events({seat}, since) from request to request are not events({seat})")
            return positions
        trial.need(turn in range(trial.seats), f"turn is {turn!r}, which is no seat")
        trial.need(position.kind, "a game that goes on says no kind")
        trial.need(
            legal and len(set(legal)) == len(legal), f"legal() is empty or repeats itself: {legal!r:.99}"
        )
        trial.need(
            isinstance(legal, tuple) and all(isinstance(a, str) and 0 < len(a) <= 80 for a in legal),
            f"legal() is not a tuple of short strings: {legal!r:.99}",
        )
        trial.need(position.legal() == legal, "legal() asked twice answers differently")
        trial.need(len(trial.actions) < longest, f"the game does not end within {longest} decisions")
        new = position.events(turn, len(told[turn]))
        told[turn] += new
        asked[turn] += 1
        try:
            turn_message(asked[turn], Request(position.kind, legal, position.view(turn), new), 0.0)
        except (InfrastructureError, TypeError) as error:
            trial.fail(f"what seat {turn} is asked cannot be sent, it is no JSON or too long: {error}")
        action = rng.choice(legal)
        position = trial.play(position, action)
        trial.actions.append(action)


def _check_told(trial: Trial, position: Game, told: Json) -> None:
    trial.bytes_of(told["chance"], "chance()")
    for viewer, view in told["views"].items():
        trial.bytes_of(view, f"view({viewer})")
        trial.bytes_of(told["events"][viewer], f"events({viewer})")
        trial.same(
            sorted(view), sorted(told["views"]["None"]), f"view({viewer}) has other keys than the judge's"
        )
    scores, placings = position.scores(), position.placings()
    trial.need(
        isinstance(scores, tuple) and len(scores) == trial.seats and all(type(s) is int for s in scores),
        f"scores() is not a tuple of a whole number a seat: {scores!r}",
    )
    right = placings_of(scores, trial.game.higher_wins)
    trial.need(placings == right, f"placings() {placings!r} do not agree with scores {scores!r}: {right!r}")


def _check_events(trial: Trial, position: Game) -> None:
    judge = list(position.events(None))
    counts = [Counter(map(as_text, position.events(seat))) for seat in range(trial.seats)]
    for seat in range(trial.seats):
        mine = list(position.events(seat))
        for since in {0, 1, len(mine) // 2, len(mine), len(mine) + 3}:
            trial.need(
                list(position.events(seat, since)) == mine[since:],
                f"events({seat}, {since}) are not its events from number {since} on",
            )
        rest = iter(judge)
        trial.need(
            all(any(event == other for other in rest) for event in mine),
            f"events({seat}) are not all among the judge's, in his order",
        )
    for text, times in Counter(map(as_text, judge)).items():
        by_seat = [count[text] for count in counts]
        trial.need(times == max(by_seat), f"the judge is not told each event once: {text.decode():.99}")
    for event in judge:
        seers = [seat for seat in range(trial.seats) if counts[seat][as_text(event)]]
        trial.need(isinstance(event.get("type"), str), f"an event without a type: {event!r:.99}")
        trial.need(
            len(seers) == trial.seats or seers == [event.get("seat")],
            f"an event that not all seats see names no seat, or another one saw it: {event!r:.99}",
        )
        line = trial.game.tell(event)
        trial.need(
            isinstance(line, str) and line.strip() and len(line.splitlines()) == 1,
            f"tell() gives no line of text for {event!r:.99}",
        )


def _check_refusals(trial: Trial, position: Game, actions: list[str]) -> None:
    legal = position.legal()
    told = as_text(trial.told(position))
    padded = (f"{legal[0]} ", f"{legal[0]}\n") if legal else ()
    for action in dict.fromkeys((*NONSENSE, *padded, *actions)):
        if action not in legal:
            trial.refuses(position, action)
    trial.need(as_text(trial.told(position)) == told, "a refused action changes the position")


def _check_untouched(
    trial: Trial, first: list[Game], stages: Mapping[int, Json], told_then: Mapping[int, bytes]
) -> None:
    """Nothing that was played later has changed an earlier position, or a view once given."""
    before: Json = {}
    for number, told in sorted(stages.items()):
        now = as_text(trial.told(first[number]))
        trial.need(
            now == told_then[number] == as_text(told),
            f"play changes its argument: position {number} is altered",
        )
        for viewer, events in before.items():
            trial.need(
                told["events"][viewer][: len(events)] == events,
                f"events({viewer}) once told are told otherwise",
            )
        before = told["events"]


def _check_chance(trial: Trial, first: list[Game], stages: Mapping[int, Json], actions: list[str]) -> None:
    """The chance so far, given back, replays the game so far; what is missing is noticed, never made up."""
    for number in (len(actions), sorted(stages)[len(stages) // 2]):
        trial.actions = []
        why = "a game replayed from its chance() goes another way"
        try:
            position = trial.replayed(first[number].chance())
            for done, action in enumerate(actions):
                told = stages.get(done, {}) if done <= number else {}
                if told:
                    trial.same(trial.told(position), told, why)
                position = position.play(action)
                trial.actions.append(action)
        except UsageError as error:
            trial.need(
                len(trial.actions) >= number,
                f"chance() does not cover what was played, from_chance says: {error}",
            )
            continue
        trial.same(trial.told(position)["views"], trial.told(first[-1])["views"], why)
        trial.same(trial.told(position)["scores"], trial.told(first[-1])["scores"], why)
