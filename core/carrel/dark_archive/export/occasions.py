# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a full text stood when a copy of it was made: the occasion, or that there was none."""

from datetime import UTC, datetime

from carrel.ledger.dark.exports import ExportedVersion
from carrel.model.dark import Opened
from carrel.model.dark_views import ObiState, last_seen
from carrel.translation import tr


def occasion(version: ExportedVersion) -> str:
    """Return in words how an object stands, and when that was looked at."""
    words = [f"{version.state}"]
    seen = last_seen(version.state, version.outcome, version.delivered)
    if seen is not None and version.asked is not None:
        return tr(
            "{state} when last delivered {seen}, last requested {asked}: {outcome}",
            state=version.state,
            seen=day(seen),
            asked=day(version.asked),
            outcome=version.outcome,
        )
    if version.state_since is not None:
        words = [tr("{state} since {day}", state=version.state, day=day(version.state_since))]
    elif version.state is not ObiState.LOST:
        words.append(tr("not lost"))
    if version.asked is not None:
        words.append(tr("last requested {day}", day=day(version.asked)))
    return ", ".join(words)


def still_there(version: ExportedVersion) -> str:
    """Return why a copy of what is not lost may not be given out."""
    return tr(
        "It is not lost ({occasion}). Copies are released only of what is lost, or where the "
        "reason says whose rights allow it.",
        occasion=occasion(version),
    )


def released(version: ExportedVersion, at: int, reason: str, path: str | None) -> Opened:
    """Return what the journal is to say of a copy that is about to be made in the folder `path`."""
    return Opened(
        at,
        "released",
        version.kind,
        version.ident_n,
        version.tist,
        version.sha256,
        reason,
        occasion(version),
        path,
    )


def moment_of(tist: int) -> datetime:
    return datetime.fromtimestamp(tist, UTC)


def day(tist: int) -> str:
    return moment_of(tist).strftime("%Y-%m-%d")
