# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a fixity run is, as a bar on standard error; silent when that is no terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from carrel.cli.terminal import is_terminal
from carrel.model.events import Emit, Event, RecordVerified, VerificationProgress, ignore

# What surrounds the printing of a line on standard output.
Line = Callable[[], AbstractContextManager[None]]


@contextmanager
def verification_bar(*, has_lines: bool) -> Iterator[tuple[Emit, Line]]:
    """Give what takes the events of a run, and what makes room for a line beside the bar.

    `has_lines` says that each record is printed: on the same terminal that is progress enough.
    """
    if not is_terminal(sys.stderr) or (has_lines and is_terminal(sys.stdout)):
        yield ignore, nullcontext
        return
    from carrel.cli.bars import BytesBar  # its library is only for who looks

    with BytesBar("verifying") as bar:

        def tell(event: Event) -> None:
            if isinstance(event, RecordVerified | VerificationProgress):
                bar.show(event.done, event.total)

        yield tell, bar.aside if is_terminal(sys.stdout) else nullcontext
