# SPDX-License-Identifier: AGPL-3.0-or-later
"""The WARCs that the files of a package are stored in, as resource records.

A file of a package came by no protocol that a response record could tell of (ISO 28500, 6.4). Its
address is that of its place in the manifest of its ingest, as exports have it for the files of
bundles: it is the same on any machine, and claims nothing about a server.
"""

import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from urllib.parse import quote

from carrel.archive import Archive
from carrel.capture.annotations import INGEST_URN, document_record, file_info, metadata_record
from carrel.capture.records import Record, ResourceHead
from carrel.capture.warc_file import RollingWarcFiles
from carrel.errors import NotLoaded
from carrel.model import Fixity
from carrel.translation import tr

_NAMESPACE = uuid.UUID("5b6f9f1e-8f3c-5d0a-a7f5-9a2d3f1c6b77")
UNKNOWN_TYPE = "application/octet-stream"


def address_of_paper(ingest_id: str, path: str) -> str:
    """Return the address of a file that is not the dataset's, by its path in the package."""
    escaped = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    return f"{INGEST_URN}{ingest_id}:package:{escaped}"


class PackageWarcs:
    """Is written to in a folder of staging. `source` is what the package is called.

    What stands there after `finish` has names that no other ingest has. Raises OSError.
    """

    def __init__(self, archive: Archive, ingest_id: str, source: str, folder: Path) -> None:
        self._archive, self._ingest_id, self._source = archive, ingest_id, source
        self._folder, self._numbers = folder, count(1)
        self._urn = f"{INGEST_URN}{ingest_id}"
        self.moment = datetime.now(UTC).replace(microsecond=0)
        self._files = RollingWarcFiles(self._next, self._info, archive.settings.warc.max_size)

    def address_of(self, position: int) -> str:
        """Return the address of the file at a place of the manifest."""
        return f"{self._urn}:file:{position}"

    def add(
        self,
        url: str,
        fixity: Fixity,
        blocks: Iterator[bytes],
        about: Mapping[str, str],
        mimetype: str = "",
    ) -> str:
        """Store a file, and what it is `about` beside it; return the id of its record.

        Raises NotLoaded where the bytes are not those that were read before.
        """
        record_id = f"<urn:uuid:{uuid.uuid5(_NAMESPACE, self._name_of(url, fixity))}>"
        head = ResourceHead(record_id, url, self.moment, mimetype or UNKNOWN_TYPE)
        found = self._files.file_for(fixity.size or 0).stream(head, blocks)
        if (found.size, found.digests["sha256"]) != (fixity.size, fixity.digests["sha256"]):
            path = about["path"]
            words = tr("{path} was changed while it was imported.", path=path)
            raise NotLoaded(path, words)
        names = ("md5", "sha1", "sha256")
        digests = {name: fixity.digests[name] for name in names}
        fields = {**about, "size": str(fixity.size), **digests}
        self._files.file_for(0).add(metadata_record(url, record_id, fields, self.moment))
        return record_id

    def _name_of(self, url: str, fixity: Fixity) -> str:
        """Return what the id of a record is made of: the same on any machine. A bag and a crate of
        one ingest have the same files, and each a README.txt of its own."""
        is_paper = url.startswith(address_of_paper(self._ingest_id, ""))
        return f"{url} {fixity.digests['sha256']}" if is_paper else url

    def finish(self, document: bytes) -> list[Path]:
        """Write the result of the ingest behind all, and return the files."""
        record = document_record(self._urn, document, "application/json", datetime.now(UTC))
        self._files.file_for(len(document)).add(record)
        self._files.finish()
        return self._files.finished

    def discard(self) -> None:
        self._files.discard()

    def _next(self) -> Path:
        """Return the next name: always the same, so that what a kill left gives way to it."""
        while True:
            name = f"import-{self._ingest_id}-{next(self._numbers):05}.warc.gz"
            ledger = self._archive.ledger
            if not (ledger.captures.count_in([name]) or ledger.packed.get(name)):
                return self._folder / name

    def _info(self, filename: str) -> Record:
        fields = {
            "description": f"Files of a package, imported: {self._source}",
            "isPartOf": self._urn,
        }
        if operator := self._archive.settings.warc.operator:
            fields["operator"] = operator
        return file_info(filename, fields, self.moment)
