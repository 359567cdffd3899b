# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading TOML so that whoever wrote it finds the fault: by file, line and column."""

import re
import tomllib
from pathlib import Path
from typing import Any

from carrel.errors import SettingsBroken
from carrel.translation import tr

# Some editors begin a text with a byte order mark, which TOML does not know.
ENCODING = "utf-8-sig"
# What tomllib says of the place, at the end of its message.
_AT = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)
_AT_END = re.compile(r"(.*) \(at end of document\)", re.DOTALL)


def parsed(content: bytes, path: Path) -> dict[str, Any]:
    """Return what a TOML text says. Raises SettingsBroken with the place of the first fault."""
    try:
        text = content.decode(ENCODING)
    except UnicodeDecodeError as error:
        what = tr("its bytes are no text in UTF-8")
        raise _broken(path, _place(error.object[: error.start].decode()), what) from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(path, *_located(str(error), text)) from error
    except RecursionError as error:
        raise _broken(path, "", tr("it is nested too deeply")) from error


def _located(message: str, text: str) -> tuple[str, str]:
    """Return in words where a fault is, "" if that is not said, and what it is."""
    if found := _AT.fullmatch(message):
        return _in_words(found[2], found[3]), found[1]
    if found := _AT_END.fullmatch(message):
        return _place(text), found[1]
    return "", message


def _place(before: str) -> str:
    """Return in words the place behind a text; lines and columns count from 1."""
    before = before.replace("\r\n", "\n")
    return _in_words(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _in_words(line: int | str, column: int | str) -> str:
    return tr(", line {line}, column {column},", line=line, column=column)


def _broken(path: Path, place: str, what: str) -> SettingsBroken:
    return SettingsBroken(
        tr(
            "{path}{place} is not valid TOML: {what}. It was left as it is; correct it, or rename "
            "it to continue without it.",
            path=path,
            place=place,
            what=what,
        ),
        path,
    )
