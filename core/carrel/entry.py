# SPDX-License-Identifier: AGPL-3.0-or-later
"""The program from its first moment to its last: `carrel`, and `carrel-desktop`.

While modules load, and when the command has come to its end, Ctrl+C ends the process at once. In
between the command sees to it.
"""

import atexit
import os
import sys

from carrel.process_end import (
    attend,
    come_to_an_end,
    end_at_once,
    where_nothing_can_be_raised,
)


def main() -> None:
    """Run `carrel`, as the script of that name and `python -m carrel` do."""
    sys.unraisablehook = where_nothing_can_be_raised
    _occupy_standard_descriptors()
    try:
        is_ours = attend()
        if is_ours:
            atexit.register(come_to_an_end)  # the first to be registered is the last to be run
        try:
            from carrel.cli.program import run

            run()
        finally:
            if is_ours:
                attend()
    except KeyboardInterrupt:
        end_at_once()


def _occupy_standard_descriptors() -> None:
    """Open those of input, output and errors that are closed, as daemons have them.

    An archive's file would get their numbers otherwise, and whoever writes to an output by its
    number would write into that.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free


def main_of_window() -> None:
    """Run `carrel-desktop`, the name for menus and launchers: `carrel desktop`."""
    sys.argv[1:1] = ["desktop"]
    main()
