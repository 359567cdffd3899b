# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the runs of the dark archive read and keep, and how: the paper's parameters, and ours."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from carrel.dark_archive import config_lines
from carrel.dark_archive.config_lines import Line, read_lines
from carrel.errors import ConfigError
from carrel.model.dark import Links
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.whole_file import replace_file

_LARGEST_FILE = MEBIBYTE
_PAPERS_NAMES = {"redif_directory": "ReDIF_directory"}
_HEAD = (
    "# What the harvests of this dark archive read and store: one setting per line, name = value.\n"
)


@dataclass(frozen=True, slots=True)
class GatheringConfig:
    """`redif_directory` is where RePEc's data lie, `object_store` where objects are kept; None for
    none, and for the usual place.

    A full text is requested again after `every_days` (0: in each run). What speaks for a loss is
    believed when a second look says so `confirm_after_days` later (0: at once, as in the paper).
    Files up to `max_file_size` bytes are fetched, each host being left alone for `min_interval_s`
    between two requests; with `private_networks` hosts of the own network may be asked too. A run
    goes on under a further number after `batch_objects` new objects. `links` shows redirects in the
    store's folders: as small text files, as symlinks where the file system has them, or not.
    """

    redif_directory: Path | None = None
    object_store: Path | None = None
    full_texts: bool = True
    every_days: float = 0
    confirm_after_days: float = 7
    max_file_size: int = 512 * MEBIBYTE
    min_interval_s: float = 1.0
    private_networks: bool = False
    batch_objects: int = 10_000
    links: Links = Links.NO


def read_config(path: Path) -> GatheringConfig:
    """Return what a configuration file says; what it leaves out is as by default.

    Paths are absolute; relative ones are meant from the file's folder on. Raises ConfigError with
    all that is wrong, each with its line, its key, and the nearest key that there is.
    """
    return _understood(path, _text(path))


def write_config(path: Path, config: GatheringConfig) -> None:
    """Have the file say this: lines whose value changed are written anew, all others stay.

    Raises ConfigError, and leaves the file as it is, where it cannot be understood or written.
    """
    text = _text(path) if path.exists() else _HEAD
    said = _understood(path, text)
    changed = {
        each.name: getattr(config, each.name)
        for each in fields(config)
        if getattr(config, each.name) != getattr(said, each.name)
    }
    try:
        written = "".join(_rewritten(text, changed))
    except ValueError as error:
        raise ConfigError(
            tr("{path} cannot be written: {error}.", path=path, error=error)
        ) from error
    if _understood(path, written) != config:
        raise ConfigError(tr("{path} cannot express this; its paths must be absolute.", path=path))
    _replace(path, written)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror)
        ) from error
    if len(content) > _LARGEST_FILE:
        raise ConfigError(
            tr("{path} is too large for a configuration: more than 1 MiB.", path=path)
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            tr(
                "{path}, line {line}: this is not UTF-8. Save the file as UTF-8.",
                path=path,
                line=line,
            )
        ) from error


def _understood(path: Path, text: str) -> GatheringConfig:
    reading = _Reading(path)
    for line in read_lines(text):
        reading.take(line)
    return reading.config()


class _Reading:
    """Gathers what the lines of a file say, and all that is wrong with them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._readers = _readers(path.absolute().parent)
        self._said: dict[str, tuple[int, Any]] = {}
        self._faults: list[str] = []

    def take(self, line: Line) -> None:
        key = _key(line.name)
        if line.name and key not in self._readers:
            self._fault(line, _unknown(line.name))
        elif line.fault:
            self._fault(line, line.fault)
        elif key in self._said:
            self._fault(line, tr("it is already in line {said}", said=self._said[key][0]))
        elif line.name:
            try:
                self._said[key] = (line.number, self._readers[key](line.value))
            except ValueError as error:
                self._fault(
                    line, tr("“{value}” is not valid; {error}", value=line.value[:100], error=error)
                )

    def config(self) -> GatheringConfig:
        """Raises ConfigError."""
        config = GatheringConfig(**{key: value for key, (_, value) in self._said.items()})
        if config.redif_directory and config.object_store:
            self._check_apart(config.redif_directory, config.object_store)
        if self._faults:
            raise ConfigError("\n".join(self._faults))
        return config

    def _check_apart(self, source: Path, store: Path) -> None:
        one, other = os.path.normpath(source), os.path.normpath(store)
        if Path(one).is_relative_to(other) or Path(other).is_relative_to(one):
            self._faults.append(
                tr(
                    "{path}: ReDIF_directory and object_store are nested; a harvest would read "
                    "its own store. Choose separate folders.",
                    path=self._path,
                )
            )

    def _fault(self, line: Line, sentence: str) -> None:
        key = tr(", key “{name}”", name=line.name[:100]) if line.name else ""
        self._faults.append(
            tr(
                "{path}, line {number}{key}: {sentence}.",
                path=self._path,
                number=line.number,
                key=key,
                sentence=sentence,
            )
        )


def _readers(folder: Path) -> Mapping[str, Callable[[str], Any]]:
    return {
        "redif_directory": config_lines.path_in(folder),
        "object_store": config_lines.path_in(folder),
        "full_texts": config_lines.yes_or_no,
        "every_days": config_lines.number,
        "confirm_after_days": config_lines.number,
        "max_file_size": config_lines.size,
        "min_interval_s": config_lines.number,
        "private_networks": config_lines.yes_or_no,
        "batch_objects": config_lines.count,
        "links": config_lines.links,
    }


def _key(name: str) -> str:
    return name.lower().replace("-", "_")


def _unknown(name: str) -> str:
    known = [each.name for each in fields(GatheringConfig)]
    nearest = get_close_matches(_key(name)[:100], known, 1)
    names = [_PAPERS_NAMES.get(each, each) for each in nearest or known]
    hint = (
        tr("did you mean “{names}”?", names=names[0])
        if nearest
        else tr("there are {names}", names=", ".join(names))
    )
    return tr("unknown key; {hint}", hint=hint)


def _rewritten(text: str, changed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a text with changed values. Raises ValueError."""
    left = dict(changed)
    last = "\n"
    for line in read_lines(text):
        key = _key(line.name)
        if key not in left:
            yield (last := line.text)
        elif (value := left.pop(key)) is not None:
            yield (last := f"{line.begin}{_written(value)}{line.end}")
    if left and not last.endswith(("\n", "\r")):
        yield "\n"
    for key, value in left.items():
        yield f"{_PAPERS_NAMES.get(key, key)} = {_written(value)}\n"


def _written(value: Path | bool | float) -> str:
    if isinstance(value, Path):
        return config_lines.quoted(str(value))
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def _replace(path: Path, text: str) -> None:
    target = path.resolve()  # a link stays one
    try:
        replace_file(target, text.encode())
    except OSError as error:
        raise ConfigError(
            tr("{path} cannot be written: {strerror}.", path=path, strerror=error.strerror)
        ) from error
