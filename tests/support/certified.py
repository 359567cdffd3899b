# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives whose ledger has whatever a test wants certified, without anything being fetched."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from carrel.archive import Archive
from carrel.ledger.fixity import RecordFixity, RunFixity
from carrel.model import (
    Capture,
    Fate,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.ingest_strategy import IngestStrategy
from carrel.model.strategy import StrategyChoice

URL = "https://data.example.org/dataset/7"
INGEST = "20260102T030405-0123456789abcdef"
WARC = "main-20260102030405-00000-carrel.warc.gz"
STARTED, FINISHED = "2026-01-02T03:04:05Z", "2026-01-02T03:05:00Z"
VERIFIED = "2026-02-03T04:05:06Z"


def fixity(text: str) -> Fixity:
    """Return size and digests of a text in UTF-8."""
    content = text.encode("utf-8", "surrogatepass")
    digests = {name: hashlib.new(name, content).hexdigest() for name in ("md5", "sha1", "sha256")}
    return Fixity(len(content), digests)


def kept(path: str, declared: Fixity | None = None) -> ManifestFile:
    """Return a file that was archived; its MD5 and size are published unless told otherwise."""
    whole = fixity(path)
    published = Fixity(whole.size, {"md5": whole.digests["md5"]})
    return ManifestFile(
        path=path,
        platform_url=f"{URL}/files/{whole.digests['md5'][:8]}",
        declared=published if declared is None else declared,
        status=Status.SUCCESS,
        observed=whole,
        terminal_url=f"{URL}/files/{whole.digests['md5'][:8]}",
        terminal_dt="20260102030410",
    )


def lost(path: str, status: Status = Status.PLATFORM_RESTRICTED, message: str = "") -> ManifestFile:
    """Return a file that was not archived."""
    return ManifestFile(
        path=path,
        platform_url=f"{URL}/files/closed",
        declared=Fixity(1234, {"md5": "0" * 32}),
        status=status,
        message=message or None,
    )


def record_id(position: int) -> str:
    return f"<urn:uuid:00000000-0000-4000-8000-{position:012d}>"


def archive_with(
    folder: Path,
    files: Sequence[ManifestFile],
    *,
    title: str = "Tide tables of Sandhaven",
    creators: Sequence[str] = ("Ada Harbour",),
    base_url: str = URL,
    ingest_id: str = INGEST,
    version: str = "1.0",
    started: str = STARTED,
) -> Path:
    """Put an attempt that kept what it says into an archive, which is made if there is none."""
    with Archive.create_or_open(folder) as archive:
        request = IngestRequest(base_url)
        archive.ledger.ingests.start(ingest_id, request, started)
        result = _result(request, files, title, creators, ingest_id, version)
        result = replace(result, started=started)
        captures = list(_captures(files))
        places = {number: each.record_id for number, each in captures}
        archive.ledger.ingests.finish(result, (each for _, each in captures), places)
        ends = [each.offset + each.length for _, each in captures]
        if ends:  # a WARC of that size is there, of which nothing is read but its digest
            with (archive.warcs / WARC).open("ab") as warc:
                warc.truncate(max(warc.tell(), *ends))
    return folder


def verified(folder: Path, faults: Iterable[tuple[int, Fate, str]] = ()) -> Path:
    """Note that all was verified, and that the records of the files at these places were not
    intact."""
    found = {place: (fate, message) for place, fate, message in faults}
    with Archive.create_or_open(folder) as archive:
        captures = archive.ledger.captures.of_files(INGEST)
        archive.ledger.fixity.note(_fixity(each, found) for each in captures)
        archive.ledger.fixity.note_run(RunFixity(INGEST, VERIFIED, len(captures), len(found)))
    return folder


def _result(
    request: IngestRequest,
    files: Sequence[ManifestFile],
    title: str,
    creators: Sequence[str],
    ingest_id: str,
    version: str,
) -> IngestFilesetResult:
    item = PlatformItem(
        platform_name="dataverse",
        platform_domain="data.example.org",
        platform_id=request.base_url.rpartition("/")[2],
        manifest=tuple(files),
        platform_version=version,
        title=title,
        creators=tuple(creators),
        license="CC-BY-4.0",
        published="2025-12-31",
        doi="10.5072/TIDE/7",
    )
    is_whole = all(file.is_kept for file in files)
    return IngestFilesetResult(
        request=request,
        status=Status.SUCCESS if is_whole else Status.PLATFORM_RESTRICTED,
        error_message=None if is_whole else "Some files are restricted.",
        hops=("https://doi.org/10.5072/TIDE/7", request.base_url),
        item=item,
        choice=StrategyChoice(IngestStrategy.WEB_FILESET, "few files"),
        ingest_id=ingest_id,
        started=STARTED,
        finished=FINISHED,
        carrel_version="0.1.0",
    )


def _captures(files: Sequence[ManifestFile]) -> Iterator[tuple[int, Capture]]:
    for number, file in enumerate(files):
        if file.is_kept and file.observed is not None:
            yield number, _capture(number, file, file.observed)


def _capture(number: int, file: ManifestFile, observed: Fixity) -> Capture:
    return Capture(
        url=file.terminal_url or "",
        surt="org,example,data)/",
        timestamp="20260102030410",
        mimetype="text/plain",
        status_code=200,
        size=observed.size or 0,
        md5=observed.digests["md5"],
        sha1=observed.digests["sha1"],
        sha256=observed.digests["sha256"],
        filename=WARC,
        offset=1000 * number,
        length=900,
        record_id=record_id(number),
    )


def _fixity(capture: Capture, found: dict[int, tuple[Fate, str]]) -> RecordFixity:
    fate, message = found.get(capture.offset // 1000, (Fate.INTACT, ""))
    return RecordFixity(capture.record_id, VERIFIED, fate, message)
