# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive with one dataset, to be copied to other places."""

import hashlib
from pathlib import Path

from support.archives import ingest, new_archive
from support.wire import WireServer, dataset_page, reply

TIDES = b"The tide came late.\n" * 3000


def archive_of_tides(folder: Path) -> Path:
    """Return an archive of one dataset with one file."""
    archive = new_archive(folder / "archive")
    with WireServer() as server:
        entry = {
            "name": "tides.txt",
            "contentUrl": server.serve("/tides.txt", reply(TIDES)),
            "sha256": hashlib.sha256(TIDES).hexdigest(),
        }
        page = dataset_page(server, [entry], "/tides", name="Tides", identifier="tides")
        ingest(archive, page)
    return archive


def warc_of(archive: Path) -> Path:
    """Return the one WARC file of an archive."""
    (found,) = (archive / "collections/main/archive").glob("*.warc.gz")
    return found
