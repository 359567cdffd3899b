# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that were sent in a content coding, which they have not where they are published.

The record holds what was sent; size and digests of the file are those of the published form, and
what the record's payload is stands beside them in `extra`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from carrel.model import Finding, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.strategies.kept import Kept
from carrel.translation import tr

STORED = "stored_payload"


def noted(kept: Kept) -> Mapping[str, Any]:
    """Return what the record's payload is, nothing if that is the file itself."""
    if kept.observed.digests.get("sha256") == kept.capture.sha256:
        return {}
    return {STORED: {"size": kept.capture.size, "sha256": kept.capture.sha256}}


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a finding on the files that are stored in a coding, none if none is."""
    coded = [file.path for file in files if STORED in file.extra]
    if not coded:
        return ()
    message = tr(
        "The server sent {files} compressed (Content-Encoding). It is stored "
        "as sent, and WARC readers decompress it: {coded}.",
        files=count_of(coded, "file"),
        coded=shortlist(coded),
    )
    return (Finding("content-coded", message),)
