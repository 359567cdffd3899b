# SPDX-License-Identifier: AGPL-3.0-or-later
"""Starts the process that identifies formats, asks it file by file, and outlives its end.

A file that ends the process is tried once more in a new one; then it has no format, with the
reason, and the next file gets a new process.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import Annotated

from carrel.access.formats.availability import why_unavailable
from carrel.access.reading_process import Limits, environment
from carrel.errors import ControlFlow, FormatsUnavailable
from carrel.model.formats import Format
from carrel.model.iso_time import iso_now
from carrel.model.sizes import KIBIBYTE, MEBIBYTE
from carrel.translation import tr
from carrel.validation import BaseModel, StringConstraints, TypeAdapter, ValidationError

# Go reserves 1.7 GB of addresses before it has read anything; what it uses is a twentieth of that.
LIMITS = Limits(time_s=60.0, cpu_s=600, memory_bytes=3072 * MEBIBYTE)
_READER = ("-P", "-B", "-m", "carrel.access.formats")
# Files come one after the other: more threads of its runtime would only be in the way of who
# fetches.
_OF_GO = {"GOMAXPROCS": "1"}
_MOST_ANSWER = 64 * KIBIBYTE  # on one file
# Its time of the processor is limited in all, so that it is begun anew now and then.
_MOST_FILES = 2000
_TRIES = 2
_Short = Annotated[str, StringConstraints(max_length=200)]
_Long = Annotated[str, StringConstraints(max_length=4000)]


class _Answer(BaseModel):
    """What the process says of one file."""

    puid: Annotated[str, StringConstraints(pattern=r"^((x-)?(fmt|chr|sfw)/\d{1,9}|UNKNOWN|)$")]
    name: _Short
    version: _Short
    mimetype: _Short
    basis: _Long
    warning: _Long
    signatures: _Short


_ANSWERS = TypeAdapter(list[_Answer])


class _Ended(ControlFlow):
    """The process ended, or was ended; `str` says why."""


class Identifier:
    """Identifies files one after the other, for any thread. `reader` is what Python is to run.

    Its process is started when it is needed; after `close` another is. Raises FormatsUnavailable
    where there is nothing to identify with.
    """

    def __init__(self, limits: Limits = LIMITS, reader: Sequence[str] = _READER) -> None:
        self._limits, self._reader = limits, reader
        self._process: subprocess.Popen[bytes] | None = None
        self._watchdog: _Watchdog | None = None
        self._tool = ""
        self._left = 0
        self._asking = Lock()

    def get_ready(self) -> None:
        """Start its process before there is a file: it reads its signatures for a while."""
        with self._asking:
            if self._process is None:
                self._begin()

    def identify(self, path: Path, *, is_cut: bool = False) -> Format:
        """Return the format of a file. `is_cut` is noted with it."""
        (found,) = self.identify_all([(path, is_cut)])
        return found

    def identify_all(self, files: Sequence[tuple[Path, bool]]) -> Sequence[Format]:
        """Return the formats of files, each of which has been cut or not, asked for at once.

        For many small ones that takes much less than to ask for each.
        """
        with self._asking:
            try:
                answers = self._asked([path for path, _ in files]) if len(files) > 1 else ()
            except _Ended:  # by one of them: that one has no format, the others have
                self._end()
                answers = ()
            if answers:
                return [
                    self._format(found, is_cut=is_cut)
                    for found, (_, is_cut) in zip(answers, files, strict=True)
                ]
            return [self._identified(path, is_cut=is_cut) for path, is_cut in files]

    def hurry(self) -> None:
        """End its process although it is asked something: who asks that waits no longer."""
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End its process."""
        with self._asking:
            self._end()

    def _identified(self, path: Path, *, is_cut: bool) -> Format:
        why = ""
        for _ in range(_TRIES):
            try:
                (found,) = self._asked([path])
            except _Ended as error:
                self._end()
                why = str(error)
                continue
            return self._format(found, is_cut=is_cut)
        return Format("", warning=why, tool=self._tool, identified=iso_now(), is_cut=is_cut)

    def _format(self, found: _Answer, *, is_cut: bool) -> Format:
        tool = f"{self._tool}, {found.signatures}".removesuffix(", ")
        fields = found.model_dump(exclude={"signatures"})
        return Format(**fields, tool=tool, identified=iso_now(), is_cut=is_cut)

    def _asked(self, paths: Sequence[Path]) -> Sequence[_Answer]:
        """Return what the process says of each. Raises _Ended."""
        if self._process is None or self._left <= 0:
            self._begin()
        self._left -= len(paths)
        line = self._answer([str(path) for path in paths], _MOST_ANSWER * len(paths))
        try:
            answers = _ANSWERS.validate_json(line)
        except ValidationError:
            answers = []
        if len(answers) != len(paths):
            raise _Ended(tr("the identifying process returned an invalid answer"))
        return answers

    def _begin(self) -> None:
        """Start a process. Raises FormatsUnavailable."""
        self._end()
        if lacking := why_unavailable():
            raise FormatsUnavailable(lacking)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
                [sys.executable, *self._reader],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**environment(), **_OF_GO},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            words = tr("The identifying process cannot be started: {reason}.")
            raise FormatsUnavailable(words.format(reason=error.strerror or error)) from error
        self._watchdog = _Watchdog(self._process, self._limits.time_s)
        self._left = _MOST_FILES
        limits = {"cpu_s": self._limits.cpu_s, "memory_bytes": self._limits.memory_bytes}
        try:
            greeting = json.loads(self._answer(limits, _MOST_ANSWER))
            self._tool = str(greeting.get("tool", ""))[:100]
        except _Ended as error:
            self._end()
            words = tr("Formats are not identified: {reason}.", reason=error)
            raise FormatsUnavailable(words) from error

    def _answer(self, question: object, most: int) -> bytes:
        """Return the line that answers a question, of `most` bytes. Raises _Ended."""
        process, watchdog = self._process, self._watchdog
        if process is None or process.stdin is None or process.stdout is None or watchdog is None:
            raise _Ended(tr("the identifying process has no pipes"))
        with watchdog:
            with suppress(BrokenPipeError, OSError):  # it ended; that there is no answer says so
                process.stdin.write(json.dumps(question).encode() + b"\n")
                process.stdin.flush()
            line = process.stdout.readline(most)
        if line.endswith(b"\n"):
            return line
        if watchdog.is_late:
            seconds = int(self._limits.time_s)
            raise _Ended(tr("identifying it took longer than {seconds} seconds", seconds=seconds))
        process.kill()
        code = process.wait()
        raise _Ended(
            tr("the identifying process ended unexpectedly (exit status {code})", code=code)
        )

    def _end(self) -> None:
        process, self._process = self._process, None
        if self._watchdog is not None:
            self._watchdog.end()
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was to be written there is lost with the process
                    pipe.close()
        process.wait()


class _Watchdog:
    """Kills a process that lets a question wait for too long, by one thread for all questions; a
    thread for each would take as long as the answer. `is_late` says that it did.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        self._process, self._seconds = process, seconds
        self._due: float | None = None  # None while nothing is asked
        self._has_ended = Event()
        self.is_late = False
        Thread(target=self._watch, name="carrel-formats", daemon=True).start()

    def __enter__(self) -> None:
        self._due = monotonic() + self._seconds

    def __exit__(self, *exc: object) -> None:
        self._due = None

    def end(self) -> None:
        """Watch no more."""
        self._has_ended.set()

    def _watch(self) -> None:
        while not self._has_ended.wait(min(1.0, self._seconds / 4)):
            due = self._due
            if due is not None and monotonic() > due:
                self.is_late = True
                with suppress(ProcessLookupError):
                    self._process.kill()
                return
