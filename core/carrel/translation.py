# SPDX-License-Identifier: AGPL-3.0-or-later
"""Text that people read, in their language: every sentence, label and title goes through `tr`.

The language is that of the environment (GNU gettext: LANGUAGE, LC_ALL, LC_MESSAGES, LANG) or what
CARREL_LANGUAGE names, and it stays as long as the process. Texts that tables hold are therefore
translated where they are written. `make messages` collects all of them; a catalogue is at
`locale/LANGUAGE/LC_MESSAGES/carrel.mo` beside this module.

English needs no catalogue. Not translated: what archives hold (WARCs, the journal, README.txt),
names that programs rely on (JSON, status words, options), and logs.

Two languages prove that nothing is missed or cut. "x-long" accents all that is translated and makes
it a third longer, between brackets; "x-mirrored" writes it from right to left.
"""

import os
import re
from pathlib import Path
from typing import Protocol

LANGUAGE = "CARREL_LANGUAGE"
DOMAIN = "carrel"
FOLDER = Path(__file__).with_name("locale")
# ISO 639 codes of languages whose scripts run from right to left.
_RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ps", "ug", "ur", "yi", "x-mirrored"})
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# What stays as it is in a language that is made up: values, tags, entities.
_FIXED = re.compile(r"(\{[^{}]*\}|</?[A-Za-z][^<>]*>|&[a-z]+;|\n)")
_ACCENTED = str.maketrans("AEIOUYaeiouycdhlnrstzCDHLNRSTZ", "ÀËÎÕÛŸàëîõûÿçďĥľñŕšťžÇĎĤĽÑŔŠŤŽ")
_TO_RIGHT, _END = "\u202e", "\u202c"


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


class _Long:
    """English with accents, a third longer, between brackets that show where a text is cut."""

    def gettext(self, message: str) -> str:
        if not message.strip():
            return message
        parts = _FIXED.split(message)
        accented = "".join(
            part if number % 2 else part.translate(_ACCENTED) for number, part in enumerate(parts)
        )
        return f"⟦{accented}{'~' * (len(message) // 3)}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


class _Mirrored:
    """English that is written from right to left."""

    def gettext(self, message: str) -> str:
        return f"{_TO_RIGHT}{message}{_END}" if message.strip() else message

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
            return name, _Long()
        if name == "x-mirrored":
            return name, _Mirrored()
        short = name.partition(".")[0]
        if short in ("", "C", "POSIX") or short.startswith("en"):
            return None, None
        if FOLDER.is_dir():
            import gettext  # only now: English is usual, and commands are short

            try:
                return short, gettext.translation(DOMAIN, FOLDER, [short])
            except OSError:
                continue
    return None, None


_language, _catalogue = _found()
