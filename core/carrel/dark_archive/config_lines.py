# SPDX-License-Identifier: AGPL-3.0-or-later
"""The configuration's lines and their values: `name = value`, as TOML, YAML and INI have it alike.

What looks the same in all three is read; of the rest only what cannot be taken for something else.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from carrel.model.dark import Links
from carrel.translation import tr

_LONGEST = 10_000
_SEPARATOR = re.compile("[=:]")
_SECTION = re.compile(r"\[([^\[\]]*)\]\s*(?:#.*)?")
_COMMENT = re.compile(r"(?<!\S)#")
# A backslash stands for itself, as in C:\data, unless before another one or a quote.
_DOUBLE = re.compile(r'"(?P<value>(?:[^"\\]|\\.)*)"(?P<end>\s*(?:#.*)?)')
_SINGLE = re.compile(r"'(?P<value>(?:[^']|'')*)'(?P<end>\s*(?:#.*)?)")

_COUNT = re.compile(r"[0-9]+(?:_[0-9]+)*")
_SIZE = re.compile(r"([0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?)\s*([A-Za-z]*)")
_UNITS: Mapping[str, int] = {
    **{"": 1, "b": 1, "byte": 1, "bytes": 1},
    **{"kb": 1000, "mb": 1000**2, "gb": 1000**3, "tb": 1000**4},
    **{"kib": 1024, "mib": 1024**2, "gib": 1024**3, "tib": 1024**4},
}
_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A hundred years in days; in seconds ten hours.
_LARGEST = 36_600
_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file; `fault` says why it has no `value`. Without a `name` it says nothing.

    `begin` is what stands before its value, `end` what stands behind, with the line end.
    """

    number: int
    text: str
    name: str = ""
    value: str = ""
    begin: str = ""
    end: str = ""
    fault: str = ""


def read_lines(text: str) -> list[Line]:
    """Return every line of a text, whatever its line ends."""
    return [_line(number, line) for number, line in enumerate(StringIO(text, newline=""), 1)]


def quoted(value: str) -> str:
    """Return a value as it is written. Raises ValueError for one that a line cannot hold."""
    if _CONTROL.search(value):
        raise ValueError(f"{value!r} has characters that cannot be written")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def path_in(folder: Path) -> Callable[[str], Path]:
    """Return what reads paths, of which relative ones are meant from a folder on."""

    def read(value: str) -> Path:
        if _CONTROL.search(value):
            raise ValueError("there are control characters in it")
        if value == "~":
            raise ValueError("the home directory itself is not allowed; give a folder in it")
        try:
            return folder / Path(value).expanduser()
        except RuntimeError as error:
            raise ValueError(f"unknown user {value.split('/')[0]}") from error

    return read


def yes_or_no(value: str) -> bool:
    if value.lower() not in (*_YES, *_NO):
        raise ValueError("it is yes or no")
    return value.lower() in _YES


def links(value: str) -> Links:
    try:
        return Links(value.lower())
    except ValueError:
        raise ValueError(f"it is {', '.join(Links)}") from None


def number(value: str) -> float:
    """Return a number, 0 or more."""
    try:
        found = float(value)
    except ValueError:
        raise ValueError("it is a number, like 7 or 0.5") from None
    if not (math.isfinite(found) and 0 <= found <= _LARGEST):
        raise ValueError(f"it is a number from 0 to {_LARGEST:,}")
    return found


def count(value: str) -> int:
    """Return a whole number, 1 or more."""
    if len(value) > _DIGITS or not _COUNT.fullmatch(value) or int(value) < 1:
        raise ValueError("it is a whole number, 1 or more")
    return int(value)


def size(value: str) -> int:
    """Return a number of bytes: 1GiB is 1024³, 1GB is 1000³."""
    found = _SIZE.fullmatch(value)
    unit = _UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise ValueError("it is a number of bytes, or a size like 512MiB, 500MB, 1GiB")
    amount = float(found[1].replace("_", "")) * unit
    if not 1 <= amount < 2**63:
        raise ValueError("it is a size of at least 1 byte")
    return int(amount)


def _line(number: int, text: str) -> Line:
    bare = text.rstrip("\r\n")
    said = bare.strip()
    if said in ("", "---") or said[0] in "#;":
        return Line(number, text)
    if section := _SECTION.fullmatch(said):
        return Line(number, text, fault=_section_fault(section[1].strip()))
    separator = _SEPARATOR.search(bare)
    if separator is None or len(bare) > _LONGEST:
        fault = tr("this is neither “name = value” nor a comment, which begins with #")
        return Line(number, text, fault=fault)
    rest = bare[separator.end() :].lstrip()
    begin = bare[: len(bare) - len(rest)]
    return _pair(number, text, begin, rest)


def _pair(number: int, text: str, begin: str, rest: str) -> Line:
    name = _SEPARATOR.split(begin, maxsplit=1)[0].strip().strip("\"'")
    found = _value(rest)
    if found is None:
        fault = tr("the quotes do not end where the value does; in double ones \\\\ stands for \\")
        return Line(number, text, name, fault=fault)
    value, comment = found
    if not value and _is_ours(name):
        return Line(number, text)  # as YAML begins a section
    fault = "" if value else tr("there is no value")
    end = comment + text[len(text.rstrip("\r\n")) :]
    return Line(number, text, name or "?", value, begin, end, fault)


def _value(rest: str) -> tuple[str, str] | None:
    """Return the value at the beginning of a text, and what is behind it; None if it is cut."""
    kind = {'"': _DOUBLE, "'": _SINGLE}.get(rest[:1])
    if kind is None:
        comment = _COMMENT.search(rest)
        value = (rest[: comment.start()] if comment else rest).rstrip()
        return value, rest[len(value) :]
    found = kind.fullmatch(rest)
    return (_meant(kind, found["value"]), found["end"]) if found else None


def _is_ours(name: str) -> bool:
    return name.lower().replace("-", "_") == "dark_archive"


def _section_fault(name: str) -> str:
    if _is_ours(name):
        return ""
    return tr(
        "there is no section “{name}”, only [dark_archive], which can be left out", name=name[:100]
    )


def _meant(kind: re.Pattern[str], value: str) -> str:
    if kind is _DOUBLE:
        return re.sub(r'\\([\\"])', r"\1", value)
    return value.replace("''", "'") if kind is _SINGLE else value
