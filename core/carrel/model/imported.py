# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of a holding whose files were not captured here but were imported."""

from carrel.model.item import Finding
from carrel.translation import tr


def imported_finding(timestamp: str) -> Finding:
    """Return that files were imported at a time (14 digits, UTC), as WARCs write it."""
    day = f"{timestamp[:4]}-{timestamp[4:6]}-{timestamp[6:8]}"
    text = tr(
        "Imported into this archive on {day} at {time} UTC. The files were not downloaded by this "
        "archive; when and from where they were captured is as the imported file says.",
        day=day,
        time=f"{timestamp[8:10]}:{timestamp[10:12]}",
    )
    return Finding("imported", text)
