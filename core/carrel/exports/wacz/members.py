# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that came in a bundle as WARC records of their own, so that a reader can fetch each.

They are `resource` records: nothing of HTTP is claimed for them. What they were taken from is named
by WARC-Refers-To-Target-URI and -Date, as in a revisit.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from carrel.capture.records import ResourceHead, foreseen_digest, warc_date
from carrel.capture.warc_file import WarcFile
from carrel.exports.holding import ExportedFile, Holding
from carrel.exports.moments import aware
from carrel.exports.texts import one_line
from carrel.exports.wacz.warcinfo import warcinfo
from carrel.mementos.cdxj import cdxj_line
from carrel.model import Capture, Fixity
from carrel.model.sizes import MEBIBYTE
from carrel.model.surt import surt

MEMBERS = "members.warc.gz"
"""The WARC of an export that has the files of a bundle, where it is of one holding."""
_NAMESPACE = uuid.UUID("6a1c5f0e-3f0f-5b52-9d5e-6b1f0c8a7d11")


@dataclass(frozen=True, slots=True)
class MemberRecord:
    """A file of a bundle and the address that its record has."""

    file: ExportedFile
    url: str
    bundle: Capture

    @property
    def mimetype(self) -> str:
        return one_line(self.file.held.file.mimetype or "") or "application/octet-stream"

    def bytes_for(self, fixity: Fixity | None) -> bytes:
        """Return the record's head, of one length whether or not its content is known."""
        of_file = f"{self.file.held.ingest_id}/{self.file.held.position}"
        record_id = f"<urn:uuid:{uuid.uuid5(_NAMESPACE, of_file)}>"
        moment = aware(self.bundle.timestamp)
        refers = [
            ("WARC-Refers-To", self.bundle.record_id),
            ("WARC-Refers-To-Target-URI", self.bundle.url),
            ("WARC-Refers-To-Date", warc_date(moment)),
        ]
        head = ResourceHead(record_id, self.url, moment, self.mimetype, refers)
        return head.bytes_for(fixity)

    def line(self, warc: str, offset: int, length: int, fixity: Fixity, record_digest: str) -> str:
        """Return the record's line of the index."""
        fields = {
            "url": self.url,
            "mime": self.mimetype,
            "status": "200",
            "digest": foreseen_digest(fixity),
            "length": str(length),
            "offset": str(offset),
            "filename": warc,
            "recordDigest": f"sha256:{record_digest}",
        }
        return cdxj_line(surt(self.url), self.bundle.timestamp, fields)


@dataclass(frozen=True, slots=True)
class Written:
    """A record where it stands in the WARC of members."""

    record: MemberRecord
    offset: int
    length: int
    fixity: Fixity


def member_records(holding: Holding) -> Sequence[MemberRecord]:
    """Return the records to make of a holding's files that stand in a bundle.

    A file has the address at which its platform offers it, where no other file has it.
    """
    taken: set[str] = set()
    records = []
    for file in holding.files:
        if file.held.member is None:
            continue
        url = _address(file.held.file.platform_url or "")
        if not url or url in taken:
            url = f"urn:x-carrel:ingest:{holding.ingest_id}:file:{file.held.position}"
        taken.add(url)
        records.append(MemberRecord(file, url, file.held.captures[0]))
    return records


def write_members(
    path: Path, holding: Holding, contents: Iterator[tuple[MemberRecord, Path]]
) -> Sequence[Written]:
    """Write the WARC of members from files that hold their contents. Raises OSError."""
    info = warcinfo(uuid.uuid5(_NAMESPACE, holding.ingest_id), holding, path.name)
    warc = WarcFile(path, info)
    written = []
    try:
        for record, content in contents:
            offset = warc.size
            fixity = warc.stream(record, _blocks(content))
            written.append(Written(record, offset, warc.size - offset, fixity))
        warc.finish()
    finally:
        warc.discard()
    return written


def _address(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        return ""
    return quote(url.partition("#")[0], "/-._~!$&'()*+,;=@:?[]%")


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(MEBIBYTE):
            yield block
