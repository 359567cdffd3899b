# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that a copy has under a name that this archive no longer uses: they were renamed since."""

from contextlib import suppress
from pathlib import PurePosixPath

from carrel.archive import Archive
from carrel.capture.digests import sha256_of
from carrel.capture.stored import Damaged
from carrel.engine.replication.parts import is_of_warcs
from carrel.engine.replication.register import Register


def name_here(archive: Archive, register: Register, name: str) -> str:
    """Return what a WARC on the copy's list, of which this archive has nothing by that name, is
    called here; "" if it is missing here, or its bytes are.

    One of which the ledger knows records by that name is missing, wherever its bytes are.
    """
    if not is_of_warcs(name) or register.part(name) is not None:
        return ""
    if archive.ledger.captures.count_in([PurePosixPath(name).name]):
        return ""
    digest = register.digest(name) or ""
    return next(register.listed_parts(digest), "") or _not_listed_yet(register, name, digest)


def _not_listed_yet(register: Register, name: str, digest: str) -> str:
    """Return the name of a WARC of the archive with the same bytes that is not in the copy yet."""
    for part in register.parts_not_listed(register.size(name)):
        with suppress(OSError, Damaged):
            if part.is_warc and sha256_of(part.pieces()) == digest:
                return part.name
    return ""
