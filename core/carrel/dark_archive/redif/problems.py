# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of what is wrong in one file, as long as a person reads it."""

from collections.abc import Callable, Sequence

from carrel.dark_archive.redif.flaws import Flaw, Problem

_MOST = 100
_QUOTED_CHARS = 80


class Problems:
    """Problems of a file. The first hundred are listed, the others counted."""

    def __init__(self) -> None:
        self._listed: list[Problem] = []
        self._told: set[tuple[Flaw, str]] = set()
        self._unlisted = 0

    def add(self, code: Flaw, message: str, line: Callable[[], int] | None = None) -> None:
        """Add a problem; `line` is asked only if it will be shown."""
        if len(self._listed) < _MOST:
            self._listed.append(Problem(code, line() if line else None, message))
        else:
            self._unlisted += 1

    def add_once(
        self, code: Flaw, message: str, line: Callable[[], int] | None = None, *, of: str = ""
    ) -> None:
        """Add a problem that is told once in a file, or once of something."""
        if (code, of) in self._told or len(self._told) > _MOST:
            return
        self._told.add((code, of))
        self.add(code, message, line)

    def closed(self) -> Sequence[Problem]:
        """Return the problems by line, those of the whole file first, and how many more."""
        problems = sorted(self._listed, key=lambda problem: problem.line or 0)
        if self._unlisted:
            message = f"{self._unlisted:,} more problems of this file are not listed."
            problems.append(Problem(Flaw.MORE, None, message))
        return problems


def quoted(text: str) -> str:
    """Return a text from a file as a message quotes it."""
    text = " ".join(text[: 2 * _QUOTED_CHARS].split())
    return f"“{text}”" if len(text) <= _QUOTED_CHARS else f"“{text[:_QUOTED_CHARS]}…”"
