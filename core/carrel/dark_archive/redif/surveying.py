# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a careful reader finds in a ReDIF file: its handles and addresses, and all that is wrong."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from carrel.dark_archive.redif.checks import Checks
from carrel.dark_archive.redif.encodings import Encoding
from carrel.dark_archive.redif.flaws import Flaw, Problem
from carrel.dark_archive.redif.problems import Problems, quoted
from carrel.dark_archive.redif.reader import Reading
from carrel.dark_archive.redif.stretches import Stretch
from carrel.dark_archive.redif.template import template_of

_HTML_LINE_BREAK = re.compile(r"<br\s*+/?>[ \t]*+\n", re.IGNORECASE)

Keep = Callable[[Sequence[str], Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Survey:
    """How much there is in a file, and what is wrong with it, by line."""

    templates: int
    handles: int
    addresses: int
    problems: Sequence[Problem]


def survey(
    reading: Reading, keep: Keep, path: str = "", elsewhere: dict[int, str] | None = None
) -> Survey:
    """Go through a file and return what was found.

    `elsewhere` are the handles of files that were gone through before; those of this one, at
    `path`, are added to them.

    `keep` gets the handles, and the addresses that are not empty, some at a time and in their
    order. Raises OSError.
    """
    if reading.flaw is not None and reading.problem is not None:
        return Survey(0, 0, 0, [Problem(reading.flaw, None, reading.problem)])
    return _Surveyor(reading, keep, path, {} if elsewhere is None else elsewhere).survey()


class _Surveyor:
    def __init__(self, reading: Reading, keep: Keep, path: str, elsewhere: dict[int, str]) -> None:
        self._reading, self._keep, self._path = reading, keep, path
        self._problems = Problems()
        self._checks = Checks(self._problems, elsewhere)
        self._templates = self._handles = self._addresses = 0

    def survey(self) -> Survey:
        self._encoding()
        for stretch in self._reading.stretches():
            self._lines(stretch)
            self._bodies(stretch)
        self._ends()
        self._checks.end(self._path)
        problems = self._problems.closed()
        return Survey(self._templates, self._handles, self._addresses, problems)

    def _bodies(self, stretch: Stretch) -> None:
        handles: list[str] = []
        addresses: list[str] = []
        for number, body in enumerate(stretch.bodies):
            template = template_of(body, self._templates + number)
            handle, there = template.handle, template.addresses()
            if handle is not None:
                handles.append(handle)
            self._checks.look(stretch, number, template, handle)
            if there:
                addresses += filter(None, there)
                self._checks.look_at_addresses(stretch, number, template, there)
        self._templates += len(stretch.bodies)
        self._handles += len(handles)
        self._addresses += len(addresses)
        self._keep(handles, addresses)

    def _lines(self, stretch: Stretch) -> None:
        """Note what is wrong with lines, whatever stands in them."""
        add_once = self._problems.add_once
        if stretch.head.strip():
            message = f"Text before the first Template-Type is ignored: {quoted(stretch.head)}"
            add_once(Flaw.TEXT_BEFORE, message, stretch.line_of_head)
        if (line := stretch.line_of(_HTML_LINE_BREAK)) is not None:
            message = "Lines end in <br />, which is HTML; remove it."
            add_once(Flaw.HTML_LINE_BREAKS, message, line)
        if stretch.has_marks:
            message = (
                "There is a byte order mark within the text, as if files had been concatenated."
            )
            add_once(Flaw.MARK_INSIDE, message)
        if stretch.has_nul:
            add_once(Flaw.NUL, "The text contains NUL characters; many programs stop at them.")
        if stretch.is_cut:
            message = "The last template here is too long; its end was not read."
            last = partial(stretch.line, len(stretch.bodies) - 1)
            self._problems.add(Flaw.TOO_LONG, message, last)

    def _encoding(self) -> None:
        encoding, expected = self._reading.encoding, self._reading.convention
        if expected is None:
            return
        message = (
            f"The file is {encoding}; RePEc reads it as {expected} and shows accents garbled. All "
            "tools read UTF-8 with a byte order mark correctly."
        )
        self._problems.add(Flaw.ENCODING, message)

    def _ends(self) -> None:
        """Note what is known when the whole file was read."""
        if self._reading.are_line_ends_mixed:
            message = "Line endings are mixed; all were accepted."
            self._problems.add(Flaw.MIXED_LINE_ENDS, message)
        if self._reading.is_damaged:
            is_utf_8 = self._reading.encoding is Encoding.UTF_8_SIG
            taken = "were taken as windows-1252" if is_utf_8 else "cannot be told"
            message = f"Bytes that are not valid {self._reading.encoding} {taken}."
            self._problems.add(Flaw.DAMAGED_TEXT, message)
