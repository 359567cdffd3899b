# SPDX-License-Identifier: AGPL-3.0-or-later
"""One file that a record holds: what was declared of it, what it is, and what brought it."""

from dataclasses import dataclass

from carrel.capture.exchange import Exchange
from carrel.model import Capture, Fixity, ManifestFile, Status


@dataclass(frozen=True, slots=True)
class Kept:
    """A file in its record, proven as far as it can be.

    `entry` is as it was declared; `observed` the published form of what is in the record, of which
    the record may hold a coded one. `answer` brought it in this attempt, None for a record that was
    there already. `served_name` is what the server called a file that its platform has no name for.
    """

    entry: ManifestFile
    status: Status
    observed: Fixity
    capture: Capture
    answer: Exchange | None = None
    served_name: str | None = None
