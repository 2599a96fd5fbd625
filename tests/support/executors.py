"""An executor in this process that finishes blocks in an order of its own choosing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from arena.executors.bench import Blocks
from arena.model import Block, BlockResult, Bot, Event, Fault
from support.benches import FirstLegal


class Shuffled:
    """Plays with `FirstLegal`; of the blocks in hand a random one is through next.

    `stop_after` blocks it raises KeyboardInterrupt, as Ctrl-C would; `void` tells why a block fails.
    """

    def __init__(
        self, seed: int = 0, slots: int = 4, stop_after: int | None = None,
        void: Callable[[Block], str | None] = lambda block: None,
    ) -> None:  # fmt: skip
        self.workers = self.slots = slots
        self.tried: list[str] = []
        self.played: list[str] = []
        """The blocks that it was given, in order."""
        self._rng = Random(seed)
        self._stop_after = stop_after
        self._void = void
        self._blocks = Blocks(FirstLegal(None), None)
        self._in_hand: list[tuple[Event, Block, Mapping[str, Fault]]] = []
        self._through = 0

    def start(self) -> None: ...

    def try_bots(self, entries: Sequence[tuple[Event, Bot]]) -> Iterator[tuple[Event, Bot, Fault | None]]:
        for event, bot in entries:
            self.tried.append(bot.id)
            yield event, bot, self._blocks.try_bot(event, bot)

    def submit(self, event: Event, block: Block, absent: Mapping[str, Fault]) -> None:
        self._in_hand.append((event, block, dict(absent)))
        self.played.append(str(block.id))

    def wait(self) -> BlockResult:
        if self._through == self._stop_after:
            raise KeyboardInterrupt
        self._through += 1
        event, block, absent = self._in_hand.pop(self._rng.randrange(len(self._in_hand)))
        if reason := self._void(block):
            return BlockResult(block, (), reason)
        return BlockResult(
            block, self._blocks.play(event, {bot.id: bot for bot in event.bots}, block, absent)
        )

    def close(self) -> None: ...
