# SPDX-License-Identifier: AGPL-3.0-or-later
"""Text that people read, in their language: every sentence, label and title goes through `tr`.

The language is that of the environment (GNU gettext: LANGUAGE, LC_ALL, LC_MESSAGES, LANG) or what
CARREL_LANGUAGE names, and it stays as long as the process. Texts that tables hold are therefore
translated where they are written. `make messages` collects all of them; a catalogue is at
`locale/LANGUAGE/LC_MESSAGES/carrel.mo` beside this module, or in the folder that CARREL_LOCALE
names, for translators to try theirs.

English needs no catalogue. Not translated: what archives hold (WARCs, the journal, README.txt),
names that programs rely on (JSON, status words, options), and logs.

Two languages prove that nothing is missed or cut. "x-long" accents all that is translated and makes
it a third longer, between brackets; "x-mirrored" writes it in letters that run from right to left.
"""

import os
import re
from pathlib import Path
from typing import Protocol

LANGUAGE = "CARREL_LANGUAGE"
DOMAIN = "carrel"
LOCALE = "CARREL_LOCALE"
# ISO 639 codes of languages whose scripts run from right to left.
_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ps", "ug", "ur", "yi", "x-mirrored"})
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# What stays as it is in a language that is made up: values, tags, entities.
_FIXED = re.compile(r"(\{[^{}]*\}|</?[A-Za-z][^<>]*>|&[a-z]+;|\n)")
_ACCENTED = str.maketrans("AEIOUYaeiouycdhlnrstzCDHLNRSTZ", "ÀËÎÕÛŸàëîõûÿçďĥľñŕšťžÇĎĤĽÑŔŠŤŽ")
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_HEBREW = str.maketrans(_LATIN + _LATIN.upper(), "אבגדהוזחטיכלמנסעפצקרשתךםןף" * 2)


class Catalogue(Protocol):
    """What a language has for each English text, as `gettext.NullTranslations` offers it."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...


def tr(text: str, /, **values: object) -> str:
    """Return a text in the person's language, each `{name}` in it replaced by the value.

    A text without values may have braces of its own.
    """
    return _filled(text if _catalogue is None else _catalogue.gettext(text), text, values)


def plural(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the text that fits a count, in the person's language, its values filled in."""
    english = one if count == 1 else many
    text = english if _catalogue is None else _catalogue.ngettext(one, many, count)
    return _filled(text, english, values)


def forms(one: str, many: str) -> tuple[str, str]:
    """Return two forms of a text for `plural`: the mark by which `make messages` finds them."""
    return one, many


def language() -> str | None:
    """Return the code of the language in use, None for English."""
    return _language


def is_right_to_left() -> bool:
    """Say whether the language in use is written from right to left."""
    return (_language or "").partition("_")[0] in _RIGHT_TO_LEFT


def _filled(text: str, english: str, values: dict[str, object]) -> str:
    if not values:
        return text
    try:
        return text.format(**values)
    except (KeyError, IndexError, ValueError):  # a translation that names other values
        return english.format(**values)


class _MadeUp:
    """English in other letters; what the sentences are filled with stays as it is."""

    def __init__(self, letters: dict[int, int], *, is_long: bool) -> None:
        self._letters, self._is_long = letters, is_long

    def gettext(self, message: str) -> str:
        if not message.strip():
            return message
        parts = _FIXED.split(message)
        written = "".join(
            part if number % 2 else part.translate(self._letters)
            for number, part in enumerate(parts)
        )
        # In words, so that a line can be broken there.
        return f"⟦{written}{' ~~~~' * (len(message) // 15)}~⟧" if self._is_long else written

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _wanted() -> list[str]:
    """Return the languages that the environment names, the first one preferred."""
    if chosen := os.environ.get(LANGUAGE):
        return [chosen]
    named = next((value for name in _VARIABLES if (value := os.environ.get(name))), "")
    return named.split(":")


def _found() -> tuple[str | None, Catalogue | None]:
    """Return the first language wanted that there is a catalogue of; English has none."""
    for name in _wanted():
        if name == "x-long":
            return name, _MadeUp(_ACCENTED, is_long=True)
        if name == "x-mirrored":
            return name, _MadeUp(_HEBREW, is_long=False)
        short = name.partition(".")[0]
        if short in ("", "C", "POSIX") or short.startswith("en"):
            return None, None
        folder = os.environ.get(LOCALE) or Path(__file__).with_name("locale")
        if os.path.isdir(folder):
            import gettext  # only now: English is usual, and commands are short

            try:
                return short, gettext.translation(DOMAIN, folder, [short])
            except OSError:
                continue
    return None, None


_language, _catalogue = _found()
