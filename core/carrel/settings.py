# SPDX-License-Identifier: AGPL-3.0-or-later
"""Settings in typed sections, read from TOML. Nothing secret belongs here.

The file is `settings.toml` in the archive folder, so that an archive behaves alike wherever it is
opened. Every key may be left out; the defaults below are the documentation.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from carrel.errors import SettingsError
from carrel.model.sizes import GIBIBYTE, MEBIBYTE


@dataclass(frozen=True, slots=True)
class Limits:
    """What an ingest may not exceed; checked before anything is fetched (sandcrawler's values)."""

    max_total_size: int = 64 * GIBIBYTE
    max_file_count: int = 200


@dataclass(frozen=True, slots=True)
class Strategy:
    """Thresholds of the choice, in bytes and files.

    `web_file_max_size` is sandcrawler's 64 MiB; the other two are those of the ingest proposal
    (20 files, 1 GB). They decide between web and archive.org where both can be had. From
    `bundle_from_file_count` files on a platform's own bundle is taken, where it has one.
    """

    web_file_max_size: int = 64 * MEBIBYTE
    web_total_max_size: int = 1_000_000_000
    web_max_file_count: int = 20
    bundle_from_file_count: int = 1000


@dataclass(frozen=True, slots=True)
class Network:
    """`contact` (an address or a page of your institution) is told to every server.

    Times are in seconds. `transfers` is how many files are fetched at once, `attempts` how often
    one is tried while trying again may help.

    `per_host` is how many files are fetched from one host at once, and how many questions its
    interface is asked beside them. Questions keep a distance of `api_interval_s` on average (0 for
    none; there is none on this machine). A pause that a server asks for is kept up to
    `longest_pause_s`; a longer one ends the transfer. One that brings less than `min_rate` bytes
    per second over `timeout_s` is broken off and tried again (0: only silence ends it).
    """

    contact: str = field(default="", metadata={"pattern": r"[\x20-\x7e]*"})
    timeout_s: float = 60.0
    connect_timeout_s: float = 20.0
    transfers: int = 2
    attempts: int = 4
    ingests: int = 2
    per_host: int = 2
    api_interval_s: float = field(default=1.0, metadata={"may_be_zero": True})
    longest_pause_s: float = 3600.0
    min_rate: int = field(default=1024, metadata={"may_be_zero": True})


@dataclass(frozen=True, slots=True)
class Wayback:
    """Save Page Now and the Wayback Machine's index, at `url`.

    `max_file_count` is how many files of one dataset are brought there (sandcrawler's 20);
    `poll_s` and `patience_s` are how often, in seconds, and how long a capture is asked after.
    """

    url: str = field(default="https://web.archive.org", metadata={"pattern": r"https?://[^\s/]+"})
    max_file_count: int = 20
    poll_s: float = 3.0
    patience_s: float = 600.0


@dataclass(frozen=True, slots=True)
class ArchiveOrg:
    """archive.org, at `url`; its upload interface is at `s3_url`.

    `collection` is where items go; `test` puts them into the test collection instead, from which
    archive.org removes them after about thirty days. `by_rule` lets the chooser send large datasets
    there without being asked for each, once keys are stored.
    """

    url: str = field(default="https://archive.org", metadata={"pattern": r"https?://[^\s/]+"})
    s3_url: str = field(
        default="https://s3.us.archive.org", metadata={"pattern": r"https?://[^\s/]+"}
    )
    collection: str = field(default="opensource", metadata={"pattern": r"[A-Za-z0-9_.-]+"})
    test: bool = False
    by_rule: bool = False


@dataclass(frozen=True, slots=True)
class Warc:
    """`max_size` in bytes is where a WARC is closed and the next begun; a larger record is alone.

    `operator` and `host` stand in each WARC's name and head; the machine's own name is not told.
    """

    max_size: int = 1 * GIBIBYTE
    operator: str = field(default="", metadata={"pattern": r"[^\x00-\x1f\x7f]*"})
    host: str = field(default="carrel", metadata={"pattern": r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}"})


@dataclass(frozen=True, slots=True)
class Mementos:
    """`private_networks` lets captures of the live web be made inside the institution's network."""

    private_networks: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    limits: Limits = field(default_factory=Limits)
    strategy: Strategy = field(default_factory=Strategy)
    network: Network = field(default_factory=Network)
    warc: Warc = field(default_factory=Warc)
    wayback: Wayback = field(default_factory=Wayback)
    archiveorg: ArchiveOrg = field(default_factory=ArchiveOrg)
    mementos: Mementos = field(default_factory=Mementos)


# Some editors begin a text with a byte order mark, which TOML does not know.
_ENCODING = "utf-8-sig"
# A hundred days; systems do not count the milliseconds of much longer times.
_LONGEST_S = 8_640_000

_SECTIONS = {
    "limits": Limits,
    "strategy": Strategy,
    "network": Network,
    "warc": Warc,
    "wayback": Wayback,
    "archiveorg": ArchiveOrg,
    "mementos": Mementos,
}


def load(path: Path) -> Settings:
    """Return the settings in this file, the defaults if there is none.

    Raises SettingsError with the file, the section and the key, and the nearest known key.
    """
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        raise SettingsError(f"{path} can not be read: {error.strerror or error}.") from error
    return _understood(text, path)


def _understood(text: bytes, path: Path) -> Settings:
    """Return the settings that a text stands for. Raises SettingsError."""
    try:
        content = tomllib.loads(text.decode(_ENCODING))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}. It was left as it is.") from error
    for name in content:
        _check_known(path, "section", name, _SECTIONS)
    sections: dict[str, Any] = {
        name: _section(path, name, kind, content.get(name, {})) for name, kind in _SECTIONS.items()
    }
    return Settings(**sections)


def save(path: Path, changes: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Write changed values, by section and key, and return the settings as they are then.

    Comments and everything else in the file stay as they are; None takes a key out, so that its
    default holds again. Raises SettingsError, and OSError, and leaves the file alone then.
    """
    import tomlkit  # only who changes settings needs it

    load(path)  # what can not be understood is not written over
    text = path.read_text(encoding=_ENCODING) if path.exists() else ""
    document = tomlkit.parse(text)
    for name, values in changes.items():
        section = document.setdefault(name, tomlkit.table())
        for key, value in values.items():
            if value is None:
                section.pop(key, None)
            else:
                section[key] = value
    changed = tomlkit.dumps(document).encode()
    settings = _understood(changed, path)
    fresh = path.with_suffix(".toml.tmp")
    fresh.write_bytes(changed)
    fresh.replace(path)
    return settings


def _section(path: Path, name: str, kind: type[Any], content: Any) -> Any:
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: “{name}” must be a section, [{name}].")
    known = {each.name: each for each in fields(kind)}
    for key, value in content.items():
        _check_known(path, f"key in [{name}]", key, known)
        _check_value(path, f"{name}.{key}", value, known[key])
    return kind(**content)


def _check_known(path: Path, what: str, name: str, known: Mapping[str, Any]) -> None:
    if name in known:
        return
    nearest = get_close_matches(name, known, 1)
    hint = f" Did you mean “{nearest[0]}”?" if nearest else f" Known: {', '.join(known)}."
    raise SettingsError(f"{path}: there is no {what} called “{name}”.{hint}")


def _check_value(path: Path, key: str, value: Any, declared: "Field[Any]") -> None:
    default = declared.default
    wanted: Any = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, bool) != isinstance(default, bool) or not isinstance(value, wanted):
        kind = {str: "a text", bool: "true or false"}.get(type(default), "a number")
        raise SettingsError(f"{path}: {key} must be {kind}, not {value!r}.")
    if isinstance(value, str):
        pattern = declared.metadata["pattern"]
        if not re.fullmatch(pattern, value):
            raise SettingsError(f"{path}: {key} can not be {value!r}; it must match {pattern}.")
    elif not isinstance(value, bool):
        _check_number(path, key, value, may_be_zero="may_be_zero" in declared.metadata)


def _check_number(path: Path, key: str, value: float, *, may_be_zero: bool) -> None:
    if math.isinf(value) or not (value > 0 or (may_be_zero and value == 0)):
        least = "0 or more" if may_be_zero else "more than 0"
        raise SettingsError(f"{path}: {key} must be {least} and finite, not {value!r}.")
    if key.endswith("_s") and value > _LONGEST_S:
        raise SettingsError(f"{path}: {key} can be {_LONGEST_S} seconds at the most.")
