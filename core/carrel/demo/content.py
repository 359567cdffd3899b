# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of the sample files: of any size, made while they are sent, the same every time."""

import hashlib
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

TABLE_HEADER = "time,station,level_m,quality\n"
ROW_SIZE = 32
_MONTHS = ("January", "February", "March", "April", "May", "June")
_NAMES = ("Ashe", "Bellwood", "Carter", "Dunning", "Eastgate", "Fenwick", "Garland", "Holt")
_FIRST_NAMES = ("Agnes", "Edmund", "Isabel", "John", "Margery", "Nicholas", "Thomas", "Winifred")
_TRADES = ("cooper", "ropemaker", "weaver", "widow", "ferryman", "chandler", "thatcher", "smith")
_EVENTS = (
    "buried in the north aisle",
    "crossed by the morning boat",
    "gave two shillings to the poor box",
    "heard the curlews after dark",
    "returned from the herring grounds",
    "saw the tide come late, wind north-west",
    "signed with a cross",
    "was paid for mending the sluice",
)


class Kind(StrEnum):
    """What a file is made of. `TAB` is the table as Dataverse serves it after ingest."""

    NOTE = "note"
    PROSE = "prose"
    TABLE = "table"
    TAB = "tab"
    SOUND = "sound"


_NOTE = (
    b"These are sample data, made for trying Carrel with no network.\n"
    b"Nobody was baptised, nothing was measured, and all names are invented.\n\n"
)
_BLOCK_SIZES = {
    Kind.NOTE: len(_NOTE),
    Kind.PROSE: 4096,
    Kind.TABLE: 2048 * ROW_SIZE,
    Kind.TAB: 2048 * ROW_SIZE,
}
_SOUND_BLOCK_SIZE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Content:
    """`size` bytes of a kind; another `seed` makes others."""

    seed: str
    size: int
    kind: Kind = Kind.PROSE

    @property
    def tag(self) -> str:
        """A strong validator, known without reading the content."""
        return hashlib.sha256(f"{self.seed}|{self.size}|{self.kind}".encode()).hexdigest()[:32]

    def digest(self, algorithm: str) -> str:
        """Return the true digest in hex; the content is read once per algorithm."""
        return _digest(self, algorithm)

    def blocks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to `stop` (the end if None) in pieces."""
        stop = self.size if stop is None else min(stop, self.size)
        head = self._head()
        if start < min(stop, len(head)):
            yield head[start:stop]
        block_size = _BLOCK_SIZES.get(self.kind, _SOUND_BLOCK_SIZE)
        position = max(start, len(head))
        while position < stop:
            number, offset = divmod(position - len(head), block_size)
            piece = self._block(number)[offset : offset + stop - position]
            yield piece
            position += len(piece)

    def _head(self) -> bytes:
        if self.kind is Kind.SOUND:
            return _wave_header(self.size)
        if self.kind in (Kind.NOTE, Kind.PROSE):
            return b""
        separator = "\t" if self.kind is Kind.TAB else ","
        return TABLE_HEADER.replace(",", separator).encode()

    def _block(self, number: int) -> bytes:
        if self.kind is Kind.SOUND:
            return hashlib.shake_128(f"{self.seed}|{number}".encode()).digest(_SOUND_BLOCK_SIZE)
        if self.kind is Kind.PROSE:
            return _page(self.seed, number)
        if self.kind is Kind.NOTE:
            return _NOTE
        table = _table_block(self.seed, number)
        return table.replace(b",", b"\t") if self.kind is Kind.TAB else table


@lru_cache(maxsize=4096)
def _digest(content: Content, algorithm: str) -> str:
    digest = hashlib.new(algorithm)
    for block in content.blocks():
        digest.update(block)
    return digest.hexdigest()


def _wave_header(size: int) -> bytes:
    """Return the 44 bytes before 8-bit mono samples, so that a player opens the file."""
    riff_size, data_size = min(max(size - 8, 0), 2**32 - 1), min(max(size - 44, 0), 2**32 - 1)
    header = struct.pack(
        "<4sI8sIHHIIHH", b"RIFF", riff_size, b"WAVEfmt ", 16, 1, 1, 8000, 8000, 1, 8
    )
    return header + struct.pack("<4sI", b"data", data_size)


@lru_cache(maxsize=16)
def _table_block(seed: str, number: int) -> bytes:
    """Return 2,048 rows of a tide gauge, a reading every ten minutes, 32 bytes each."""
    noise = hashlib.shake_128(f"{seed}|{number}".encode()).digest(2048)
    phase = noise[0] if number == 0 else 0
    return "".join(_reading(number * 2048 + row, phase, noise[row]) for row in range(2048)).encode()


def _reading(row: int, phase: int, noise: int) -> str:
    day, slot = divmod(row, 144)
    year, day_of_year = divmod(day, 336)
    month, day_of_month = divmod(day_of_year, 28)
    moment = f"{1953 + year % 1000}-{month + 1:02}-{day_of_month + 1:02}"
    level = 2.4 * math.sin((row + phase) * 2 * math.pi / 74.5) + (noise - 128) / 640
    quality = "??" if noise > 253 else "ok"
    return f"{moment}T{slot // 6:02}:{slot % 6}0,NLK,{level:+07.3f},{quality}\n"


@lru_cache(maxsize=16)
def _page(seed: str, number: int) -> bytes:
    """Return 4,096 bytes of a day book, the last line cut so that the page is full."""
    dice = hashlib.shake_128(f"{seed}|{number}".encode()).digest(4 * 200)
    lines = (_entry(*dice[i : i + 4]) for i in range(0, len(dice), 4))
    return "".join(lines).encode()[:4095] + b"\n"


def _entry(day: int, first: int, last: int, event: int) -> str:
    date = f"{day % 28 + 1} {_MONTHS[day % len(_MONTHS)]}"
    name = f"{_FIRST_NAMES[first % len(_FIRST_NAMES)]} {_NAMES[last % len(_NAMES)]}"
    trade = _TRADES[(first + last) % len(_TRADES)]
    return f"{date}. {name}, {trade}: {_EVENTS[event % len(_EVENTS)]}.\n"
