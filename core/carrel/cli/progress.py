# SPDX-License-Identifier: AGPL-3.0-or-later
"""Progress on standard error: bars on a terminal, silence where it is none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from carrel.model.events import Emit, ignore


@contextmanager
def progress_bars() -> Iterator[Emit]:
    """Give what takes the events of ingests, one after the other, and shows them on a terminal."""
    if not sys.stderr.isatty():
        yield ignore
        return
    from carrel.cli.bars import ProgressBars  # its library is only for who looks

    with ProgressBars() as bars:
        yield bars.show
