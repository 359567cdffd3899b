# SPDX-License-Identifier: AGPL-3.0-or-later
"""The command line: arguments in, text or JSON out. It decides nothing.

It is loaded when it is run, where Ctrl+C can be met: loading takes a moment in which people think
better of it.
"""

import sys

STOPPED = 130


def main() -> None:
    """Run the command line; never shows a traceback, whenever Ctrl+C is pressed."""
    try:
        from carrel.cli.program import run

        run()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(STOPPED)
    finally:
        import signal  # late, as all else

        # What is left is the interpreter's own end, which has no words for it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def main_of_window() -> None:
    """Run `carrel-desktop`, the name for menus and launchers: `carrel desktop`."""
    sys.argv[1:1] = ["desktop"]
    main()
