# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where in a holding the words are that it was found by: in which version, and in which files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from carrel.ledger import full_text
from carrel.ledger.ledger import Ledger
from carrel.model import ManifestFile
from carrel.model.holdings import HoldingRow, Matches


def matches_in(ledger: Ledger, row: HoldingRow, text: str) -> Matches:
    """Return the attempt whose version has all that was searched for: that which is held now before
    others, of these the newest; else what that lacks. Raises ArchiveError where the ledger cannot
    be read."""
    attempts = ledger.history(row.dataset_id).attempts
    earlier = [each.ingest_id for each in reversed(attempts) if each.brought and not each.is_held]
    for ingest_id in (row.ingest_id, *earlier):
        if ingest_id == text.strip():
            return Matches(ingest_id)
        result = ledger.result(ingest_id) or {}
        files = [file for file in _files(result) if file.is_kept]
        paths = _files_with(files, text)
        if paths or full_text.matching([_texts(result, files, row)], text):
            return Matches(ingest_id, paths)
    return Matches(row.ingest_id, _files_with(_files(ledger.result(row.ingest_id) or {}), text))


def _files(result: Mapping[str, Any]) -> Sequence[ManifestFile]:
    return list(map(ManifestFile.from_json, result.get("manifest") or ()))


def _files_with(files: Sequence[ManifestFile], text: str) -> Sequence[str]:
    """Return the files whose names have all words, or whose digest begins so."""
    named = full_text.matching([((), (), (), [file.path], ()) for file in files], text)
    paths = [files[number].path for number in named]
    if digest := full_text.digest_prefix(text):
        paths += [file.path for file in files if _has_digest(file, digest)]
    return list(dict.fromkeys(paths))


def _has_digest(file: ManifestFile, beginning: str) -> bool:
    sides = (file.declared, file.observed)
    digests = (digest for side in sides if side for digest in side.digests.values())
    return any(digest.lower().startswith(beginning) for digest in digests)


def _texts(
    result: Mapping[str, Any], files: Sequence[ManifestFile], row: HoldingRow
) -> Sequence[Iterable[str]]:
    """Return what a version is searched by, as the catalogue has it of all versions."""
    names = [result.get("doi"), result.get("platform_id")]
    return (
        [result.get("title") or row.title],
        ["; ".join(result.get("creators") or ())],
        [*filter(None, names), row.identifier, (result.get("request") or {}).get("base_url", "")],
        [file.path for file in files],
        [row.note, *row.tags],
    )
