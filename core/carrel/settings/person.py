# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a person's own configuration is, in which no one else writes."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs

from carrel.errors import SettingsError
from carrel.settings.file import SETTINGS_NAME, save
from carrel.settings.sections import Settings
from carrel.translation import tr

_WAIT_S = 20.0


def own_folder() -> Path:
    """Return the folder of the person's own configuration, which may not be there yet."""
    return platformdirs.user_config_path("carrel")


def own_file() -> Path:
    """Return the file of the settings that hold for all of the person's archives."""
    return own_folder() / SETTINGS_NAME


def save_own(changes: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Write changed values into the person's own settings and return what they are then.

    Raises SettingsError.
    """
    with alone(own_file()):
        # Where the file is a link, into a folder of such files for instance, it stays one.
        return save(Path(os.path.realpath(own_file())), changes, private=True)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file of the configuration for one change; its folder is made if it is not there.

    Raises SettingsError when it cannot be written.
    """
    from filelock import FileLock, Timeout  # reading needs none

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=_WAIT_S):
            yield
    except Timeout as error:
        raise SettingsError(
            tr(
                "{path} cannot be written: another program has locked it for {wait_s:g} seconds.",
                path=path,
                wait_s=_WAIT_S,
            )
        ) from error
    except OSError as error:
        raise SettingsError(
            tr("{path} cannot be written: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error
