# SPDX-License-Identifier: AGPL-3.0-or-later
"""A person's keys, in the keyring of the operating system and nowhere else.

Each is stored under the name of what it opens: `archive.org` (an access key and a secret), or the
host of a platform (a token).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """The pair of keys that archive.org gives (for uploads and Save Page Now)."""

    access: str
    secret: str


class Credentials:
    """What the person has stored. Threads may share it."""

    def archiveorg(self) -> Keys | None:
        """Return the keys for archive.org, None if none are stored."""
        return None

    def headers_for(self, url: str) -> Mapping[str, str]:
        """Return the headers that open this very address: those of its own host, else none."""
        return {}
