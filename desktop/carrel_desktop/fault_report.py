# SPDX-License-Identifier: AGPL-3.0-or-later
"""What someone who helps needs to know of a fault, and nothing that is only the archivist's.

No key, no name, no folder of theirs is in it: addresses lose user information and queries, paths
their beginning. It is English, for whoever reads it, and it goes to the clipboard alone.
"""

import getpass
import platform
import re
import sqlite3
import ssl
import sys
import traceback
from pathlib import Path

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QGuiApplication

from carrel import __version__, translation
from carrel.model.counts import counted
from carrel.model.job import JobState
from carrel.model.sizes import in_words
from carrel.model.standing import Standing
from carrel.model.user_information import shown

_LONGEST = 20_000
_STATES: dict[str, str] = {JobState.ASKING: "awaiting answer"}  # the others are named as they are
_QUERY = re.compile(r"(https?://[^\s?#'\"<>]*)[?#][^\s'\"<>]*")
# Whatever is as long and as mixed as a key; digests are among them, and no loss.
_KEY = re.compile(r"(?<![\w/.-])(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+=-]{24,}(?![\w/.-])")
_PATH = re.compile(r"(?<![\w:/.])(?:/|[A-Za-z]:\\)[^\s'\",:;<>|]+")
_CODE = re.compile(r"^.*?((?:carrel\w*|site-packages|lib/python[\d.]+)[/\\].*)$")


def report_of(error: BaseException | None, message: str) -> str:
    """Return the report of a fault, or of none: then it says what runs here."""
    lines = [*_versions(), "", message]
    if error is not None:
        lines += traceback.format_exception(error, limit=-30)
    return without_traces_of_the_person("\n".join(line.rstrip("\n") for line in lines))[:_LONGEST]


def without_traces_of_the_person(text: str) -> str:
    """Return a text without keys, queries, user names, and folders but those of the program."""
    text = _QUERY.sub(r"\1?…", shown(text))
    text = _PATH.sub(lambda found: _short(found[0]), text)
    text = _KEY.sub("…", text)
    home = Path.home()
    for name in {str(home), home.name, _user_name()} - {"", "root", "user"}:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", text)
    return text


def _versions() -> list[str]:
    return [
        f"Carrel {__version__}",
        f"Python {platform.python_version()} ({sys.platform}, {platform.machine()})",
        f"{platform.system()} {platform.release()}",
        f"Qt {qVersion()}, PySide6 {pyside_version}, {QGuiApplication.platformName()}",
        f"Language: {translation.language() or 'en'}, locale {QLocale().name()}",
        f"SQLite {sqlite3.sqlite_version}, {ssl.OPENSSL_VERSION}",
    ]


def archive_in_words(standing: Standing, read_only_because: str) -> str:
    """Return how an archive stands, in numbers: nothing of what is in it."""
    figures, room = standing.figures, standing.room
    held = figures.held
    counts = [*figures.queue.items(), ("on hold", figures.on_hold)]
    jobs = ", ".join(f"{count} {_STATES.get(state, state)}" for state, count in counts if count)
    lines = [
        f"Archive: {counted(held.datasets, 'dataset')}, {counted(held.files, 'file')}, "
        f"{in_words(held.size_bytes)}",
        f"{figures.damaged} damaged, {figures.incomplete} incomplete",
        f"Queue: {jobs or 'empty'}",
        f"Free: {in_words(room.free_bytes) if room else 'unknown'}",
    ]
    if read_only_because:
        lines.append(f"Open for reading only: {read_only_because}")
    return without_traces_of_the_person("\n".join(lines))


def _short(path: str) -> str:
    """Return a path from the program's own folder on; of others no more than the ending."""
    code = _CODE.match(path)
    if code is not None and path.endswith(".py"):
        return f"…/{code[1]}"
    return f"…{Path(path).suffix}"


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
