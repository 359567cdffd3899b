# SPDX-License-Identifier: AGPL-3.0-or-later
"""The one way in which a module without widgets has its texts in the person's language."""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from PySide6.QtCore import QCoreApplication

C = TypeVar("C")


def translator(context: str) -> Callable[[str], str]:
    """Return what translates texts of a context."""

    def translated(text: str) -> str:
        return QCoreApplication.translate(context, text)

    return translated


class Words(Generic[C]):
    """Codes of the core in words, each marked for translation where it is written."""

    def __init__(self, context: str, words: Mapping[C, object]) -> None:
        self._tr, self._words = translator(context), words

    def __contains__(self, code: object) -> bool:
        return code in self._words

    def __iter__(self) -> Iterator[C]:
        return iter(self._words)

    def __call__(self, code: C) -> str:
        """Return a code in the person's language."""
        return self._tr(str(self._words[code]))
