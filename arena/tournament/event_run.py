"""One event on its way: which blocks come next, and what is decided at its checkpoints."""

from collections import deque
from collections.abc import Callable, Iterator

from arena import registry
from arena.blocks import blocks_of, by_luck
from arena.model import Block, BlockId, BlockResult, Event, Fault, FaultKind, Format, Outcome, Round
from arena.stopping import Standing, due
from arena.store import Store
from arena.tournament.checkpoints import StopRule, cut, failing


class EventRun:
    """Gives an event's blocks in schedule order, skipping what the store has already.

    It asks the format for a round when the earlier one is through, and never waits for other events.
    `seconds` tells how long the tournament has been played, over all starts.
    """

    def __init__(
        self, event: Event, store: Store, disqualify_after: int | None, rule: StopRule | None,
        seconds: Callable[[], float],
    ) -> None:  # fmt: skip
        self.event = event
        self.blocks = 0
        """How many the rounds so far ask for."""
        self.absent = {bot: fault for bot, fault in store.preflight(event.index).items() if fault}
        self._store = store
        self._format: Format = registry.formats.get(event.format)
        self._limit = disqualify_after
        self._rule = rule
        self._seconds = seconds
        self._through = _through(store, event.index)
        self._waiting: deque[Block] = deque()
        self._in_hand: set[BlockId] = set()
        self._played: list[tuple[Round, tuple[Outcome, ...]]] = []
        self._past: list[Block] = []
        self._checkpoint = 0
        self._dropped: tuple[str, ...] = ()
        self._schedule = self._batches()
        self._look_ahead()

    def take(self) -> Block | None:
        """The next block to play; None while others must come in first, or when the event is over."""
        self._look_ahead()
        if not self._waiting:
            return None
        block = self._waiting.popleft()
        self._in_hand.add(block.id)
        return block

    def came_in(self, result: BlockResult) -> None:
        """A block that was taken is in the store."""
        self._in_hand.remove(result.block.id)

    def _look_ahead(self) -> None:
        """To the next checkpoint with a block to play, once the one before is through."""
        while not self._waiting and not self._in_hand:
            batch = next(self._schedule, None)
            if batch is None:
                return
            self._waiting.extend(block for block in batch if block.id not in self._through)

    def _batches(self) -> Iterator[tuple[Block, ...]]:
        """The checkpoints of all rounds; each is through when the next is asked for."""
        kept = self._store.rounds(self.event.index)
        while (round_ := self._next_round(kept)) is not None:
            blocks = blocks_of(self.event, round_)
            self.blocks += len(blocks)
            for batch in cut(blocks, bool(self._rule or self._limit)):
                playing = tuple(block for block in batch if not set(self._dropped).intersection(block.bots))
                self.blocks -= len(batch) - len(playing)
                yield playing
                self._past += playing
                if self._is_over(round_):
                    return
            self._played.append((round_, self._store.round_outcomes(self.event.index, round_.number)))

    def _next_round(self, kept: tuple[Round, ...]) -> Round | None:
        """The round that the store has kept, else the one that the format now asks for."""
        if len(self._played) < len(kept):
            return kept[len(self._played)]
        made = self._format.next_round(self.event, tuple(self._played))
        if made is not None:
            self._store.add_round(self.event.index, made)
        return made

    def _is_over(self, round_: Round) -> bool:
        """Decide at a checkpoint, on the blocks up to it alone."""
        self._checkpoint += 1
        if self._limit:
            self._disqualify(self._limit)
        if self._rule is None or not due(self._checkpoint):
            return False
        decision = self._rule(self._standing(round_))
        self._dropped = decision.dropped
        if decision.stop:
            self._store.note(decision.stop, self.event.index)
        return bool(decision.stop)

    def _standing(self, round_: Round) -> Standing:
        past = {str(block.id) for block in self._past}
        earlier = [outcome for _, outcomes in self._played for outcome in outcomes]
        here = self._store.round_outcomes(self.event.index, round_.number)
        outcomes = by_luck(self.event, (*earlier, *(outcome for outcome in here if outcome.block in past)))
        bots = tuple(bot.id for bot in self.event.bots)
        return Standing(bots, self.event.seats, outcomes, len(self._past), self._dropped, self._seconds())

    def _disqualify(self, limit: int) -> None:
        faulty: dict[BlockId, frozenset[str]] = {}
        for match, seats, faults in self._store.faults(self.event.index):
            block = BlockId(*match[:4])
            at_fault = {bot for bot, fault in zip(seats, faults, strict=True) if fault}
            faulty[block] = faulty.get(block, frozenset()) | at_fault
        for bot in failing(self._past, faulty, self._store.voids(), limit):
            if bot not in self.absent:
                detail = f"out of the event after {limit} faulty blocks in a row"
                self.absent[bot] = Fault(FaultKind.START, 0, detail)
                name = self.event.bot(bot).name
                self._store.note(f"{name} is {detail}; its other blocks are forfeits", self.event.index)


def _through(store: Store, event: int) -> set[BlockId]:
    """Blocks not to be played: those that were, and void ones of rounds on which a later one builds."""
    last = max((round_.number for round_ in store.rounds(event)), default=0)
    voids = {block for block in store.voids() if block.round < last}
    return {block for block in store.done() | voids if block.event == event}
