# SPDX-License-Identifier: AGPL-3.0-or-later
"""Progress on standard error: bars on a terminal, silence where it is none."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from carrel.cli.terminal import is_terminal
from carrel.model.events import Emit, ignore


@contextmanager
def progress_bars() -> Iterator[Emit]:
    """Give what takes the events of ingests, one after the other, and shows them on a terminal."""
    if not is_terminal(sys.stderr):
        yield ignore
        return
    from carrel.cli.bars import ProgressBars  # its library is only for who looks

    with ProgressBars() as bars:
        yield bars.show


@contextmanager
def bytes_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Give what is told how many bytes are done, of how many, and shows it on a terminal."""
    if not is_terminal(sys.stderr):
        yield lambda done, total: None
        return
    from carrel.cli.bars import BytesBar  # as above

    with BytesBar(label) as bar:
        yield bar.show


@contextmanager
def counting(
    label: str, total: int
) -> Iterator[tuple[Callable[[], None], Callable[[], AbstractContextManager[None]]]]:
    """Give what counts one more thing as done, and what makes way for a line of output."""
    if not is_terminal(sys.stderr):
        yield lambda: None, nullcontext
        return
    from carrel.cli.bars import CountBar  # as above

    with CountBar(label, total) as bar:
        yield bar.advance, bar.aside
