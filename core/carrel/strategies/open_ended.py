# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files of which nobody said how long they are: what arrived may be a part.

An answer without a length and without chunks ends with its connection (RFC 9112, 6.3), which may
have broken. Where neither size nor digest is published nothing can tell the one from the other.
"""

from collections.abc import Sequence
from dataclasses import replace

from carrel.capture.exchange import Exchange
from carrel.model import Finding, FindingLevel, Fixity, ManifestFile
from carrel.platforms.entries import count_of, shortlist

OPEN_ENDED = "is_open_ended"


def noted(entry: ManifestFile, answer: Exchange) -> ManifestFile:
    """Return an entry with the fact that its end is not proven, if it is not."""
    if answer.tells_end or entry.declared != Fixity():
        return entry
    return replace(entry, extra={**entry.extra, OPEN_ENDED: True})


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a warning about files whose end is not proven, none if there are none."""
    names = [file.path for file in files if file.is_kept and file.extra.get(OPEN_ENDED)]
    if not names:
        return ()
    message = (
        f"The size of {count_of(names, 'file')} was published neither by the platform nor by the "
        f"server: compare with what you expect: {shortlist(names)}."
    )
    return (Finding("open-ended", message, FindingLevel.WARNING),)
