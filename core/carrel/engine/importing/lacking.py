# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the results in a WARC say was kept, and no record is here of: of an earlier attempt, say,
which is in another WARC.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from carrel.access.holding_files import elsewhere_of
from carrel.archive import Archive
from carrel.capture.annotations import INGEST_URN
from carrel.engine.rebuilding.told import Told, told_of, told_of_bundle
from carrel.model import Capture, ManifestFile
from carrel.model.not_imported import not_imported_name


class Lacking:
    """The records that results rest on, and that neither the archive has nor what comes in.

    `captures` has them by ingest, `paths` the files that are in them.
    """

    def __init__(
        self,
        archive: Archive,
        documents: Mapping[str, Mapping[str, Any]],
        incoming: Iterable[Capture],
    ) -> None:
        self._archive = archive
        self._incoming = {(it.sha256, it.size) for it in incoming if not it.is_revisit}
        self.captures: dict[str, Sequence[Capture]] = {}
        self.paths: list[str] = []
        for ingest_id, result in documents.items():
            found = {it.record_id: it for it in self._of(ingest_id, result)}
            if found:
                self.captures[ingest_id] = list(found.values())

    def _of(self, ingest_id: str, result: Mapping[str, Any]) -> Iterator[Capture]:
        bundle = told_of_bundle(result.get("fileset_bundle") or {})
        for file in map(ManifestFile.from_json, result.get("manifest") or ()):
            if not file.is_kept or elsewhere_of(file, result):
                continue
            told = bundle if "bundle_member" in file.extra else told_of(file)
            if told and not self._is_here(told) and not self._is_whole_here(file):
                self.paths.append(file.path)
                yield _capture(ingest_id, told)

    def _is_whole_here(self, file: ManifestFile) -> bool:
        """Say whether a record has the bytes of a file by itself, in whatever form it was kept."""
        alone = told_of(file)
        return alone is not None and self._is_here(alone)

    def _is_here(self, told: Told) -> bool:
        sha256, size = told.fixity.digests["sha256"], told.fixity.size or 0
        if (sha256, size) in self._incoming:
            return True
        return bool(self._archive.ledger.captures.holding(sha256, size))


def _capture(ingest_id: str, told: Told) -> Capture:
    name = f"{INGEST_URN}{ingest_id}:{told.url}:{told.timestamp}:{told.fixity.digests['sha256']}"
    record_id = f"<{uuid.uuid5(uuid.NAMESPACE_URL, name).urn}>"
    return told.capture(record_id, not_imported_name(ingest_id))
