# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a result to an entity of fatcat, or the reason why there is none; pure.

The rules are those of the ingest proposal: what was archived file by file, or as a ZIP, and has two
files or more, is a fileset; what was archived as a single file is a file, whatever its type. Empty
and single-file manifests are no filesets; empty files are legal. Sizes and digests are those of
what arrived, and every file must be there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from carrel.exports.fatcat.places import Url, extra_of, urls_of_file, urls_of_fileset
from carrel.exports.fatcat.releases import ext_ids, release_ident
from carrel.exports.fatcat.saved_result import File, SavedResult
from carrel.model.counts import counted
from carrel.model.digest import algorithm_name
from carrel.model.fatcat import Entity, EntityKind, NoEntity
from carrel.model.ingest_strategy import IngestStrategy
from carrel.model.names import readable
from carrel.model.request import DATASET, DATASET_FILE
from carrel.model.status import Status
from carrel.translation import tr
from carrel.validation import ValidationError

_KEPT = frozenset(each.value for each in Status if each.is_success)
_OF_FILESET = ("md5", "sha1")
_OF_FILE = (*_OF_FILESET, "sha256")
_TEST_ITEM = "archiveorg-test"

_Fault = tuple[str, str]


def entity_of(fields: Mapping[str, Any], replay: str = "") -> Entity | NoEntity:
    """Return what fatcat gets of a result, or why it gets nothing.

    `fields` is the result object, as `carrel ingest --json` prints it. `replay` is the public
    address under which the archive's captures are replayed, as in
    "https://replay.library.example/data": without it, none is named.
    """
    try:
        result = SavedResult.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        reason = tr("It is not a result: {where}: {what}.", where=where, what=first["msg"])
        return NoEntity("invalid-result", reason, *_names_in(fields))
    ingest_id, base_url = result.ingest_id or "", result.request.base_url
    if result.request.ingest_type == DATASET_FILE:
        reason = tr("It repeats the file of the dataset, whose own result is used.")
        return NoEntity("repeated", reason, ingest_id, base_url, is_told_elsewhere=True)
    for code, reason in _faults(result):
        return NoEntity(code, reason, ingest_id, base_url)
    is_single = result.strategy.is_single
    kind = EntityKind.FILE if is_single else EntityKind.FILESET
    body = _file(result, replay) if is_single else _fileset(result, replay)
    ident = release_ident(result)
    body = {
        **body,
        **({"release_ids": [ident]} if ident else {}),
        "edit_extra": _edit_extra(result),
    }
    stage = result.request.release_stage or ""
    return Entity(kind, ingest_id, base_url, body, ident, ext_ids(result), stage)


def _names_in(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Return ingest id and address of what is not a result, "" where it has none."""
    request = fields.get("request")
    base_url = request.get("base_url") if isinstance(request, dict) else None
    ingest_id = fields.get("ingest_id")
    return (
        ingest_id if isinstance(ingest_id, str) else "",
        base_url if isinstance(base_url, str) else "",
    )


def _faults(result: SavedResult) -> Iterator[_Fault]:
    """Yield why there is no entity of a result, each only if none stands before it."""
    yield from _unfit(result)
    yield from _gone(result)
    is_single = result.strategy.is_single
    yield from _miscounted(result.files, is_single=is_single)
    for file in result.files:
        yield from _unproven(file, _OF_FILE if is_single else _OF_FILESET)


def _unfit(result: SavedResult) -> Iterator[_Fault]:
    """Yield why a result is not that of a dataset that was archived."""
    if result.request.ingest_type != DATASET:
        kind = result.request.ingest_type[:40]
        reason = tr("Only datasets become entities, and this is a “{kind}”.", kind=kind)
        yield "not-a-dataset", reason
    if not result.hit or result.status not in _KEPT:
        why = result.error_message or tr("see its result")
        reason = tr("It was not archived ({status}): {why}", status=result.status[:40], why=why)
        yield "not-archived", reason
    if not result.ingest_id:
        yield "no-ingest", tr("It is a preview: it has no ingest id.")


def _gone(result: SavedResult) -> Iterator[_Fault]:
    """Yield why it is not known to be where a strategy brings it, or not for long."""
    if result.ingest_strategy not in set(IngestStrategy):
        yield "no-strategy", tr("Its result names no strategy of Carrel's.")
    if result.strategy.makes_item and any(each.code == _TEST_ITEM for each in result.findings):
        reason = tr(
            "Its item is a test, which archive.org removes after about thirty days. Archive it "
            "in a collection of yours."
        )
        yield "test-item", reason


def _miscounted(files: Sequence[File], *, is_single: bool) -> Iterator[_Fault]:
    """Yield why there are too few files, or too many: a file is one, a fileset two or more."""
    if not files:
        yield "empty-manifest", tr("Its manifest is empty.")
    if len(files) == 1 and not is_single:
        reason = tr(
            "A dataset of one file is no fileset. Archive it as a single file (web-file or "
            "archiveorg-file)."
        )
        yield "single-file", reason
    if len(files) > 1 and is_single:
        count = counted(len(files), "file")
        yield "several-files", tr("It was archived as a single file and has {count}.", count=count)


def _unproven(file: File, digests: Sequence[str]) -> Iterator[_Fault]:
    """Yield why a file is not kept and proven, or cannot be named."""
    name = readable(file.path)
    if file.status not in _KEPT:
        why = file.message or file.status or tr("it was not reached")
        yield "not-kept", tr("{name} is not archived: {why}", name=name, why=why)
    lacking = [each for each in digests if getattr(file.observed, each, None) is None]
    if lacking:
        reason = tr(
            "{name} is not proven: its result has no {digests} of what arrived. Archive the "
            "dataset again with --strategy web-fileset or web-file.",
            name=name,
            digests=", ".join(map(algorithm_name, lacking)),
        )
        yield "not-proven", reason
    if "\0" in file.path:  # which its database does not take
        yield "unusable-path", tr("{name} has a name that fatcat cannot store.", name=name)


def _file(result: SavedResult, replay: str) -> dict[str, Any]:
    (file,) = result.files
    urls = urls_of_file(result, file, replay)
    extra = {"path": file.path, **_platform_id(result)}
    return {**dict(_fixity(file)), **_urls(urls), "extra": extra}


def _fileset(result: SavedResult, replay: str) -> dict[str, Any]:
    manifest = [
        {"path": file.path, **dict(_fixity(file)), **_extra(extra_of(result, file, replay))}
        for file in result.files
    ]
    urls = urls_of_fileset(result, replay)
    return {"manifest": manifest, **_urls(urls), **_extra(_platform_id(result))}


def _fixity(file: File) -> Iterator[tuple[str, Any]]:
    """Yield size, digests and type; what is not known is left out."""
    if file.observed is not None:
        yield "size", file.observed.size
    for algorithm in _OF_FILE:
        if digest := getattr(file.observed, algorithm, None):
            yield algorithm, digest
    if file.mimetype:
        yield "mimetype", file.mimetype


def _urls(urls: list[Url]) -> dict[str, Any]:
    return {"urls": [dict(each) for each in urls]} if urls else {}


def _extra(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"extra": dict(fields)} if fields else {}


def _platform_id(result: SavedResult) -> dict[str, str]:
    return {"platform_id": result.platform_id} if result.platform_id else {}


def _edit_extra(result: SavedResult) -> dict[str, Any]:
    """Return what the edit is to say of where the entity comes from."""
    request, source_id = result.request, result.request.link_source_id
    if request.link_source == "doi" and source_id:
        source_id = source_id.lower()  # as fatcat has DOIs
    fields = {
        "ingest_request_source": request.ingest_request_source,
        "link_source": request.link_source,
        "link_source_id": source_id,
        "ingest_strategy": result.ingest_strategy,
        "platform_name": result.platform_name,
        "platform_domain": result.platform_domain,
        "platform_id": result.platform_id,
        "ingest_id": result.ingest_id,
        "ext_ids": dict(ext_ids(result)),
    }
    return {name: value for name, value in fields.items() if value}
