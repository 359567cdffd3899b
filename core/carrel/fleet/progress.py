# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a partition is done, where requests end in another order than they came in. Pure.

Everything below `low` is done; what is done above it is a set. Kafka keeps one number for a
partition, and up to 4,096 characters beside it (`offset.metadata.max.bytes`): the set goes there,
as a bitmap, so that whoever takes over does none of it again. Confluent's parallel-consumer does
the same (its README, "Offset map").
"""

import base64
import binascii
from dataclasses import dataclass, field

_FORMAT = "carrel1:"
_MOST_CHARACTERS = 4096
# What fits into them: four bytes are five characters.
_MOST_OFFSETS = (_MOST_CHARACTERS - len(_FORMAT)) // 5 * 4 * 8
WINDOW = 1000


@dataclass
class Progress:
    """The progress of one partition. `low` is the offset below which everything is done.

    `taken` are those that were given out and are not done yet. At most `window` offsets are above
    `low` at a time, taken or done; it is full then.
    """

    low: int
    window: int = WINDOW
    done: set[int] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)

    @classmethod
    def from_commit(cls, low: int, metadata: str | None, window: int = WINDOW) -> "Progress":
        """Return the progress that was committed; metadata of another tool names nothing."""
        return cls(low, window, read_metadata(low, metadata))

    def take(self, offset: int) -> bool:
        """Note that a message came; say whether it is still to be done by anyone."""
        if offset < self.low or offset in self.done or offset in self.taken:
            return False
        self.taken.add(offset)
        return True

    def end(self, offset: int) -> None:
        """Note that a message is done: its result has arrived."""
        if offset < self.low or offset not in self.taken:
            return
        self.taken.discard(offset)
        self.done.add(offset)

    def settle(self, position: int) -> bool:
        """Raise `low` as far as all is done; say whether that changed it.

        `position` is the next offset that will be read: what is missing below it (a transaction's
        marker, a message that was compacted away) will never come.
        """
        before, self.low = self.low, min(self.taken, default=max(position, self.low))
        self.done = {offset for offset in self.done if offset >= self.low}
        return self.low != before

    @property
    def is_full(self) -> bool:
        """Whether no more may be taken: what is done has to fit into the metadata."""
        return len(self.taken) >= self.window or self._span >= _MOST_OFFSETS - 1

    @property
    def has_room_again(self) -> bool:
        """Whether enough of a full window is done to go on reading."""
        return len(self.taken) < self.window / 2 and self._span < _MOST_OFFSETS / 2

    @property
    def metadata(self) -> str:
        """What is committed beside `low`: "" if nothing above it is done."""
        return write_metadata(self.low, self.done)

    @property
    def _span(self) -> int:
        return max(max(self.done, default=self.low), max(self.taken, default=self.low)) - self.low


def write_metadata(low: int, done: set[int]) -> str:
    """Return the offsets above `low` as text: bit n is the offset `low` + n.

    What lies too far above is left out: it is done again, and answered from the ledger.
    """
    bits = 0
    for offset in done:
        if low <= offset < low + _MOST_OFFSETS:
            bits |= 1 << (offset - low)
    if not bits:
        return ""
    raw = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return _FORMAT + base64.b85encode(raw).decode()


def read_metadata(low: int, metadata: str | None) -> set[int]:
    """Return the offsets that `write_metadata` wrote; of what it did not write, none."""
    if not metadata or not metadata.startswith(_FORMAT) or len(metadata) > _MOST_CHARACTERS:
        return set()
    try:
        raw = base64.b85decode(metadata.removeprefix(_FORMAT))
    except (ValueError, binascii.Error):
        return set()
    bits = int.from_bytes(raw, "little")
    return {low + at for at in range(bits.bit_length()) if bits >> at & 1}
