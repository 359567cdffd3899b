# SPDX-License-Identifier: AGPL-3.0-or-later
"""The configuration's lines and their values: `name = value`, as TOML, YAML and INI have it alike.

What looks the same in all three is read; of the rest only what can not be taken for something else.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

_SECTION = re.compile(r"\s*(?:\[\s*(?P<name>[^\]]*?)\s*\]|dark[_-]archive\s*:)\s*(?:#.*)?", re.I)
_EMPTY = re.compile(r"\s*(?:[#;].*|---)?\s*")
_PAIR = re.compile(
    r"""(?P<begin>\s*["']?(?P<name>[^\s=:#"'][^=:#"']*?)["']?\s*[=:]\s*)(?P<rest>.*)"""
)
_BARE = re.compile(r"(?P<value>(?:[^\s#]|\s+(?!#)\S|(?<=\S)#)*)(?P<end>(?:\s+|(?<!\S))(?:#.*)?|)")
# A backslash stands for itself, as in C:\data, unless before another one or a quote.
_DOUBLE = re.compile(r'"(?P<value>(?:[^"\\]|\\.)*)"(?P<end>\s*(?:#.*)?)')
_SINGLE = re.compile(r"'(?P<value>(?:[^']|'')*)'(?P<end>\s*(?:#.*)?)")

_SIZE = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?)\s*([A-Za-z]*)")
_UNITS: Mapping[str, int] = {
    **{"": 1, "b": 1, "byte": 1, "bytes": 1},
    **{"kb": 1000, "mb": 1000**2, "gb": 1000**3, "tb": 1000**4},
    **{"kib": 1024, "mib": 1024**2, "gib": 1024**3, "tib": 1024**4},
}
_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# A hundred years, in seconds too.
_LARGEST = 100 * 366 * 86_400


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
    """Return a value as it is written. Raises ValueError for one that a line can not hold."""
    if _CONTROL.search(value):
        raise ValueError(f"{value!r} has characters that can not be written")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def path_in(folder: Path) -> Callable[[str], Path]:
    """Return what reads paths, of which relative ones are meant from a folder on."""

    def read(value: str) -> Path:
        if _CONTROL.search(value):
            raise ValueError("there are control characters in it")
        if value == "~":
            raise ValueError("your whole home directory can not be meant; name a folder in it")
        try:
            return folder / Path(value).expanduser()
        except RuntimeError as error:
            raise ValueError(f"{value.split('/')[0]} is nobody's home directory here") from error

    return read


def yes_or_no(value: str) -> bool:
    if value.lower() not in _WORDS:
        raise ValueError("it is yes or no")
    return _WORDS[value.lower()]


def number(value: str) -> float:
    """Return a number, 0 or more."""
    try:
        found = float(value)
    except ValueError:
        raise ValueError("it is a number, like 7 or 0.5") from None
    if not (math.isfinite(found) and 0 <= found <= _LARGEST):
        raise ValueError("it is a number, 0 or more, and of this world")
    return found


def count(value: str) -> int:
    """Return a whole number, 1 or more."""
    if not re.fullmatch("[0-9][0-9_]{0,15}", value) or int(value.rstrip("_")) < 1:
        raise ValueError("it is a whole number, 1 or more")
    return int(value.rstrip("_"))


def size(value: str) -> int:
    """Return a number of bytes: 1GiB is 1024³, 1GB is 1000³."""
    found = _SIZE.fullmatch(value)
    unit = _UNITS.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise ValueError("it is a number of bytes, or a size like 512MiB, 500MB, 1GiB")
    amount = float(found[1].replace("_", "")) * unit
    if not 1 <= amount < 2**63:
        raise ValueError("it is a size of 1 byte or more that a disk can have")
    return int(amount)


def _line(number: int, text: str) -> Line:
    bare = text.rstrip("\r\n")
    line_end = text[len(bare) :]
    if _EMPTY.fullmatch(bare):
        return Line(number, text)
    if section := _SECTION.fullmatch(bare):
        return Line(number, text, fault=_section_fault(section["name"]))
    pair = _PAIR.fullmatch(bare)
    if pair is None:
        fault = "this is neither “name = value” nor a comment, which begins with #"
        return Line(number, text, fault=fault)
    rest = pair["rest"]
    kind = {'"': _DOUBLE, "'": _SINGLE}.get(rest[:1], _BARE)
    found = kind.fullmatch(rest)
    if found is None:
        fault = "the quotes do not end where the value does; in double quotes \\\\ stands for \\"
        return Line(number, text, pair["name"], fault=fault)
    value = _meant(kind, found["value"])
    fault = "" if value else "there is no value"
    return Line(number, text, pair["name"], value, pair["begin"], found["end"] + line_end, fault)


def _section_fault(name: str | None) -> str:
    if name is None or name.lower().replace("-", "_") == "dark_archive":
        return ""
    return f"there is no section “{name}”, only [dark_archive], which can be left out"


def _meant(kind: re.Pattern[str], value: str) -> str:
    if kind is _DOUBLE:
        return re.sub(r'\\([\\"])', r"\1", value)
    return value.replace("''", "'") if kind is _SINGLE else value
