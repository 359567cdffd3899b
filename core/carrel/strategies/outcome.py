# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset ends with, given how its files did."""

from collections.abc import Iterator, Sequence

from carrel.model import Finding, FindingLevel, Fixity, ManifestFile, Status

# After one of these nothing more is fetched: every further file would end the same way.
ENDS_ALL = frozenset({Status.TOO_LARGE_SIZE, Status.DISK_FULL, Status.CANCELLED})


def worst(bad: Sequence[ManifestFile]) -> Status:
    """Return what the dataset ends with: what ended it, else the first file's outcome."""
    statuses = [file.status or Status.NOT_PROCESSED for file in bad]
    return next((status for status in statuses if status in ENDS_ALL), statuses[0])


def shortfall(files: Sequence[ManifestFile], bad: Sequence[ManifestFile]) -> str:
    """Return which files are missing and why, the first ones by name."""
    told = "; ".join(f"{file.path}: {file.message or file.status}" for file in bad[:3])
    named = told.replace(".; ", "; ")  # each message is a sentence of its own
    more = f"; and {len(bad) - 3} more" if len(bad) > 3 else ""
    return f"{len(files) - len(bad)} of {len(files)} files are kept. Not kept: {named}{more}"


def remarks(files: Sequence[ManifestFile]) -> Iterator[Finding]:
    """Yield what the person should know of files that are kept."""
    empty = [file.path for file in files if _is_empty_unannounced(file)]
    if empty:
        more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
        message = (
            f"{'; '.join(empty[:3])}{more}: kept as an empty file, for the server states a length "
            "of 0. The platform published no size to compare it with."
        )
        yield Finding("empty-file", message, FindingLevel.WARNING)


def _is_empty_unannounced(file: ManifestFile) -> bool:
    is_empty = file.observed is not None and file.observed.size == 0
    return file.is_kept and is_empty and file.declared == Fixity()
