# SPDX-License-Identifier: AGPL-3.0-or-later
"""A process that helps another one index: it is given stretches and says what they came to.

Not `multiprocessing`, which would have the helper import the whole program that it was started by.
"""

import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, cast

from carrel.errors import ControlFlow
from carrel.mementos.warc.stretches import Options, Outcome, Stretch, index_stretch


class HelperFailed(ControlFlow):
    """A helping process ended, or could not be started."""


class Helper:
    """A helping process, begun with the first stretch that it is given, ended on leaving.

    It belongs to one thread; others may only `stop` it.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._is_stopped = False

    def __enter__(self) -> "Helper":
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        if self._process is not None:
            self._process.communicate()

    def index(self, stretch: Stretch, folder: Path, options: Options) -> Outcome:
        """Have a stretch indexed into a folder. Raises HelperFailed."""
        try:
            asking, answers = self._pipes()
            pickle.dump((stretch, folder, options), asking)
            asking.flush()
            return cast(Outcome, pickle.load(answers))  # noqa: S301  # our own process
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise HelperFailed from error

    def stop(self) -> None:
        """End the process, whatever it is at."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.kill()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        """Return where to ask and where answers come, of a process that runs."""
        with self._lock:
            if self._is_stopped:
                raise HelperFailed
            process = self._process = self._process or _started()
        if process.stdin is None or process.stdout is None:
            raise HelperFailed
        return process.stdin, process.stdout


def can_start() -> bool:
    """Say whether there is a Python to be started, or a frozen program that stands for it."""
    return bool(sys.executable)


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", __name__]
    return subprocess.Popen(  # noqa: S603  # this very file
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def main() -> None:
    """Do what is requested on standard input until no one asks any more."""
    # An interrupt is for the process that was begun by a person; that one ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = sys.stdout.buffer
    while True:
        try:
            stretch, folder, options = pickle.load(sys.stdin.buffer)  # noqa: S301  # our parent
            pickle.dump(index_stretch(stretch, folder, options), answers)
            answers.flush()
        except (EOFError, BrokenPipeError):
            return


if __name__ == "__main__":
    main()
