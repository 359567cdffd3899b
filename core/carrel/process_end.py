# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ctrl+C from the first moment of the process to its last, in words and with no traceback.

What stands here loads next to nothing, so that little time is left in which nothing attends to it.
"""

import os
import sys

INTERRUPTED = 130


def hand_over() -> None:
    """Let the command, which is loaded by now, be interrupted in the ways that it knows."""
    import signal

    if signal.getsignal(signal.SIGINT) is end_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end_at_once(*_: object) -> None:
    """End the process with a word and the status of what was interrupted."""
    try:
        os.write(2, b"Stopped.\n")
    finally:  # also where no one can be told
        os._exit(INTERRUPTED)


def attend() -> bool:
    """Have Ctrl+C end the process at once; say whether it had its usual effect, and not none."""
    import signal  # takes a while itself

    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, end_at_once)
    return is_usual


def come_to_an_end() -> None:
    """Let nothing but the end come any more: who attends to signals is taken down by now."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def where_nothing_can_be_raised(unraisable: "sys.UnraisableHookArgs") -> None:
    """End the process for an interruption that struck where it would be passed over."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        end_at_once()
    sys.__unraisablehook__(unraisable)
