# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files of which no one said how long they are: what arrived may be a part.

An answer without a length and without chunks ends with its connection (RFC 9112, 6.3), which may
have broken. Where neither size nor digest is published nothing can tell the one from the other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from carrel.model import Finding, FindingLevel, Fixity, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.strategies.kept import Kept
from carrel.translation import tr

OPEN_ENDED = "is_open_ended"


def noted(kept: Kept) -> Mapping[str, Any]:
    """Return that the end of a file which came now is not proven, nothing if it is."""
    if kept.answer is None or kept.answer.tells_end or kept.entry.declared != Fixity():
        return {}
    return {OPEN_ENDED: True}


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a warning about files whose end is not proven, none if there are none."""
    names = [file.path for file in files if file.is_kept and file.extra.get(OPEN_ENDED)]
    if not names:
        return ()
    message = tr(
        "The size of {files} was published neither by the platform nor by the "
        "server: compare with what you expect: {names}.",
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("open-ended", message, FindingLevel.WARNING),)
