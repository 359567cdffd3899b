# SPDX-License-Identifier: AGPL-3.0-or-later
"""Science Data Bank, as far as its interface is open: versions and folders can be listed.

What the answers say: read in public clients of its two open questions (versionList and
childrenFileListByPath), 2026; there is no documentation. It lists a folder from its beginning
however it is asked for more, so a folder is asked for whole, and one that is full may have more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import (
    AskedItem,
    Finding,
    FindingLevel,
    Fixity,
    Landing,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.prose import shown
from carrel.platforms.about import About
from carrel.platforms.addresses import Address, bare_doi, nearest
from carrel.platforms.entries import digests, unique_paths, unreadable_checksums
from carrel.platforms.items import described
from carrel.platforms.listing import refuse_count
from carrel.platforms.platform import Api, Platform, Shape, shaped
from carrel.platforms.review import Closure, closed, nothing_there, restricted
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text
from carrel.translation import tr

_HOST = "scidb.cn"
_API = f"https://www.{_HOST}/api"
_FOLDER = f"{_API}/gin-sdb-filetree/public/file/childrenFileListByPath"
_DOWNLOAD = f"https://download.{_HOST}/download"
_ID = re.compile(r"[0-9a-f]{32}|\d{15,20}")
_VERSION = re.compile(r"V(\d{1,3})", re.IGNORECASE)
_WELL = "20000"
_MOST_IN_FOLDER = 5000
_GROUPS = frozenset({"list", "search", "c", "anthology", "community", "organization"})
_NOT_OPEN = ("RESTRICT", "EMBARGO", "PRIVATE", "PROTECT", "CLOSED", "APPL")
_GONE = ("WITHDRAW", "RETRACT", "REVOKE", "DELETE", "OFFLINE")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A dataset by its id, in a version or the newest; `group` is a page that groups several."""

    id: str = ""
    version: str | None = None
    group: str | None = None

    @property
    def versions(self) -> str:
        """The address of all versions with their descriptions."""
        service = "sdb-dataset-version-service/versionList"
        return f"{_API}/{service}?dataSetType=personal&dataSetId={self.id}&mode=front"


class _Author(Shape):
    nameEn: Text = None
    nameZh: Text = None


class _CopyRight(Shape):
    code: Text = None
    name: Text = None
    url: Text = None


class _Version(Shape):
    version: Text = None
    titleEn: Text = None
    titleZh: Text = None
    introductionEn: Text = None
    introductionZh: Text = None
    doi: Text = None
    copyRight: Part[_CopyRight] = None
    author: Objects[_Author] = ()
    versionPublishDate: Count = None
    dataSetPublishDate: Count = None
    status: Text = None
    shareStatus: Text = None
    privateState: Flag = None
    count: Count = None

    @property
    def number(self) -> int:
        match = _VERSION.fullmatch(self.version or "")
        return int(match[1]) if match else 0

    @property
    def published(self) -> str | None:
        """The day of publication, which is told in milliseconds."""
        seconds = (self.versionPublishDate or self.dataSetPublishDate or 0) // 1000
        try:
            return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds else None
        except (ValueError, OverflowError, OSError):
            return None


class _Versions(Shape):
    rows: Rows[_Version] = ()


class _File(Shape):
    id: Text = None
    path: Text = None
    fileName: Text = None
    size: Count = None
    md5: Text = None
    dir: Flag = None


class _Files(Shape):
    rows: Rows[_File] = ()


class _Answer(Shape):
    code: Text = None
    message: Text = None
    data: Any = None


@dataclass(slots=True)
class _Tree:
    """What was found in the folders of a version; `full` are those that may have more."""

    files: list[_File] = field(default_factory=list)
    full: list[str] = field(default_factory=list)


class ScienceDataBank(Platform):
    """Science Data Bank."""

    name = "scidb"
    about = About(title="Science Data Bank", hosts=frozenset({_HOST}))

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a dataset, or another page, of the bank."""
        found = _asked(landing)
        if found is None:
            return None
        return tr("the address names {name} at {host}", name=found.group or found.id, host=_HOST)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.id) if found and not found.group else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the dataset, in the version that is asked for or the newest."""
        found = _asked(landing)
        if found is None:
            raise NotThisPlatform(tr("No address on the way to this page is a dataset there."))
        if found.group:
            message = tr("{group} at Science Data Bank is not one dataset.", group=found.group)
            raise IngestStop(Status.PLATFORM_SCOPE, message)
        version = await _version(found, api)
        closure = _closure(found, version)
        tree = _Tree() if closure else await _tree(found, version, api)
        if closure is None and not tree.files:
            closure = nothing_there(tr("The dataset {id} lists no files.", id=found.id))
        return closed(_item(found, version, tree, is_open=closure is None), closure)


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    if address.host != _HOST:
        return None
    query = {name.lower(): value for name, value in address.query.items()}
    identity = query.get("datasetid", "").lower()
    if _ID.fullmatch(identity):
        match = _VERSION.fullmatch(query.get("version", ""))
        return _Asked(identity, f"V{match[1]}" if match else None)
    parts = tuple(part for part in address.parts if part not in ("en", "zh", "cn"))
    return _Asked(group="/".join(parts)) if parts[:1] and parts[0] in _GROUPS else None


def _well(url: str, answer: _Answer) -> Any:
    """Return the data of an answer. Raises ApiStop for one that says, with HTTP 200, that it
    failed."""
    if answer.code == _WELL:
        return answer.data
    message = tr(
        "{url} answered with code {code}: “{words}”",
        url=url,
        code=shown(answer.code or "?"),
        words=shown(answer.message or ""),
    )
    words = (answer.message or "").upper()
    status = Status.PLATFORM_ERROR
    if "ACCESS" in words or "PERMISSION" in words or answer.code in ("40100", "40300"):
        status = Status.PLATFORM_RESTRICTED
    elif answer.code == "40400":
        status = Status.PLATFORM_404
    raise ApiStop(status, message, 200, may_repeat=False)


async def _version(found: _Asked, api: Api) -> _Version:
    """Return the version that is asked for, else the newest."""
    data = _well(found.versions, await api.read(found.versions, _Answer))
    listed = data.get("list") if isinstance(data, dict) else data
    known = shaped(found.versions, {"rows": listed}, _Versions).rows
    wanted = [one for one in known if found.version in (None, (one.version or "").upper())]
    if not wanted:
        message = tr(
            "The dataset {id} at Science Data Bank does not exist, or not in version {version}.",
            id=found.id,
            version=found.version or "1",
        )
        raise ApiStop(Status.PLATFORM_404, message, 200)
    newest = max(wanted, key=lambda one: one.number)
    if _is_one_of(_GONE, newest):
        message = tr("The dataset {id} at Science Data Bank was withdrawn.", id=found.id)
        raise ApiStop(Status.PLATFORM_404, message, 200)
    return newest


def _is_one_of(words: tuple[str, ...], version: _Version) -> bool:
    told = f"{version.status or ''} {version.shareStatus or ''}".upper()
    return any(word in told for word in words)


def _closure(found: _Asked, version: _Version) -> Closure | None:
    if not (version.privateState or _is_one_of(_NOT_OPEN, version)):
        return None
    message = tr(
        "The files of the dataset {id} at Science Data Bank are not open ({state}).",
        id=found.id,
        state=shown(version.shareStatus or version.status or tr("private")),
    )
    return restricted(message)


async def _tree(found: _Asked, version: _Version, api: Api) -> _Tree:
    """Return all files, folder by folder."""
    tree, seen = _Tree(), set[str]()
    waiting = [f"/{version.version}"]
    while waiting:
        folder = waiting.pop()
        if folder in seen:
            continue
        seen.add(folder)
        rows = await _folder(found, version, folder, api)
        if len(rows) >= _MOST_IN_FOLDER:
            tree.full.append(folder)
        tree.files += [one for one in rows if not one.dir]
        waiting += [one.path for one in reversed(rows) if one.dir and one.path]
        if waiting:
            refuse_count(len(tree.files) + len(waiting), api)
    return tree


async def _folder(found: _Asked, version: _Version, folder: str, api: Api) -> tuple[_File, ...]:
    question = {
        "dataSetId": found.id,
        "version": version.version,
        "path": folder,
        "lastIndex": 0,
        "pageSize": _MOST_IN_FOLDER,
    }
    answer = shaped(_FOLDER, await api.query(_FOLDER, question), _Answer)
    data = _well(_FOLDER, answer)
    return shaped(_FOLDER, {"rows": data}, _Files).rows


def _item(found: _Asked, version: _Version, tree: _Tree, *, is_open: bool) -> PlatformItem:
    manifest, renamed = unique_paths(
        (_entry(one, version), one.id or str(number)) for number, one in enumerate(tree.files, 1)
    )
    names = (one.nameEn or one.nameZh for one in version.author)
    rights = version.copyRight or _CopyRight()
    return described(
        AskedItem(ScienceDataBank.name, _HOST, found.id),
        source=f"https://www.{_HOST}/en/detail?dataSetId={found.id}&version={version.version}",
        description=version.introductionEn or version.introductionZh,
        platform_version=version.version,
        asked_version=found.version,
        manifest=manifest,
        title=version.titleEn or version.titleZh,
        creators=tuple(dict.fromkeys(filter(None, names))),
        license=rights.url or rights.code or rights.name,
        published=version.published,
        doi=bare_doi(version.doi),
        findings=(*renamed, *_findings(tree)),
        shortfall=_shortfall(version, tree) if is_open else None,
    )


def _entry(file: _File, version: _Version) -> ManifestFile:
    full = file.path or file.fileName or "file"
    path = full.removeprefix(f"/{version.version}/")
    query = f"fileId={quote(file.id or '', safe='')}&path={quote(full, errors='replace')}"
    return ManifestFile(
        path=path,
        platform_url=f"{_DOWNLOAD}?{query}" if file.id else None,
        declared=Fixity(file.size, digests("md5", file.md5)),
        extra={"file_id": file.id} if file.id else {},
    )


def _shortfall(version: _Version, tree: _Tree) -> str | None:
    if tree.full:
        return tr(
            "The folder {folder} lists {most} files, as many as are shown at once: it may have "
            "more.",
            folder=shown(tree.full[0]),
            most=f"{_MOST_IN_FOLDER:,}",
        )
    if (version.count or 0) > len(tree.files):
        return tr(
            "The dataset counts {total} files but its folders list {count}.",
            total=f"{version.count:,}",
            count=f"{len(tree.files):,}",
        )
    return None


def _findings(tree: _Tree) -> Iterator[Finding]:
    yield from unreadable_checksums(
        [one.path or "?" for one in tree.files if one.md5 and not digests("md5", one.md5)]
    )
    if lost := [one for one in tree.files if not one.id]:
        message = tr("{count:,} files have no number to fetch them by.", count=len(lost))
        yield Finding("no-file-number", message, FindingLevel.WARNING)
