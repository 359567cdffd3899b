# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who may be told the keys for archive.org: one rule, whatever a setting or a redirect says."""

from urllib.parse import urlsplit

from carrel.hosts.inside import is_inside


def may_be_told(url: str) -> bool:
    """Say whether keys for archive.org may go to this address.

    Only to archive.org itself, and not over plain http; and to a stand-in for it on this machine or
    in the institution's own network, which a person may set up to try things.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return False
    is_theirs = host == "archive.org" or host.endswith(".archive.org")
    return is_inside(url) or (is_theirs and parts.scheme.lower() == "https")
