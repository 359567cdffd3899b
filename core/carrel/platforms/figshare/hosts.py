# SPDX-License-Identifier: AGPL-3.0-or-later
"""Figshare's own hosts and the portals of it that are known."""

from carrel.platforms.host_list import host_list

DOMAIN = "figshare.com"
DJEHUTY = "data.4tu.nl"
PORTALS = host_list(__package__).hosts
"""Portals outside figshare.com."""


def is_figshare(host: str) -> bool:
    """Return whether the host is Figshare's own or a known portal of it."""
    return host == DOMAIN or host.endswith(f".{DOMAIN}") or host in PORTALS
