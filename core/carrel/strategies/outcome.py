# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a dataset ends with, given how its files did."""

from collections.abc import Iterator, Sequence
from itertools import islice

from carrel.model import Finding, FindingLevel, Fixity, ManifestFile, Status
from carrel.model.proof import kept_in_words
from carrel.model.unwritten import is_full
from carrel.translation import tr

_SHOWN = 3  # reasons, and names to each

# After one of these nothing more is fetched: every further file would end the same way.
ENDS_ALL = frozenset({Status.TOO_LARGE_SIZE, Status.DISK_FULL, Status.CANCELLED})


def unwritten(error: OSError) -> tuple[Status, str]:
    """Return the outcome of what could not be written, and the beginning of a sentence on it."""
    if is_full(error):
        return Status.DISK_FULL, tr("The disk is full")
    return Status.STORE_DAMAGED, tr(
        "The disk failed ({strerror})", strerror=error.strerror or error
    )


def worst(bad: Sequence[ManifestFile]) -> Status:
    """Return what the dataset ends with: what ended it, else the first file's outcome."""
    statuses = [file.status or Status.NOT_PROCESSED for file in bad]
    return next((status for status in statuses if status in ENDS_ALL), statuses[0])


def shortfall(files: Sequence[ManifestFile], bad: Sequence[ManifestFile]) -> str:
    """Return how many files are kept, and which are not and why."""
    return tr(
        "{kept_in_words} Not archived: {reasons}",
        kept_in_words=kept_in_words(len(files) - len(bad), len(files)),
        reasons=reasons(bad),
    )


def reasons(bad: Sequence[ManifestFile]) -> str:
    """Return why files are missing: each reason once, behind the first names that it holds for."""
    paths: dict[str, list[str]] = {}
    for file in bad:
        status = file.status or Status.NOT_PROCESSED
        paths.setdefault(file.message or status.meaning.advice, []).append(file.path)
    told = [f"{_names(named)}: {reason}" for reason, named in islice(paths.items(), _SHOWN)]
    text = "; ".join(told).replace(".; ", "; ")  # each reason is a sentence of its own
    left = sum(map(len, islice(paths.values(), _SHOWN, None)))
    return (
        tr("{text}; and {left:,} more.", text=text.removesuffix("."), left=left) if left else text
    )


def _names(paths: Sequence[str]) -> str:
    more = tr(" and {paths:,} more", paths=len(paths) - _SHOWN) if len(paths) > _SHOWN else ""
    return f"{', '.join(paths[:_SHOWN])}{more}"


def remarks(files: Sequence[ManifestFile]) -> Iterator[Finding]:
    """Yield what the person should know of files that are kept."""
    empty = [file.path for file in files if _is_empty_unannounced(file)]
    if empty:
        is_one = len(empty) == 1
        message = tr(
            "{names}: archived as {words}, since "
            "the server states a length of 0. The platform published no size to compare with.",
            names=_names(empty),
            words=tr("an empty file") if is_one else tr("empty files"),
        )
        yield Finding("empty-file", message, FindingLevel.WARNING)


def _is_empty_unannounced(file: ManifestFile) -> bool:
    is_empty = file.observed is not None and file.observed.size == 0
    return file.is_kept and is_empty and file.declared == Fixity()
