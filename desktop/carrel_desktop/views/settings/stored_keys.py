# SPDX-License-Identifier: AGPL-3.0-or-later
"""For what keys are stored, never what they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from carrel.credentials import Credentials, is_in_environment


@dataclass(frozen=True, slots=True)
class StoredKeys:
    """The names under which keys are stored; `trouble` says why that is not known, if it is not.

    `is_in_environment` holds where the keys for archive.org come from there.
    """

    names: Sequence[str] = ()
    is_in_environment: bool = False
    trouble: str | None = None


def stored_keys(credentials: Credentials) -> StoredKeys:
    """Read the names of what is stored; a keyring that cannot be read is told."""
    from_environment = is_in_environment() and credentials.archiveorg() is not None
    trouble = credentials.unusable()
    names = () if trouble else credentials.names()
    return StoredKeys(names, from_environment, trouble)
