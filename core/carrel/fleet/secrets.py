# SPDX-License-Identifier: AGPL-3.0-or-later
"""Secrets of a fleet: files of the service manager first, since servers have no keyring.

systemd's LoadCredential= puts each into a file of $CREDENTIALS_DIRECTORY, which only the service
may read (systemd.exec(5), "Credentials"); a container's secrets can be mounted there as well.
"""

import os
from pathlib import Path

from carrel.errors import SettingsError
from carrel.translation import tr

_FOLDER = "CREDENTIALS_DIRECTORY"
_LARGEST = 64 * 1024


def secret(name: str) -> str | None:
    """Return the secret that the service manager has under this name, None if it has none.

    Raises SettingsError if the file cannot be read.
    """
    folder = os.environ.get(_FOLDER)
    if not folder:
        return None
    path = Path(folder) / name
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST).decode().strip() or None
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(tr("The secret in {path} cannot be read.", path=path)) from error


def kafka_password() -> str | None:
    """Return the password for SASL: `kafka-password`; None if none is needed."""
    return secret("kafka-password")
