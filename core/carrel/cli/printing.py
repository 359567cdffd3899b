# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results as text for people, and as JSON for machines."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from carrel.cli.terminal import say
from carrel.model import Fate, IngestFilesetResult, IngestRequest, Status
from carrel.model.sizes import in_words

_FILES_SHOWN = 50
_FAILURES_SHOWN = 3
_PATHS_SHOWN = 2
_SHOWN_CHARACTERS = 200
_INDENT = " " * 22  # of what stands under a moment


def print_json(fields: Mapping[str, Any]) -> None:
    click.echo(json.dumps(fields, ensure_ascii=False))


def not_understood(text: str) -> IngestFilesetResult:
    """Return the result of an argument in which there is no identifier."""
    message = f"“{text[:200]}” holds no DOI, Handle, ARK or web address."
    return IngestFilesetResult(
        request=IngestRequest(base_url=text), status=Status.INVALID_URL, error_message=message
    )


def print_preview(result: IngestFilesetResult) -> None:
    """Print what is there, and what an ingest would do with it."""
    fields = result.to_json()
    _print_head(fields)
    _print_findings(fields)
    for entry in fields.get("manifest", [])[:_FILES_SHOWN]:
        say(_file_line(entry))
    left = len(fields.get("manifest", [])) - _FILES_SHOWN
    if left > 0:
        say(f"    … and {left} more files")
    if "strategy_reason" in fields:
        say(f"  {fields['ingest_strategy']}: {fields['strategy_reason']}")
    for name, value in fields.get("archiveorg_item_plan", {}).get("metadata", {}).items():
        say(f"    {name}: {value if isinstance(value, str) else '; '.join(value)}")
    if not result.hit:
        _print_trouble(fields)
    say()


def print_result(result: IngestFilesetResult) -> None:
    """Print how an ingest ended."""
    fields = result.to_json()
    _print_head(fields)
    _print_findings(fields)
    missing = [entry for entry in fields.get("manifest", []) if not _is_kept(entry)]
    was_tried = any("status" in entry for entry in missing)
    say(f"  {fields['status']}: {fields['advice']}")
    if not result.hit and not was_tried:
        say(f"    {fields.get('error_message', '')}")
        if not fields.get("kept_count"):
            say("    Nothing was fetched.")
        say()
        return
    if missing:
        say(f"    {fields['kept_count']} of {fields['file_count']} files are kept.")
    for entry in missing[:_FILES_SHOWN]:
        say(f"    not kept: {entry['path']}: {entry.get('message') or entry.get('status')}")
    if len(missing) > _FILES_SHOWN:
        say(f"    … and {len(missing) - _FILES_SHOWN} more files that were not kept")
    say()


def print_summary(fields: Mapping[str, Any]) -> None:
    """Print what is held of a dataset, what tells it from others, damage, and a later attempt."""
    what = fields.get("title") or fields["request"]["base_url"]
    say(f"{fields.get('finished', ''):20}  {fields['status']:23}  {_holding(fields):28}  {what}")
    say(f"{_INDENT}{' · '.join(_names(fields))}")
    for line in _damage(fields.get("fixity")):
        say(f"{_INDENT}{line}")
    if last := fields.get("last_attempt"):
        say(f"{_INDENT}{_last_attempt(last)}")


def _names(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a dataset and its result are asked for by."""
    base_url, doi = fields["request"]["base_url"], fields.get("doi")
    yield base_url
    if doi and doi.casefold() not in base_url.casefold():
        yield f"doi:{doi}"
    if version := fields.get("platform_version"):
        yield f"version {version}"
    yield f"ingest {fields['ingest_id']}"


def record_line(fate: str, what: str, where: str, message: str) -> str:
    """Return in words what became of a record (or a path): of `what`, if known, and `where`."""
    shown = what[:_SHOWN_CHARACTERS]
    return f"{fate}: {f'{shown} in ' if shown else ''}{where}: {message}"


def place_in(warc: str, offset: int) -> str:
    """Return in words where a record stands."""
    return f"{warc}, byte {offset}"


def _damage(fixity: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield in words what a verification found damaged or missing, and what to do."""
    if not fixity:
        return
    count = f"{fixity['failed']} record{'s' * (fixity['failed'] != 1)}"
    yield f"{fixity['fate'].upper()}: {count}, found so {fixity['found']}."
    shown = fixity["failures"][:_FAILURES_SHOWN]
    for failed in shown:
        where = place_in(failed["filename"], failed["offset"])
        what = _paths(failed["files"]) or failed["url"]
        yield f"  {record_line(failed['fate'], what, where, failed['message'] or '')}"
    if more := fixity["failed"] - len(shown):
        yield f"  … and {more} more record{'s' * (more != 1)}; --json lists them"
    is_gone = all(failed["fate"] == Fate.MISSING for failed in fixity["failures"])
    first = "Bring back what is missing from a backup, or" if is_gone else "Check the disk, then"
    yield f"{first} archive the dataset again."


def _paths(paths: Sequence[str]) -> str:
    """Return the first of several paths, and how many more there are."""
    more = len(paths) - _PATHS_SHOWN
    named = ", ".join(paths[:_PATHS_SHOWN])
    return f"{named} and {more} more file{'s' * (more != 1)}" if more > 0 else named


def _last_attempt(last: Mapping[str, Any]) -> str:
    """Return in words how a later attempt ended, and how much it kept."""
    version, kept = last.get("platform_version"), last.get("kept_count")
    parts = [
        f"last attempt {last['started']}: {last['status']}",
        f"version {version}" if version else None,
        f"{kept} of {last['file_count']} files kept" if kept else None,
        f"ingest {last['ingest_id']}",
    ]
    return " · ".join(part for part in parts if part)


def _holding(fields: Mapping[str, Any]) -> str:
    """Return how much of a dataset is kept."""
    if "file_count" not in fields:
        return "nothing"
    kept, count = fields["kept_count"], fields["file_count"]
    files = f"{kept} of {count} files" if kept != count else f"{count} file{'s' * (count != 1)}"
    return f"{files}, {in_words(fields['kept_size'])}"


def _print_head(fields: Mapping[str, Any]) -> None:
    say(fields.get("title") or fields["request"]["base_url"], bold=True)
    version = fields.get("platform_version")
    parts = [
        fields.get("platform_name"),
        fields.get("platform_domain"),
        fields.get("platform_id"),
        f"version {version}" if version else None,
        fields.get("license"),
        _extent(fields) or None,
    ]
    if line := " · ".join(part for part in parts if part):
        say(f"  {line}")


def _extent(fields: Mapping[str, Any]) -> str:
    if "file_count" not in fields:
        return ""
    count = fields["file_count"]
    unknown = fields.get("unknown_sizes")
    if unknown and unknown == count:
        return f"{count} file{'s' if count != 1 else ''} of unknown size"
    more = f" and {unknown} of unknown size" if unknown else ""
    return f"{count} file{'s' if count != 1 else ''}, {in_words(fields['total_size'])}{more}"


def _print_findings(fields: Mapping[str, Any]) -> None:
    for finding in fields.get("findings", []):
        say(f"  {finding['level']}: {finding['message']}")


def _print_trouble(fields: Mapping[str, Any]) -> None:
    say(f"  {fields['status']}: {fields.get('error_message', '')}".rstrip(), bold=True)
    say(f"  {fields['advice']}")


def _file_line(entry: Mapping[str, Any]) -> str:
    size = "unknown size" if entry.get("size") is None else in_words(entry["size"])
    status = f"  [{entry['status']}]" if entry.get("status") else ""
    return f"    {size:>12}  {_digest(entry):14}  {entry['path']}{status}"


def _digest(entry: Mapping[str, Any]) -> str:
    declared: Sequence[str] = [name for name in entry.get("declared", {}) if name != "size"]
    return f"{declared[0]} {entry['declared'][declared[0]][:7]}…" if declared else "no digest"


def _is_kept(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("status", "")).startswith("success")
