# SPDX-License-Identifier: AGPL-3.0-or-later
"""The program from its first moment to its last: `carrel`, and `carrel-desktop`.

While modules load, and when the command has come to its end, Ctrl+C ends the process at once. In
between the command sees to it.
"""

import atexit
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


def main_of_window() -> None:
    """Run `carrel-desktop`, the name for menus and launchers: `carrel desktop`."""
    sys.argv[1:1] = ["desktop"]
    main()
