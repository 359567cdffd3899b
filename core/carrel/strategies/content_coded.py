# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that were sent in a content coding, which they have not where they are published.

The record holds what was sent; size and digests of the file are those of the published form, and
what the record's payload is stands beside them in `extra`.
"""

from collections.abc import Sequence
from dataclasses import replace

from carrel.model import Capture, Finding, Fixity, ManifestFile
from carrel.platforms.entries import count_of, shortlist

STORED = "stored_payload"


def noted(entry: ManifestFile, observed: Fixity, capture: Capture) -> ManifestFile:
    """Return an entry with what its record's payload is, if that is not what was `observed`."""
    if observed.digests.get("sha256") == capture.sha256:
        return entry
    stored = {"size": capture.size, "sha256": capture.sha256}
    return replace(entry, extra={**entry.extra, STORED: stored})


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a finding on the files that are stored in a coding, none if none is."""
    coded = [file.path for file in files if STORED in file.extra]
    if not coded:
        return ()
    message = (
        f"The server sent {count_of(coded, 'file')} compressed (Content-Encoding). It is stored "
        f"as sent, and WARC readers decompress it: {shortlist(coded)}."
    )
    return (Finding("content-coded", message),)
