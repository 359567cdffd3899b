# SPDX-License-Identifier: AGPL-3.0-or-later
"""The record that opens a WARC of an export: the same bytes whenever the same is exported."""

from uuid import UUID

from carrel import __version__
from carrel.capture.records import Record
from carrel.exports.holding import Holding


def warcinfo(uuid: UUID, holding: Holding, name: str, description: str | None = None) -> Record:
    """Return the warcinfo record of a WARC called `name` (WARC 1.1, section 6.2).

    It is dated when the holding was archived, so that nothing of this run is in it.
    """
    record_id = f"<urn:uuid:{uuid}>"
    told = f"software: Carrel {__version__}\r\nformat: WARC File Format 1.1\r\n"
    if description is not None:
        told += f"description: {description}\r\n"
    fields = [
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", record_id),
        ("WARC-Date", holding.finished),
        ("WARC-Filename", name),
        ("Content-Type", "application/warc-fields"),
    ]
    return Record(record_id, fields, told.encode())
