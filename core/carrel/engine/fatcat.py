# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entities of fatcat from the archive or from saved results, one after the other, and as files."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from carrel.archive import Archive
from carrel.engine.holdings import Holdings
from carrel.errors import UsageError
from carrel.exports.fatcat.entities import entity_of
from carrel.exports.options import is_authority
from carrel.model.beside import beside_finding
from carrel.model.fatcat import Entity, EntityKind, NoEntity
from carrel.translation import tr
from carrel.whole_file import WholeFile

Found = Entity | NoEntity

# A result of 10,000 files has 8.5 MB.
_LONGEST_LINE = 256 * 1024 * 1024
_LACKING = ("not-archived", "not-kept")
_NAMES = {EntityKind.FILESET: "filesets.jsonl", EntityKind.FILE: "files.jsonl"}


def entities_in(archive: Archive, ingest_ids: Iterable[str], replay: str = "") -> Iterator[Found]:
    """Yield what fatcat gets of attempts in an archive, in this order.

    `replay` is the public address of a replay server, "" for none. Raises UsageError for another.
    """
    _check_replay(replay)
    holdings = Holdings(archive)
    for ingest_id in ingest_ids:
        result = holdings.result(ingest_id)
        if result is None:
            reason = tr("The archive has no result of this ingest.")
            yield NoEntity("no-result", reason, ingest_id)
        else:
            yield _told_beside(entity_of(result, replay), holdings)


def _told_beside(found: Found, holdings: Holdings) -> Found:
    """Say of what was refused for files that lack which of them another ingest has."""
    if not (isinstance(found, NoEntity) and found.code in _LACKING):
        return found
    told = [each.message for each in beside_finding(holdings.beside(found.ingest_id))]
    return replace(found, reason=" ".join([found.reason, *told]))


def entities_in_lines(stream: BinaryIO, replay: str = "") -> Iterator[Found]:
    """Yield what fatcat gets of saved results, a JSON object a line; empty lines are passed over.

    As they come, in flat memory. Raises UsageError as `entities_in` does.
    """
    _check_replay(replay)
    number = 0
    while line := stream.readline(_LONGEST_LINE):
        number += 1
        is_cut = len(line) == _LONGEST_LINE and not line.endswith(b"\n")
        if is_cut:
            _pass_over(stream)
        if line.strip():
            yield _entity_in(number, b"" if is_cut else line, replay)


def write_entities(found: Iterable[Found], output: Path, *, is_folder: bool) -> Iterator[Found]:
    """Write entities as JSON lines and yield each result when it is written, or refused.

    `output` is a file, or a folder (made if need be) that gets `filesets.jsonl` and `files.jsonl`.
    Each is there when all of it is, at the end, and what is there already stays. Raises UsageError
    and OSError.
    """
    if is_folder:
        output.mkdir(parents=True, exist_ok=True)
    paths = {kind: output / name if is_folder else output for kind, name in _NAMES.items()}
    _refuse_existing(paths.values())
    with ExitStack() as stack:
        wholes = {
            path: stack.enter_context(WholeFile(path, may_replace=False))
            for path in dict.fromkeys(paths.values())
        }
        for each in found:
            if isinstance(each, Entity):
                wholes[paths[each.kind]].file.write(line_of(each))
            yield each
        for whole in wholes.values():
            whole.commit()


def line_of(entity: Entity) -> bytes:
    """Return an entity as a line of JSON, in UTF-8."""
    return json.dumps(entity.body, ensure_ascii=False).encode() + b"\n"


def _refuse_existing(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.exists():
            raise UsageError(tr("{path} already exists. Choose another name.", path=path))


def _entity_in(number: int, line: bytes, replay: str) -> Found:
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        reason = tr("Line {number:,} is not a result in JSON.", number=number)
        return NoEntity("invalid-result", reason)
    return entity_of(fields, replay)


def _pass_over(stream: BinaryIO) -> None:
    """Read to the end of a line that is far too long."""
    while (more := stream.readline(_LONGEST_LINE)) and not more.endswith(b"\n"):
        pass


def _check_replay(replay: str) -> None:
    if replay and not is_authority(replay):
        raise UsageError(
            tr("--replay is the web address of a server that anyone can reach, with https or http.")
        )
