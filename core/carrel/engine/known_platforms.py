# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the faces ask about platforms: which there are, how their makers write them, and how they
take a token."""

from carrel.platforms.catalogue import token_hosts, token_kind_of
from carrel.platforms.roster import KnownPlatform, Support, known_platforms

__all__ = [
    "KnownPlatform",
    "Support",
    "known_platforms",
    "token_hosts",
    "token_kind_of",
]
