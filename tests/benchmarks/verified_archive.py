# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive that `verifying.py` verifies: files of noise, or tables, each in a WARC of its own.

usage: verified_archive.py KIND FOLDER SIZE WARCS
"""

import hashlib
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.archive import Archive
from support.archives import new_archive
from support.held import hold
from support.wire import WireServer

# Far more than deflate looks back, so that repeating it makes nothing shorter.
_REPEATED_BYTES = 8 * 1024 * 1024


def noise(number: int, size: int) -> bytes:
    """Return bytes that cannot be compressed."""
    return hashlib.shake_128(b"%d" % number).digest(size)


def table(number: int, size: int) -> bytes:
    """Return measurements: a counter, a month, a station, numbers with many random digits."""
    numbers = random.Random(number)
    lines, length = [f"table {number}\n"], 0
    while length < min(size, _REPEATED_BYTES):
        line = len(lines)
        lines.append(
            f"{line},2026-{line % 12 + 1:02},station {line % 97},"
            f"{numbers.random():.12f},{numbers.gauss(12, 7):.6f}\n"
        )
        length += len(lines[-1])
    part = "".join(lines).encode()
    return (part * (size // len(part) + 1))[:size]


KINDS: dict[str, Callable[[int, int], bytes]] = {"noise": noise, "csv": table}


def main() -> None:
    """Ingest files of so many bytes in all, each by itself."""
    kind, folder, size, warcs = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    with Archive.create_or_open(new_archive(folder)) as opened:
        for number in range(warcs):
            content = KINDS[kind](number, size // warcs)
            with WireServer() as server:
                hold(opened, server, {f"{number}.dat": content}, str(number))


if __name__ == "__main__":
    main()
