# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of every item alike: whether anything of it can be had, and which names are unsafe.

A platform marks an item of which nothing can be had with `closed`; `reviewed` is the registry's
last look at whatever a platform returned.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace

from carrel.errors import ApiStop
from carrel.model import (
    Finding,
    FindingLevel,
    Landing,
    Manifest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.model.result import NEEDS_TOKEN, RESTRICTED_FILES
from carrel.model.safe_names import safe_paths
from carrel.platforms.about import TokenUse
from carrel.platforms.addresses import read_address
from carrel.translation import plural, tr

# Longer than any path that a file system takes whole, and than most people read.
_LONGEST_PATH = 1000
# Control characters, and what stands for characters that no text can hold.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\ufffd]")
# What no one sees in a name: marks that turn the text around, and characters without width.
# Joiners are none: Persian and pictures made of several need them.
_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
# For who has no account at the platform, or no permission.
CLOSED = (Status.CREDENTIALS_REQUIRED, Status.PLATFORM_RESTRICTED)
_ELSEWHERE = re.compile(r"^/|^[A-Za-z]:|\\|(?:^|/)\.\.(?:/|$)")


@dataclass(frozen=True, slots=True)
class Closure:
    """Why nothing of a dataset can be had: the item's status, and the reason for people."""

    status: Status
    message: str


def restricted(message: str) -> Closure:
    """Return the closure of a dataset that is not for the public."""
    return Closure(Status.PLATFORM_RESTRICTED, message)


def nothing_there(message: str) -> Closure:
    """Return the closure of a dataset without a single file."""
    return Closure(Status.EMPTY_MANIFEST, message)


def account_needed(message: str) -> Closure:
    """Return the closure of files that anyone gets who has an account at the platform."""
    return Closure(Status.CREDENTIALS_REQUIRED, message)


def opened(
    item: PlatformItem, token: TokenUse | None, has_token: Callable[[str], bool]
) -> PlatformItem:
    """Return the item with what is closed marked as to be had where the person has a token that
    goes along with it, and with findings on what a token would open.

    Of what only some people get, where the platform takes no `token`, nothing is said.
    """
    kinds = CLOSED if token else CLOSED[:1]
    manifest: list[ManifestFile] = []
    waiting: dict[Status, list[ManifestFile]] = {kind: [] for kind in kinds}
    for entry in item.manifest:
        is_closed = entry.status in kinds and entry.platform_url
        if is_closed and has_token(entry.platform_url or ""):
            manifest.append(_opened(entry))
            continue
        manifest.append(entry)
        if is_closed and entry.status:
            waiting[entry.status].append(entry)
    if item.platform_status in kinds and any(it.status is None for it in manifest):
        item = replace(item, platform_status=Status.SUCCESS, platform_message=None)
    findings = [_token_finding(kind, entries) for kind, entries in waiting.items() if entries]
    return replace(item, manifest=tuple(manifest), findings=(*item.findings, *findings))


def _opened(entry: ManifestFile) -> ManifestFile:
    """Return a closed file as one to be had, and say that not everybody has it."""
    extra = {**entry.extra, "opened_by_token": True}
    return replace(entry, status=None, message=None, extra=extra)


def without_held(
    findings: Iterable[Finding], manifest: Manifest, held: Set[str]
) -> tuple[Finding, ...]:
    """Return findings of which those on a token leave out files that are held, by their paths."""
    others: dict[Finding, Finding | None] = {}
    for kind in CLOSED:
        waiting = [it for it in manifest if it.status is kind and it.platform_url]
        lacking = [it for it in waiting if it.path not in held]
        if waiting:
            now = _token_finding(kind, lacking) if lacking else None
            others[_token_finding(kind, waiting)] = now
    told = (others.get(each, each) for each in findings)
    return tuple(each for each in told if each is not None)


def _token_finding(reason: Status, waiting: list[ManifestFile]) -> Finding:
    """Return what a token would open of these files, which are closed for one reason."""
    files = count_of(waiting, "file")
    places = (read_address(it.platform_url or "") for it in waiting)
    hosts = shortlist(dict.fromkeys(place.netloc for place in places if place))
    if reason is Status.CREDENTIALS_REQUIRED:
        message = tr(
            "{files} can be downloaded only with an account: {names}. With a token for {hosts} "
            "(Settings, or “carrel credentials set”) they are archived too.",
            files=files,
            names=shortlist([it.path for it in waiting]),
            hosts=hosts,
        )
    else:
        message = tr(
            "With a token for {hosts} of a person who has access (Settings, or “carrel credentials "
            "set”), {files} can be archived.",
            hosts=hosts,
            files=count_of(waiting, "more file"),
        )
    return Finding(NEEDS_TOKEN, message)


def not_there(stop: ApiStop, what: str) -> ApiStop:
    """Return a 404 with what was not found named first ("the record 1 at zenodo.org"), the address
    last; any other failure as it is."""
    if stop.status is not Status.PLATFORM_404:
        return stop
    message = tr(
        "{upper}{what} does not exist, or no longer: {stop}",
        upper=what[:1].upper(),
        what=what[1:],
        stop=stop,
    )
    return ApiStop(stop.status, message, stop.http_status, may_repeat=stop.may_repeat)


def closed(item: PlatformItem, why: Closure | None) -> PlatformItem:
    """Return the item with its files marked as not to be had; as it is if nothing closes it."""
    if why is None:
        return item
    manifest = tuple(
        entry if entry.status else replace(entry, status=why.status, message=why.message)
        for entry in item.manifest
    )
    return replace(
        item, manifest=manifest, platform_status=why.status, platform_message=why.message
    )


def unread_blocks(landing: Landing) -> str:
    """Return in words which blocks of JSON-LD on the page could not be read, "" if all could.

    Those of a page that is an error's say nothing of a dataset.
    """
    faults = landing.unread_json_ld if landing.outcome is None else ()
    if not faults:
        return ""
    what = "A block" if len(faults) == 1 else tr("{faults} blocks", faults=len(faults))
    return tr(
        "{what} of structured data (JSON-LD) on the page cannot be read completely, so their "
        "information about a dataset or its files is unknown: {faults}.",
        what=what,
        faults=shortlist(faults),
    )


def reviewed(item: PlatformItem) -> PlatformItem:
    """Return the item as the faces get it: closed if each of its files is, with findings on some
    that are and on unsafe paths; a file that has no address is told so."""
    item = replace(item, manifest=tuple(map(_with_reason, item.manifest)))
    item = replace(item, findings=(*item.findings, *_announced_sizes(item.manifest)))
    if not item.platform_status.is_success:
        findings: tuple[Finding, ...] = ()
    else:
        item = closed(item, _closure_of(item.manifest))
        findings = tuple(_closed_files(item))
    names = (*_unsafe_paths(item.manifest), *_hidden_characters(item.manifest))
    return replace(item, findings=(*item.findings, *findings, *names))


def _with_reason(entry: ManifestFile) -> ManifestFile:
    """Return an entry that has no address with what an ingest of it would end in."""
    if entry.platform_url or entry.status:
        return entry
    message = tr("The platform publishes no web address for this file.")
    return replace(entry, status=Status.ERROR_PLATFORM_DOWNLOAD, message=message)


def _closure_of(manifest: Manifest) -> Closure | None:
    """Return why none of the files can be had, None if one can or if there are none."""
    first = next(iter(manifest), None)
    if first is None or first.status is None or any(entry.status is None for entry in manifest):
        return None
    reason = first.message or first.status.meaning.advice
    if len(manifest) == 1:
        return Closure(first.status, reason)
    return Closure(
        first.status,
        tr(
            "None of the {manifest:,} files can be downloaded: {reason}",
            manifest=len(manifest),
            reason=reason,
        ),
    )


def _closed_files(item: PlatformItem) -> Iterator[Finding]:
    shut = [entry.path for entry in item.manifest if entry.status is Status.PLATFORM_RESTRICTED]
    if shut and item.platform_status.is_success:
        files = count_of(item.manifest, "file")
        message = tr(
            "{count:,} of {files} cannot be downloaded: {names}.",
            count=len(shut),
            files=files,
            names=shortlist(shut),
        )
        yield Finding(RESTRICTED_FILES, message, FindingLevel.WARNING)


def _announced_sizes(manifest: Manifest) -> Iterator[Finding]:
    """Tell of sizes that are no number of bytes, rough or nonsense: no file is held to them."""
    announced = [
        f"{entry.path} (“{entry.extra['content_size']}”)"
        for entry in manifest
        if entry.size is None and entry.extra.get("content_size")
    ]
    if announced:
        message = tr(
            "The published size of {files} is not an exact number of bytes "
            "and is not compared with what arrives: {announced}.",
            files=count_of(announced, "file"),
            announced=shortlist(announced),
        )
        yield Finding("size-not-exact", message)


def _unsafe_paths(manifest: Manifest) -> Iterator[Finding]:
    """Tell of the names that an export changes."""
    paths = [entry.path for entry in manifest]
    unsafe = [
        path for path, safe in zip(paths, safe_paths(paths), strict=True) if path != f"{safe}"
    ]
    if unsafe:
        message = plural(
            "Some disks do not accept the name of {count:,} listed file, or mistake it for that of "
            "another file: {names}. If it is archived, it has this name in the archive, and "
            "another one in exports.",
            "Some disks do not accept the names of {count:,} listed files, or mistake them for "
            "those of other files: {names}. Those that are archived have these names in the "
            "archive, and others in exports.",
            len(unsafe),
            count=len(unsafe),
            names=shortlist(unsafe),
        )
        yield Finding("unsafe-path", message, FindingLevel.WARNING)


def _hidden_characters(manifest: Manifest) -> Iterator[Finding]:
    odd = [entry.path for entry in manifest if _HIDDEN.search(entry.path)]
    if odd:
        message = tr(
            "{names} may be mistaken for another, because of invisible or direction-changing "
            "characters (shown here as \ufffd): {odd}. Each is archived as published.",
            names=count_of(odd, "name"),
            odd=shortlist(odd),
        )
        yield Finding("hidden-characters", message, FindingLevel.WARNING)


def is_unsafe(path: str) -> bool:
    """Return whether a path could not be written below a folder as it stands, on any system."""
    return (
        len(path) > _LONGEST_PATH
        or _ELSEWHERE.search(path) is not None
        or _UNWRITABLE.search(path) is not None
    )
