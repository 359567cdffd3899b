# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a WARC says otherwise than the archive has it, of the same record or the same ingest, and
what of an ingest that it brings is otherwise than this archive itself downloaded.

Of a record and of a result there is one, wherever it is: who has two has one that was changed. Both
in one archive would leave it to chance which of them a rebuild takes.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from carrel.archive import Archive
from carrel.engine.importing.doubts import as_follows, as_now, is_result
from carrel.engine.importing.some_names import some_names
from carrel.errors import ArchiveError
from carrel.model import Capture
from carrel.model.manifest import files_of
from carrel.translation import forms, plural, tr

# Where records stand is another place once they were packed.
_PLACES = frozenset({"cdx", "revisit_cdx"})
_WITH_PLACES = ("fileset_bundle", "fileset_file")
_OTHERWISE = forms(
    "{names} is not what this archive itself downloaded on {day}. Both are "
    "kept: the history of the dataset has the other one.",
    "{names} are not what this archive itself downloaded on {day}. Both are "
    "kept: the history of the dataset has the others.",
)


def contradictions(
    archive: Archive, captures: Iterable[Capture], results: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Yield what records and results of a WARC say otherwise than the ledger. Raises
    ArchiveError."""
    for each in captures:
        known = archive.ledger.captures.get(each.record_id)
        if known and not _has_same_bytes(known, each):
            yield _other_bytes(each)
    for ingest_id, result in results.items():
        known_result = _known_result(archive, ingest_id)
        if known_result and not says_same(known_result, result):
            yield _other_result(ingest_id)


def says_same(known: Mapping[str, Any], brought: Mapping[str, Any]) -> bool:
    """Say whether a result is the one that is known, but for what follows from its files."""
    if known == brought or not is_result(brought):
        return known == brought
    follows = as_follows(brought, files_of(brought))
    return _without_places(as_now(known)) == _without_places(follows)


def otherwise_than_own(archive: Archive, ingest_id: str) -> Iterator[str]:
    """Yield that files of an ingest which came are not what the archive itself downloaded: both are
    kept."""
    ended, paths = archive.ledger.ingests.differing_from_own(ingest_id)
    if paths:
        yield plural(*_OTHERWISE, len(paths), names=some_names(paths), day=ended[:10])


def _has_same_bytes(known: Capture, brought: Capture) -> bool:
    if known.is_revisit or brought.is_revisit or not known.sha256:
        return True  # no bytes to compare
    return (known.size, known.sha256) == (brought.size, brought.sha256)


def _known_result(archive: Archive, ingest_id: str) -> Mapping[str, Any] | None:
    with suppress(ArchiveError):  # one that is damaged may come back with this
        return archive.ledger.result(ingest_id)
    return None


def _without_places(result: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = {
        name: {key: it for key, it in result[name].items() if key not in _PLACES}
        for name in _WITH_PLACES
        if isinstance(result.get(name), Mapping)
    }
    return {name: it for name, it in {**result, **inside}.items() if name not in _PLACES}


def _other_bytes(capture: Capture) -> str:
    return tr(
        "In it the record {name} of {url} has other bytes than in this archive: one of the two was "
        "changed. Nothing of it was imported. To keep it, import it into an archive of its own.",
        name=capture.record_id,
        url=capture.url,
    )


def _other_result(ingest_id: str) -> str:
    return tr(
        "It has another result of ingest {name} than this archive: one of the two was changed. "
        "Nothing of it was imported. To keep it, import it into an archive of its own.",
        name=ingest_id,
    )
