# SPDX-License-Identifier: AGPL-3.0-or-later
"""Manifest entries from the files of a Dataverse dataset."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from urllib.parse import quote

from carrel.model import Finding, FindingLevel, Fixity, Manifest, ManifestFile, Status
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.platforms.dataverse.answers import DataFile, File
from carrel.platforms.entries import contradictions, digests, joined, unreadable_checksums
from carrel.translation import tr

# The ending of an upload of each type: what an installation itself puts in place of ".tab" when it
# gives the original back under no name of its own (FileUtil.generateOriginalExtension of
# Dataverse); behind them the labels of types as Archivematica reads them in such answers.
_ENDINGS: Mapping[str, str] = {
    "application/x-dvn-csvspss-zip": ".zip",
    "application/x-dvn-tabddi-zip": ".zip",
    "application/x-rlang-transport": ".RData",
    "application/x-spss-por": ".por",
    "application/x-spss-sav": ".sav",
    "application/x-stata": ".dta",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "text/comma-separated-values": ".csv",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/tsv": ".tsv",
    "comma separated values": ".csv",
    "ms excel (xlsx)": ".xlsx",
    "r data": ".RData",
    "spss portable": ".por",
    "spss sav": ".sav",
    "stata binary": ".dta",
}
_BY_RSYNC = tr(
    "This is a Dataverse package, a folder of files that the installation offers by rsync only; "
    "Carrel fetches over http and https only."
)
# Stata's types and labels have a number from its release 13 on.
_STATA = re.compile(r"(application/x-stata)-\d+|(stata) \d+( binary)")


def entry_of(file: File, number: int, base: str, today: date) -> ManifestFile:
    """Return the entry for a file; of one that was turned into a table, for its original.

    `number` counts the files of the dataset from 1 and names the file if nothing else does.
    """
    data, message = file.data, _closed(file, today)
    status = Status.PLATFORM_RESTRICTED if message else None
    if _is_folder(file) and message is None:
        status, message = Status.LINK_ONLY, _BY_RSYNC
    name = file.label or data.filename or data.name or f"file-{data.id or number}"
    if data.is_tabular:
        name = data.originalFileName or _original_name(name, data)
    folder = (file.directoryLabel or "").strip("/")
    return ManifestFile(
        path=f"{folder}/{name}" if folder else name,
        platform_url=None if _is_folder(file) else _url(data, base),
        declared=_declared(file),
        mimetype=(data.originalFileFormat if data.is_tabular else None) or data.contentType,
        extra=_extra(file),
        status=status,
        message=message,
    )


def file_findings(files: Sequence[File], manifest: Manifest) -> Iterator[Finding]:
    """Yield what is worth knowing of the files; `manifest` are their entries in the same order."""
    tabular = [entry for file, entry in zip(files, manifest, strict=True) if file.data.is_tabular]
    if tabular:
        message = tr(
            "The repository has converted {tables} to its own format; the original uploads are "
            "described and archived: {path}.",
            tables=count_of(tabular, "table"),
            path=shortlist(entry.path for entry in tabular),
        )
        yield Finding("tabular-original", message)
    nameless = [
        entry.path
        for file, entry in zip(files, manifest, strict=True)
        if file.data.is_tabular and not file.data.originalFileName
    ]
    if nameless:
        message = tr(
            "The installation does not publish the original name of {files}; the table's name is "
            "used, with the extension of the original type if known: {nameless}.",
            files=count_of(nameless, "file"),
            nameless=shortlist(nameless),
        )
        yield Finding("original-name-unknown", message)
    yield from _package_findings(files, manifest)
    told = [
        (entry.path, file.data, _checksums(file.data))
        for file, entry in zip(files, manifest, strict=True)
        if not _is_folder(file)
    ]
    unread = [path for path, data, checksums in told if _has_bad_checksum(data, checksums)]
    yield from unreadable_checksums(unread)
    yield from contradictions([(path, joined(*checksums)[1]) for path, _, checksums in told])


def _original_name(name: str, data: DataFile) -> str:
    """Return a table's name with the ending of its original's type, as it is if that is unknown."""
    stem, dot, ending = name.rpartition(".")
    for kind in (data.originalFileFormat, data.originalFormatLabel):
        plain = (kind or "").partition(";")[0].strip().lower()
        known = _ENDINGS.get(_STATA.sub(r"\1\2\3", plain))
        if known and dot and ending.lower() == "tab":
            return stem + known
    return name


def _package_findings(files: Sequence[File], manifest: Manifest) -> Iterator[Finding]:
    pairs = list(zip(files, manifest, strict=True))
    folders = [entry.path for file, entry in pairs if _is_folder(file)]
    if folders:
        message = tr(
            "{dataverse_packages}, each a folder of any number of files, {words} offered by rsync "
            "only and not archived: {folders}. The page of each shows the command that copies it.",
            dataverse_packages=count_of(folders, "Dataverse package"),
            words=tr("is") if len(folders) == 1 else tr("are"),
            folders=shortlist(folders),
        )
        yield Finding("package-folders", message, FindingLevel.WARNING)
    zips = [entry.path for file, entry in pairs if file.data.is_package and not _is_folder(file)]
    if zips:
        message = tr(
            "The repository itself packed {zip_files} from uploads of many files (“packages”); the "
            "published sizes are those before packing and are not compared: {zips}.",
            zip_files=count_of(zips, "zip file"),
            zips=shortlist(zips),
        )
        yield Finding("package-zips", message)


def _is_folder(file: File) -> bool:
    """Return whether a file is a folder that can be had by rsync only.

    A package in an S3 store is a zip with an address like any file's, and called so; one in a file
    system is the folder itself ("Downloading a Dataverse Package" in the user guide of Dataverse;
    S3PackageImporter and FileRecordWriter in its source).
    """
    name = file.label or file.data.filename or ""
    return file.data.is_package and not name.lower().endswith(".zip")


def _declared(file: File) -> Fixity:
    """Return what is published of the bytes that will come. Of a package, the size is that of the
    upload, and the checksum of a folder one over the checksums of its files."""
    data = file.data
    if _is_folder(file):
        return Fixity(data.filesize)
    if data.is_package:
        return Fixity(None, _digests(data))
    return Fixity(data.originalFileSize if data.is_tabular else data.filesize, _digests(data))


def _digests(data: DataFile) -> Mapping[str, str]:
    return joined(*_checksums(data))[0].digests


def _checksums(data: DataFile) -> tuple[Fixity, Fixity]:
    """Return what is told by the checksum of any algorithm, and by the MD5 that stands beside it in
    most releases and alone in the oldest."""
    published = digests(data.checksum.type, data.checksum.value) if data.checksum else {}
    return Fixity(None, published), Fixity(None, digests("md5", data.md5))


def _has_bad_checksum(data: DataFile, checksums: tuple[Fixity, Fixity]) -> bool:
    published, md5 = checksums
    value = data.odd_checksum or (
        data.checksum and (data.checksum.value or data.checksum.odd_value)
    )
    is_bad_md5 = bool(data.md5 or data.odd_md5) and not md5.digests
    return is_bad_md5 or (bool(value) and not published.digests)


def _url(data: DataFile, base: str) -> str | None:
    original = "format=original" if data.is_tabular else ""
    if data.id and data.id.isdecimal():
        return f"{base}/api/access/datafile/{data.id}" + (f"?{original}" if original else "")
    if data.persistentId:
        query = f"persistentId={quote(data.persistentId, safe=':/')}"
        tail = f"&{original}" if original else ""
        return f"{base}/api/access/datafile/:persistentId/?{query}{tail}"
    return None


def _extra(file: File) -> dict[str, object]:
    data = file.data
    extra: dict[str, object] = {}
    if file.version is not None and file.version != 1:
        extra["version"] = file.version
    if file.description:
        extra["description"] = file.description
    if file.license:
        extra["license"] = file.license
    if data.persistentId:
        extra["persistent_id"] = data.persistentId
    if data.is_package and data.filesize is not None and not _is_folder(file):
        extra["content_size"] = tr(
            "{filesize} bytes before they were packed", filesize=data.filesize
        )
    elif odd := data.odd_original_size if data.is_tabular else data.odd_filesize:
        extra["content_size"] = odd
    if data.is_tabular:
        stored = {
            "stored_name": file.label or data.filename,
            "stored_size": data.filesize,
            "unf": data.unf,
        }
        extra.update({name: value for name, value in stored.items() if value is not None})
    return extra


def _closed(file: File, today: date) -> str | None:
    """Return why a file cannot be had, in words that fit several, too; None if it can."""
    data, day = file.data, today.isoformat()
    if data.embargo and (until := data.embargo.dateAvailable) and until[:10] > day:
        return tr("Under embargo until {until}.", until=until[:10])
    if data.retention and (end := data.retention.dateUnavailable) and end[:10] < day:
        return tr("The retention period ended on {end}.", end=end[:10])
    if file.restricted:
        return tr("Available only to users whom the installation permits.")
    return None
