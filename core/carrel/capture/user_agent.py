# SPDX-License-Identifier: AGPL-3.0-or-later
"""What Carrel calls itself to servers, and in the WARCs that it writes."""

from carrel import __version__


def user_agent(contact: str) -> str:
    """Return what Carrel calls itself: product, version, and whom to write to."""
    whom = contact or "no contact given"
    return f"Carrel/{__version__} (research data archiving; {whom})"
