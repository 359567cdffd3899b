# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person has stored, told to each platform in the way that it wants."""

from carrel.credentials import Credentials, TokenKind


def stored_credentials() -> Credentials:
    """Return what the person has stored, with tokens of the environment told as platforms want."""
    return Credentials(kind_of=_kind_of)


def _kind_of(host: str) -> TokenKind:
    from carrel.platforms.catalogue import token_kind_of  # only who has a token asks

    return token_kind_of(host)
