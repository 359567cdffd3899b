# SPDX-License-Identifier: AGPL-3.0-or-later
"""A capture as text to hand on, and its raw address. No Qt here."""

import re

from carrel.model import Memento
from carrel_desktop.views.mementos.rows import seconds_of
from carrel_desktop.widgets.time_scale import moment_of


def citation(memento: Memento) -> str:
    """Return what names a capture for good: URL, moment, archive, digest, one a line."""
    moment = moment_of(seconds_of(memento.timestamp))
    lines = [
        memento.url,
        f"Captured: {moment.isoformat(timespec='seconds')}Z",
        f"Archive: {', '.join((memento.source, *memento.also))}",
    ]
    if memento.digest:
        lines.append(f"Digest: {memento.digest}")
    if memento.live_url:
        lines.append(f"Memento: {memento.live_url}")
    return "\n".join(lines)


def raw_address(shown: str) -> str:
    """Return where the loopback server gives the same memento as it is, with nothing rewritten."""
    return re.sub(r"/(\d{4,17})(?:[a-z]{2}_)?/", r"/\1id_/", shown, count=1)
