# SPDX-License-Identifier: AGPL-3.0-or-later
"""What holds for an archive: the defaults, the person's own configuration, the archive's file.

An archive decides what is its own. Of what is the person's it may ask for less than holds anyway;
for anything else the person is asked, and until then the person's own configuration holds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from carrel.errors import SettingsError
from carrel.settings.answers import Answer, Answers
from carrel.settings.file import SETTINGS_NAME, Said, load, read, with_said
from carrel.settings.links import FOLDERS, linked_parts
from carrel.settings.person import own_file
from carrel.settings.request import Request, Value
from carrel.settings.sections import SECTIONS, Settings, declarations, is_gentler, is_personal


class Origin(StrEnum):
    """Who says what a setting is."""

    DEFAULT = "default"
    OWN = "own"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class InForce:
    """The settings that hold for an archive, and what it asks for beyond them.

    `answer` is what the person decided about all of `requests`, None if nothing was decided yet.
    `trouble` is a sentence for the person when earlier answers cannot be read. `origins` says by
    section and key whose a value is that is not the default.
    """

    settings: Settings
    requests: tuple[Request, ...] = ()
    answer: Answer | None = None
    trouble: str | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def undecided(self) -> tuple[Request, ...]:
        """What the person has not answered yet."""
        return self.requests if self.answer is None else ()

    def origin(self, section: str, key: str) -> Origin:
        return self.origins.get(f"{section}.{key}", Origin.DEFAULT)


def own_settings() -> Settings:
    """Return the person's own configuration, which holds where there is no archive.

    Raises SettingsError.
    """
    return load(own_file())


def settings_of(archive: Path) -> Settings:
    """Return the settings that hold for the archive in this folder. Raises SettingsError."""
    return in_force(archive).settings


def in_force(archive: Path, answers: Answers | None = None) -> InForce:
    """Return what holds for the archive in this folder, and what it asks for. Raises SettingsError.

    A folder that is no archive yet may have settings already.
    """
    own_said = read(own_file())
    own = with_said(Settings(), own_said)
    said = read(archive / SETTINGS_NAME)
    asked = tuple(_requests(said, own))
    requests = (*asked, *linked_parts(archive))
    answer, trouble = _answer(answers or Answers(), archive, requests)
    taken = _taken(said, own, is_accepted=answer is Answer.ACCEPTED)
    holding = with_said(own, taken)
    settings = replace(
        holding,
        own_thresholds=own.strategy if own.strategy != holding.strategy else None,
        undecided=requests if answer is None else (),
    )
    origins = {**_named(own_said, Origin.OWN), **_named(taken, Origin.ARCHIVE)}
    return InForce(settings, requests, answer, trouble, origins)


def _answer(
    answers: Answers, archive: Path, requests: tuple[Request, ...]
) -> tuple[Answer | None, str | None]:
    if not requests:
        return None, None
    try:
        return answers.of(archive, requests), None
    except SettingsError as error:
        return None, str(error)


def _requests(said: Said, own: Settings) -> Iterator[Request]:
    """Yield what a file asks for that is the person's to decide, and not what holds anyway."""
    for section in SECTIONS:
        for key, declared in declarations(section).items():
            asked = said.get(section, {}).get(key)
            if asked is None or not is_personal(declared):
                continue
            value: Value = getattr(getattr(own, section), key)
            if asked != value and not is_gentler(declared, asked, value):
                yield Request(section, key, asked, value)


def _taken(said: Said, own: Settings, *, is_accepted: bool) -> Said:
    """Return what is taken from an archive's file: its own, what is gentler, what was accepted."""
    taken: dict[str, dict[str, Value]] = {}
    for section, values in said.items():
        for key, asked in values.items():
            declared = declarations(section)[key]
            value: Value = getattr(getattr(own, section), key)
            is_free = not is_personal(declared) or is_gentler(declared, asked, value)
            if is_accepted or is_free:
                taken.setdefault(section, {})[key] = asked
    return taken


def _named(said: Mapping[str, Mapping[str, Any]], origin: Origin) -> Mapping[str, Origin]:
    return {f"{section}.{key}": origin for section, keys in said.items() for key in keys}


def linked_and_not_accepted(holds: InForce) -> tuple[Request, ...]:
    """Return the parts of an archive that lie elsewhere, and that the person did not accept."""
    if holds.answer is Answer.ACCEPTED:
        return ()
    return tuple(each for each in holds.requests if each.section == FOLDERS)
