# SPDX-License-Identifier: AGPL-3.0-or-later
"""Going on without a settings file that cannot be understood. It is renamed, never deleted."""

from pathlib import Path

from carrel.aside_name import aside_name
from carrel.errors import SettingsBroken, SettingsError
from carrel.settings.file import SETTINGS_NAME, read
from carrel.translation import tr

_BEFORE = f"{SETTINGS_NAME}.before-"


def set_aside(path: Path) -> str | None:
    """Rename a settings file that cannot be understood; return what it is called now.

    One that was corrected meanwhile, or is gone, is left alone: None. Raises SettingsError where it
    cannot be renamed, or not even read.
    """
    try:
        read(path)
    except SettingsBroken:
        return _renamed(path)
    return None


def was_set_aside(name: str) -> bool:
    """Say whether a file has the name of settings that were set aside."""
    return name.startswith(_BEFORE)


def _renamed(path: Path) -> str:
    aside = aside_name(path)
    try:
        path.rename(aside)
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(
            tr("{path} cannot be renamed: {reason}.", path=path, reason=reason)
        ) from error
    return aside.name
