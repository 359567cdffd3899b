# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person answered to what archives ask for. It is remembered outside of the archives.

An answer holds for one folder and for exactly the values that were shown: others at the same place
are asked about again, and so is a copy of the archive.
"""

import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from carrel.errors import SettingsError
from carrel.model.iso_time import iso_now
from carrel.settings.person import alone, own_folder
from carrel.settings.request import Request, Value
from carrel.translation import tr
from carrel.whole_file import replace_file

log = logging.getLogger(__name__)

_LARGEST_FILE = 16 * 1024 * 1024
_VERSION = 1


class Answer(StrEnum):
    """What a person can answer to all that an archive asks for."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class _Given:
    """One answer, and the values that it was given for."""

    answer: Answer
    values: Mapping[str, Value]


class Answers:
    """The answers of one person. Several processes may read and give them at once."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or own_folder() / "archives.json"

    @property
    def path(self) -> Path:
        return self._path

    def of(self, archive: Path, requests: Sequence[Request]) -> Answer | None:
        """Return the answer that was given to exactly these requests, None if none was.

        Raises SettingsError for a file that cannot be understood: nothing counts as answered then.
        """
        given = self._read().get(_place(archive))
        if given is None or not _are_same(given.values, _values(requests)):
            return None
        return given.answer

    def give(self, archive: Path, requests: Sequence[Request], answer: Answer) -> None:
        """Remember an answer in place of earlier ones for this folder. Raises SettingsError.

        A file that cannot be understood is put aside first, and named in the log.
        """
        with alone(self._path):
            try:
                known = dict(self._read())
            except SettingsError as error:
                aside = self._path.with_suffix(".damaged.json")
                self._path.replace(aside)
                log.warning("%s It was moved to %s, and a new one is begun.", error, aside)
                known = {}
            known[_place(archive)] = _Given(answer, _values(requests))
            replace_file(self._path, _written(known), is_private=True)

    def _read(self) -> Mapping[str, _Given]:
        try:
            with self._path.open("rb") as file:
                content = file.read(_LARGEST_FILE)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            reason = error.strerror or str(error)
            raise SettingsError(
                tr("{path} cannot be read: {reason}.", path=self._path, reason=reason)
            ) from error
        try:
            return _understood(json.loads(content))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
            raise SettingsError(
                tr(
                    "{path}, which has your answers to the requests of archives, is damaged. "
                    "None of them counts; Carrel will ask you again.",
                    path=self._path,
                )
            ) from error


def _understood(content: Any) -> Mapping[str, _Given]:
    """Return the answers in a JSON value. Raises ValueError and the like for any other value."""
    if content["version"] != _VERSION:
        raise ValueError("it has another version")
    return {
        place: _Given(Answer(each["answer"]), dict(each["settings"].items()))
        for place, each in content["archives"].items()
    }


def _written(known: Mapping[str, _Given]) -> bytes:
    archives = {
        place: {"answer": str(each.answer), "settings": dict(each.values)}
        for place, each in sorted(known.items())
    }
    saved = iso_now()
    content = {"version": _VERSION, "saved": saved, "archives": archives}
    return json.dumps(content, indent=1, sort_keys=True).encode("ascii") + b"\n"


def _place(archive: Path) -> str:
    return os.path.realpath(archive)


def _values(requests: Sequence[Request]) -> Mapping[str, Value]:
    return {each.name: each.asked for each in requests}


def _are_same(given: Mapping[str, Value], asked: Mapping[str, Value]) -> bool:
    """Say whether two sets of values are one: in JSON a yes is no 1, though in Python it is."""
    return json.dumps(given, sort_keys=True) == json.dumps(asked, sort_keys=True)
