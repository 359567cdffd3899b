# SPDX-License-Identifier: AGPL-3.0-or-later
"""Changing settings: each is written into the file of whom it belongs to."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carrel.settings.effective import own_settings
from carrel.settings.file import SETTINGS_NAME, Said, load, read, save, with_said
from carrel.settings.person import own_file, save_own
from carrel.settings.sections import SECTIONS, Settings, declarations, is_personal

Changes = Mapping[str, Mapping[str, Any]]


def editable(archive: Path) -> Settings:
    """Return the settings as a person may change them: the archive's own as they hold here, those
    of the person as they hold for all archives. Raises SettingsError.
    """
    said = read(archive / SETTINGS_NAME)
    return with_said(own_settings(), _of_archive(said))


def save_changes(archive: Path, changes: Changes) -> Settings:
    """Write changes, by section and key, and return the settings as they may be changed then.

    None takes a key out of its file. Where one of the files cannot be understood, nothing is
    written to either. Raises SettingsError, and OSError.
    """
    for path in (archive / SETTINGS_NAME, own_file()):
        load(path)
    archives = _of_archive(changes)
    own = {
        section: {
            key: value for key, value in values.items() if key not in archives.get(section, {})
        }
        for section, values in changes.items()
    }
    if own := {section: values for section, values in own.items() if values}:
        save_own(own)
    if archives:
        save(archive / SETTINGS_NAME, archives)
    return editable(archive)


def is_personal_setting(section: str, key: str) -> bool:
    """Say whether a setting holds for all of the person's archives."""
    return is_personal(declarations(section)[key])


def _of_archive(said: Said | Changes) -> dict[str, dict[str, Any]]:
    """Return those of some settings that belong to an archive."""
    found: dict[str, dict[str, Any]] = {}
    for section in SECTIONS:
        for key, value in said.get(section, {}).items():
            if key in declarations(section) and not is_personal_setting(section, key):
                found.setdefault(section, {})[key] = value
    return found
