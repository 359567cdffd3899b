# SPDX-License-Identifier: AGPL-3.0-or-later
"""Servers of SFTP that are made known, where the library for them is installed."""

from pathlib import Path

from carrel.errors import ArchiveError, UsageError
from carrel.model.store_address import SftpAddress
from carrel.translation import tr


def accept_host(address: SftpAddress, fingerprint: str) -> Path:
    """Write down the host key of a server that has this fingerprint; return the file.

    Raises UsageError for another fingerprint, and where the library is missing, ArchiveError where
    the server cannot be reached.
    """
    try:
        from carrel.engine.replication.sftp.host_keys import accept
    except ImportError:
        words = tr("For a copy by SFTP, install Carrel with “pip install carrel[copies]”.")
        raise UsageError(words) from None
    try:
        return accept(address, fingerprint)
    except OSError as error:
        raise ArchiveError(
            tr(
                "The server {host} cannot be reached: {reason}.",
                host=address.host,
                reason=error.strerror or error,
            )
        ) from error
