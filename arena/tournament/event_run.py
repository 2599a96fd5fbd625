"""One event on its way: which blocks come next, and what is decided at its checkpoints."""

from collections import deque
from collections.abc import Iterator

from arena import registry
from arena.blocks import blocks_of
from arena.model import Block, BlockId, BlockResult, Event, Fault, FaultKind, Format, Round
from arena.store import Store
from arena.tournament.checkpoints import StopRule, cut, failing


class EventRun:
    """Gives an event's blocks in schedule order, skipping what the store has already.

    It asks the format for a round when the earlier one is through, and never waits for other events.
    """

    def __init__(
        self, event: Event, store: Store, disqualify_after: int | None, rule: StopRule | None
    ) -> None:
        self.event = event
        self.blocks = self.matches = 0
        """How many the rounds so far ask for."""
        self.absent = {bot: fault for bot, fault in store.preflight(event.index).items() if fault}
        self._store = store
        self._format: Format = registry.formats.get(event.format)
        self._limit = disqualify_after
        self._rule = rule
        self._through = _through(store, event.index)
        self._waiting: deque[Block] = deque()
        self._in_hand: set[BlockId] = set()
        self._past: list[Block] = []
        self._dropped: frozenset[str] = frozenset()
        self._schedule = self._batches()

    def take(self) -> Block | None:
        """The next block to play; None while others must come in first, or when the event is over."""
        while not self._waiting and not self._in_hand:
            batch = next(self._schedule, None)
            if batch is None:
                return None
            self._waiting.extend(block for block in batch if block.id not in self._through)
        if not self._waiting:
            return None
        block = self._waiting.popleft()
        self._in_hand.add(block.id)
        return block

    def came_in(self, result: BlockResult) -> None:
        """A block that was taken is in the store."""
        self._in_hand.remove(result.block.id)

    def _batches(self) -> Iterator[tuple[Block, ...]]:
        """The checkpoints of all rounds; each is through when the next is asked for."""
        number = 1
        while (round_ := self._round(number)) is not None:
            blocks = blocks_of(self.event, round_)
            self.blocks += len(blocks)
            self.matches += sum(len(block.seatings) for block in blocks)
            for batch in cut(blocks, bool(self._rule or self._limit)):
                playing = tuple(block for block in batch if not self._dropped.intersection(block.bots))
                yield playing
                self._past += playing
                if self._is_over():
                    return
            number += 1

    def _round(self, number: int) -> Round | None:
        """The round of this number: the one in the store, else the one that the format now asks for."""
        index = self.event.index
        rounds = self._store.rounds(index)
        if number <= len(rounds):
            return rounds[number - 1]
        played = tuple((round_, self._store.round_outcomes(index, round_.number)) for round_ in rounds)
        made = self._format.next_round(self.event, played)
        if made is not None:
            self._store.add_round(index, made)
        return made

    def _is_over(self) -> bool:
        """Decide at a checkpoint, on the blocks up to it alone."""
        if self._limit:
            self._disqualify(self._limit)
        if self._rule is None:
            return False
        past = {str(block.id) for block in self._past}
        outcomes = tuple(
            outcome for outcome in self._store.outcomes(self.event.index) if outcome.block in past
        )
        verdict = self._rule(self.event, outcomes, len(self._past))
        self._dropped |= frozenset(verdict.dropped)
        if verdict.stop:
            self._store.note(verdict.stop, self.event.index)
        return bool(verdict.stop)

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
                self._store.note(
                    f"{self.event.bot(bot).name} is {detail}; its other blocks are forfeits", self.event.index
                )


def _through(store: Store, event: int) -> set[BlockId]:
    """Blocks not to be played: those that were, and void ones of rounds on which a later one builds."""
    last = max((round_.number for round_ in store.rounds(event)), default=0)
    voids = {block for block in store.voids() if block.round < last}
    return {block for block in store.done() | voids if block.event == event}
