# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a file in its record to its entry in the result, with all that is odd about it noted."""

from collections.abc import Sequence
from dataclasses import replace

from carrel.model import Finding, ManifestFile
from carrel.model.capture import UNKNOWN_TYPE
from carrel.strategies import content_coded, open_ended, served_names, unexpected_pages
from carrel.strategies.kept import Kept

# Each notes one oddity in `extra`, and tells of all files that have it in one finding.
_NOTED = (open_ended, unexpected_pages, content_coded, served_names)
_TOLD = (served_names, content_coded, open_ended, unexpected_pages)


def entry_of(kept: Kept) -> ManifestFile:
    """Return the entry of a file that is kept."""
    entry, capture = kept.entry, kept.capture
    known = None if capture.mimetype == UNKNOWN_TYPE else capture.mimetype
    extra = dict(entry.extra)
    for oddity in _NOTED:
        extra.update(oddity.noted(kept))
    return replace(
        entry,
        status=kept.status,
        observed=kept.observed,
        mimetype=entry.mimetype or known,
        terminal_url=capture.url,
        terminal_dt=capture.timestamp,
        extra=extra,
    )


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return what is odd about the files of a dataset, nothing if nothing is."""
    return tuple(finding for oddity in _TOLD for finding in oddity.findings_on(files))
