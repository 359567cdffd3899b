# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results as text for people, and as JSON for machines."""

import codecs
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from carrel.cli.terminal import brief, say
from carrel.model import Fate, IngestFilesetResult, IngestRequest, Status
from carrel.model.beside import beside_finding
from carrel.model.counts import counted
from carrel.model.imported import is_imported_record
from carrel.model.outcome_words import (
    ACCOMPANYING,
    IS_ACCOMPANYING,
    TWIN,
    Unfit,
    found_by_last,
    instead_of_again,
    of_earlier,
)
from carrel.model.proof import kept_in_words
from carrel.model.sizes import in_words
from carrel.model.user_information import freed, may_need_freeing, shown
from carrel.translation import tr

_FILES_SHOWN = 50
_FAILURES_SHOWN = 3
_PATHS_SHOWN = 2
_INDENT = " " * 22  # of what stands under a moment


def print_json(fields: Mapping[str, Any]) -> None:
    """Print an object as a line, in UTF-8; where the output has another encoding, in ASCII.

    Bytes in the names of files that are no UTF-8 are escapes of JSON, so that nothing is lost.
    """
    encoding = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name
    line = json.dumps(fields, ensure_ascii=False)
    if encoding != "utf-8" or may_need_freeing(line):
        line = json.dumps(freed(fields), ensure_ascii=encoding != "utf-8")
    click.echo(line.encode("utf-8", "backslashreplace").decode("utf-8"))


def print_result_json(result: IngestFilesetResult) -> None:
    """Print a result as a line, and that of its file as a second one if it has one of its own."""
    print_json(result.to_json())
    if file_result := result.to_file_result_json():
        print_json(file_result)


def not_understood(text: str) -> IngestFilesetResult:
    """Return the result of an argument in which there is no identifier."""
    from carrel.engine.identifiers import why_nothing  # rarely

    text = shown(text)
    message = f"“{text[:200]}” {why_nothing(text)}."
    return IngestFilesetResult(
        request=IngestRequest(base_url=text), status=Status.INVALID_URL, error_message=message
    )


def print_preview(result: IngestFilesetResult) -> None:
    """Print what is there, and what an ingest would do with it."""
    fields = result.to_json()
    _print_head(fields)
    _print_findings(fields, beside=fields.get("error_message", ""))
    for entry in fields.get("manifest", [])[:_FILES_SHOWN]:
        say(_file_line(entry))
    left = len(fields.get("manifest", [])) - _FILES_SHOWN
    if left > 0:
        say(tr("    … and {more_files}", more_files=counted(left, "more file")))
    if "strategy_reason" in fields:
        say(f"  {fields['ingest_strategy']}: {fields['strategy_reason']}")
    for name, value in fields.get("archiveorg_item_plan", {}).get("metadata", {}).items():
        say(f"    {name}: {value if isinstance(value, str) else '; '.join(value)}")
    if not result.hit:
        _print_trouble(fields)
    say()


def advice_on(status: Status, advice: str = "") -> str:
    """Return what can be done after an outcome, with the key of the setting that is named there."""
    advice, setting = advice or status.meaning.advice, status.meaning.setting
    return f"{advice.removesuffix('.')} ({setting})." if setting else advice


def print_result(result: IngestFilesetResult) -> None:
    """Print how an ingest ended."""
    fields = result.to_json()
    is_refused = not result.hit and not _was_tried(result)
    message = fields.get("error_message", "") if is_refused else ""
    _print_head(fields)
    _print_findings(fields, beside=message)
    say(f"  {fields['status']}: {advice_on(result.status, fields['advice'])}")
    if is_refused:
        say(f"    {message}")
        if not fields.get("kept_count"):
            say(tr("    Nothing was fetched."))
    else:
        _print_missing(fields)
    how = [fields.get("ingest_strategy"), _named("ingest", fields.get("ingest_id"))]
    if line := " · ".join(part for part in how if part):
        say(f"  {line}")
    say()


def _was_tried(result: IngestFilesetResult) -> bool:
    """Say whether any file came to its turn: some are refused by the platform beforehand."""
    described = result.item.manifest if result.item else ()
    before = {entry.path: entry.status for entry in described}
    return any(entry.status != before.get(entry.path) for entry in result.files)


def _print_missing(fields: Mapping[str, Any]) -> None:
    missing = [entry for entry in fields.get("manifest", []) if not _is_kept(entry)]
    if not missing:
        return
    say(f"    {kept_in_words(fields['kept_count'], fields['file_count'])}")
    for entry in missing[:_FILES_SHOWN]:
        why = entry.get("message") or entry.get("status") or tr("it was not reached.")
        say(tr("    not archived: {path}: {why}", path=entry["path"], why=why))
    if (more := len(missing) - _FILES_SHOWN) > 0:
        say(
            tr("    … and {more_files}, not archived either", more_files=counted(more, "more file"))
        )
    message = fields.get("error_message", "")
    if message and not all(entry.get("message") for entry in missing):
        say(f"    {message}")


def print_summary(fields: Mapping[str, Any]) -> None:
    """Print what is held of a dataset, what tells it from others, damage, and a later attempt."""
    what = _what(fields)
    say(f"{fields.get('archived') or fields.get('finished', ''):20}  {what}")
    version = _named("version", fields.get("platform_version"))
    holding = [fields["status"], _holding(fields), version]
    say(f"{_INDENT}{' · '.join(part for part in holding if part)}")
    for name in _names(fields):
        if name != what:
            say(f"{_INDENT}{name}")
    for finding in beside_finding(fields.get("beside", ())):
        say(f"{_INDENT}{finding.message}")
    if added := fields.get("added"):
        say(tr("{indent}last files added {added}", indent=_INDENT, added=added))
    if fields.get("verified") and not fields.get("fixity"):
        say(f"{_INDENT}{_verified(fields)}")
    for line in _damage(fields.get("fixity")):
        say(f"{_INDENT}{line}")
    if removed := fields.get("removed"):
        say(f"{_INDENT}{removed_in_words(removed)}")
    if last := fields.get("last_attempt"):
        say(f"{_INDENT}{_last_attempt(last)}")
    if damaged := fields.get("unreadable"):
        say(f"{_INDENT}{damaged}")


def _verified(fields: Mapping[str, Any]) -> str:
    """Return when a dataset was last verified and how that ended: of what all is intact again."""
    verified, repaired = fields["verified"], fields.get("repaired") or {}
    count = repaired.get("records", 0)
    found = found_by_last(count, count, repaired.get("at", ""))
    if fields.get("is_added_to"):
        words = tr("verified {verified}, before its last files were added", verified=verified)
        return f"{words}: {found}" if repaired else words
    if repaired:
        return tr("verified {verified}: {found}", verified=verified, found=found)
    return tr("verified {verified}: every record intact", verified=verified)


def removed_in_words(removed: str) -> str:
    """Return when a dataset was removed from the holdings, and that this lost nothing."""
    return tr("removed from the holdings {removed}; its archived files are kept", removed=removed)


def _what(fields: Mapping[str, Any]) -> str:
    """Return what a dataset is called: its title, else what was requested."""
    return brief(fields.get("title") or "") or str(fields["request"]["base_url"])


def _names(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses by which a dataset and its result are requested."""
    base_url, doi = fields["request"]["base_url"], fields.get("doi")
    yield base_url
    if doi and doi.casefold() not in base_url.casefold():
        yield f"doi:{doi}"
    yield tr("ingest {ingest_id}", ingest_id=fields["ingest_id"])


def record_line(fate: str, what: str, where: str, message: str) -> str:
    """Return in words what became of a record (or a path): of `what`, if known, and `where`."""
    shown = brief(what)
    return f"{fate}: {f'{shown} in ' if shown else ''}{where}: {message}"


def place_in(warc: str, offset: int) -> str:
    """Return in words where a record stands."""
    return tr("{warc}, byte {offset}", warc=warc, offset=offset)


def _damage(fixity: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield in words what a verification found damaged or missing, and what to do."""
    if not fixity:
        return
    count = counted(fixity["failed"], "record")
    yield tr(
        "{upper}: {count}, found {found}.",
        upper=fixity["fate"].upper(),
        count=count,
        found=fixity["found"],
    )
    shown = fixity["failures"][:_FAILURES_SHOWN]
    for failed in shown:
        where = place_in(failed["filename"], failed["offset"])
        what = _paths(failed["files"]) or failed["earlier_file"] or failed["url"] or ACCOMPANYING
        yield f"  {record_line(failed['fate'], what, where, failed['message'] or '')}"
        if failed.get("has_twin"):
            yield f"    {TWIN}"
        if not failed["record_id"]:
            yield f"    {IS_ACCOMPANYING}"
        if failed["is_earlier"]:
            yield f"    {of_earlier(failed.get('version'))}"
    if more := fixity["failed"] - len(shown):
        yield tr(
            "  … and {more_records}; --json lists them", more_records=counted(more, "more record")
        )
    known = (
        Unfit(
            each["has_twin"],
            each["is_earlier"],
            not each["record_id"],
            is_imported_record(each["url"] or ""),
        )
        for each in fixity["failures"]
    )
    if words := instead_of_again(known):
        yield words
        return
    is_gone = all(failed["fate"] == Fate.MISSING for failed in fixity["failures"])
    if not is_gone:
        yield tr("Check the disk, then archive the dataset again.")
        return
    yield tr(
        "If a file was moved or renamed, put it back: “carrel verify” names one in the same folder "
        "that has these bytes. Otherwise restore what is missing from a backup, or archive the "
        "dataset again."
    )


def _paths(paths: Sequence[str]) -> str:
    """Return the first of several paths, and how many more there are."""
    more = len(paths) - _PATHS_SHOWN
    named = ", ".join(paths[:_PATHS_SHOWN])
    return (
        tr("{named} and {more_files}", named=named, more_files=counted(more, "more file"))
        if more > 0
        else named
    )


def _last_attempt(last: Mapping[str, Any]) -> str:
    """Return in words how a later attempt ended, and how much it kept."""
    kept, imported = last.get("kept_count"), last.get("imported")
    words = tr("last attempt {started}: {status}")
    if imported:
        words = tr("last attempt, imported {started}: {status}")
    parts = [
        words.format(started=imported or last["started"], status=last["status"]),
        _named("version", last.get("platform_version")),
        tr("{kept:,} of {files} archived", kept=kept, files=counted(last["file_count"], "file"))
        if kept
        else None,
        tr("ingest {ingest_id}", ingest_id=last["ingest_id"]),
    ]
    return " · ".join(part for part in parts if part)


def _holding(fields: Mapping[str, Any]) -> str:
    """Return how much of a dataset is kept."""
    kept, count = fields.get("kept_count"), fields.get("file_count")
    if "unreadable" in fields and not count:
        return tr("how many files is not known")
    if not count:  # a platform that hides files does not say how many there are
        return tr("nothing archived")
    of = (
        tr("{kept:,} of {files}", kept=kept, files=counted(count, "file"))
        if kept != count
        else counted(count, "file")
    )
    return f"{of}, {in_words(fields['kept_size'])}"


def _print_head(fields: Mapping[str, Any]) -> None:
    say(_what(fields), bold=True)
    parts = [
        fields.get("platform_name"),
        fields.get("platform_domain"),
        fields.get("platform_id"),
        _named("version", fields.get("platform_version")),
        brief(fields.get("license") or ""),
        _extent(fields),
    ]
    if line := " · ".join(part for part in parts if part):
        say(f"  {line}")


def _named(noun: str, name: str | None) -> str | None:
    return f"{noun} {brief(name)}" if name else None


def _extent(fields: Mapping[str, Any]) -> str | None:
    count, unknown = fields.get("file_count"), fields.get("unknown_sizes", 0)
    if count is None:
        return None
    if not count:
        is_empty = fields["hit"] or fields["status"] == Status.EMPTY_MANIFEST
        return tr("no files") if is_empty else tr("number of files unknown")
    files = counted(count, "file")
    if unknown == count:
        return tr("{files} of unknown size", files=files)
    more = tr(" and {unknown:,} of unknown size", unknown=unknown) if unknown else ""
    return f"{files}, {in_words(fields['total_size'])}{more}"


def _print_findings(fields: Mapping[str, Any], *, beside: str) -> None:
    """Print what was found, but nothing that the message which is printed beside it says too."""
    for finding in fields.get("findings", []):
        if finding["message"].rstrip(".") not in beside:
            say(f"  {finding['level']}: {finding['message']}")


def _print_trouble(fields: Mapping[str, Any]) -> None:
    say(f"  {fields['status']}: {fields.get('error_message', '')}".rstrip(), bold=True)
    say(f"  {advice_on(Status(fields['status']), fields['advice'])}")


def _file_line(entry: Mapping[str, Any]) -> str:
    size = tr("unknown size") if entry.get("size") is None else in_words(entry["size"])
    status = f"  [{entry['status']}]" if entry.get("status") else ""
    return f"    {size:>12}  {_digest(entry):14}  {entry['path']}{status}"


def _digest(entry: Mapping[str, Any]) -> str:
    declared: Sequence[str] = [name for name in entry.get("declared", {}) if name != "size"]
    return f"{declared[0]} {entry['declared'][declared[0]][:7]}…" if declared else tr("no digest")


def _is_kept(entry: Mapping[str, Any]) -> bool:
    return str(entry.get("status", "")).startswith("success")
