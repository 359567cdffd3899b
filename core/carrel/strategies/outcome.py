# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset ends with, given how its files did."""

from collections.abc import Sequence

from carrel.model import ManifestFile, Status

# After one of these nothing more is fetched: every further file would end the same way.
ENDS_ALL = frozenset({Status.TOO_LARGE_SIZE, Status.DISK_FULL, Status.CANCELLED})


def worst(bad: Sequence[ManifestFile]) -> Status:
    """Return what the dataset ends with: what ended it, else the first file's outcome."""
    statuses = [file.status or Status.NOT_PROCESSED for file in bad]
    return next((status for status in statuses if status in ENDS_ALL), statuses[0])


def shortfall(files: Sequence[ManifestFile], bad: Sequence[ManifestFile]) -> str:
    """Return which files are missing and why, the first ones by name."""
    named = "; ".join(f"{file.path}: {file.message or file.status}" for file in bad[:3])
    more = f"; and {len(bad) - 3} more" if len(bad) > 3 else ""
    return f"{len(files) - len(bad)} of {len(files)} files are kept. Not kept: {named}{more}"
