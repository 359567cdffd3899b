# SPDX-License-Identifier: AGPL-3.0-or-later
"""What Carrel calls itself to servers, and in the WARCs that it writes."""

from carrel import __version__
from carrel.translation import tr


def user_agent(contact: str) -> str:
    """Return what Carrel calls itself: product, version, and whom to write to."""
    return tr(
        "Carrel/{version} (research data archiving; {contact})",
        version=__version__,
        contact=contact or tr("no contact given"),
    )
