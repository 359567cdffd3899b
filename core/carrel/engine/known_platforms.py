# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the faces ask about platforms: which there are, how their makers write them, and how they
take a token."""

from carrel.credentials import Credentials
from carrel.platforms.catalogue import title_of, token_hosts, token_kind_of
from carrel.platforms.roster import KnownPlatform, Support, known_platforms

__all__ = [
    "KnownPlatform",
    "Support",
    "known_platforms",
    "stored_credentials",
    "title_of",
    "token_hosts",
    "token_kind_of",
]


def stored_credentials() -> Credentials:
    """Return what the person has stored, with tokens of the environment told as platforms want."""
    return Credentials(kind_of=token_kind_of)
