# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the faces ask about platforms: how their makers write them, and how they take a token."""

from carrel.platforms.catalogue import title_of, token_hosts, token_kind_of

__all__ = ["title_of", "token_hosts", "token_kind_of"]
