# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files of which a part came, in a transfer that was stopped and cannot be gone on with."""

from collections.abc import Sequence
from dataclasses import replace

from carrel.model import ManifestFile
from carrel.model.sizes import in_words
from carrel.translation import tr

_DROPPED = "dropped_bytes"


def dropped(entry: ManifestFile, received: int) -> ManifestFile:
    """Return the entry of a file that has to be fetched from its beginning again, saying so."""
    message = tr(
        "The next attempt starts again from 0: this server cannot resume. {size} had arrived.",
        size=in_words(received),
    )
    told = f"{entry.message} {message}" if entry.message else message
    return replace(entry, message=told, extra={**entry.extra, _DROPPED: received})


def starts_again(files: Sequence[ManifestFile]) -> str | None:
    """Return, for a job that waits, that a transfer has to start again; None where none has."""
    if not any(_DROPPED in file.extra for file in files):
        return None
    return tr("Files under way start again from 0: this server cannot resume. Finished files stay.")
