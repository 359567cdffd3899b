# SPDX-License-Identifier: AGPL-3.0-or-later
"""GitHub: the assets of a release, or a repository at one commit as a zip.

A zip of sources is made when it is asked for, and its bytes may differ from one day to the next:
the commit is what identifies them. What the answers say: docs.github.com/rest, 2026.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import quote

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, Fixity, Landing, ManifestFile, PlatformItem, Status
from carrel.platforms.about import About, KnownLimit, TokenUse
from carrel.platforms.addresses import Address, addresses, nearest, web_address
from carrel.platforms.entries import file_of_dataset, prefixed_digests, unique_paths
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import not_there
from carrel.platforms.shapes import Count, Flag, Part, Rows, Text
from carrel.translation import tr

_HOST = "github.com"
_API = "https://api.github.com/repos"
_HOSTS = frozenset({_HOST, "api.github.com", "raw.githubusercontent.com", "codeload.github.com"})
# A name of a branch has hardly more.
_MOST_SLASHES = 4
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_UPLOADED = "uploaded"
_PAGES = frozenset(
    ("about", "apps", "collections", "contact", "explore", "features", "login", "marketplace",
     "orgs", "pricing", "search", "settings", "sponsors", "topics", "trending", "users")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """A repository: a release by its tag ("" for the latest), or a revision (None for the branch
    that is shown first); `path` is the file in it that is named."""

    owner: str
    repository: str
    tag: str | None = None
    revision: str | None = None
    path: str = ""

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.repository}"

    @property
    def page(self) -> str:
        return f"https://{_HOST}/{self.name}"

    @property
    def slashes(self) -> int:
        """How many slashes the revision has."""
        return (self.revision or "").count("/")

    def with_longer_revision(self) -> "_Asked":
        """Return what it asks for if the next part of the path is the revision's."""
        part, _, rest = self.path.partition("/")
        return replace(self, revision=f"{self.revision}/{part}", path=rest)


class _Asset(Shape):
    id: Text = None
    name: Text = None
    size: Count = None
    content_type: Text = None
    browser_download_url: Text = None
    digest: Text = None
    state: Text = None


class _Release(Shape):
    name: Text = None
    tag_name: Text = None
    body: Text = None
    published_at: Text = None
    draft: Flag = None
    assets: Rows[_Asset] = ()


class _License(Shape):
    spdx_id: Text = None


class _Repository(Shape):
    full_name: Text = None
    description: Text = None
    default_branch: Text = None
    license: Part[_License] = None


class _Commit(Shape):
    sha: Text = None


class GitHub(Platform):
    """GitHub."""

    name = "github"
    about = About(
        title="GitHub",
        token=TokenUse(hosts=("api.github.com",)),
        limits=(KnownLimit("api.github.com", 60, 5000, "2026-10", "docs.github.com: 60 an hour"),),
    )

    def group_of(self, landing: Landing) -> str | None:
        """Return the page that is none of one dataset."""
        return _group(landing)

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the repository that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the assets of the release, or the zip of the commit."""
        found = _asked(landing)
        if found is None:
            if group := self.group_of(landing):
                message = tr("{group} is not the page of one repository.", group=group)
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page is a repository there."))
        try:
            return await (_release(found, api) if found.tag is not None else _commit(found, api))
        except ApiStop as stop:
            what = tr("{name} at GitHub (which may be private)", name=found.name)
            raise not_there(stop, what) from stop.__cause__


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    parts = address.parts
    if address.host not in _HOSTS:
        return None
    if address.host == "api.github.com":
        parts = parts[1:] if parts[:1] == ("repos",) else ()
    if len(parts) < 2 or parts[0] in _PAGES:
        return None
    owner, repository = parts[0], parts[1].removesuffix(".git")
    if not (_NAME.fullmatch(owner) and _NAME.fullmatch(repository)):
        return None
    rest = parts[2:]
    if address.host == "raw.githubusercontent.com":
        rest = ("blob", *rest)
    return _within(owner, repository, rest)


def _within(owner: str, repository: str, rest: tuple[str, ...]) -> _Asked:
    """Return what an address asks for by what stands behind the repository."""
    view, *more = rest or ("",)
    if view == "releases" and more:
        if more[0] == "latest":
            return _Asked(owner, repository, tag="")
        if more[0] in ("tag", "tags") and len(more) > 1:
            return _Asked(owner, repository, tag="/".join(more[1:]))
        if more[0] == "download" and len(more) > 2:
            return _Asked(owner, repository, tag=more[1], path="/".join(more[2:]))
    if view in ("tree", "commit", "commits", "zip", "tar.gz") and more:
        return _Asked(owner, repository, revision=_revision(more), path="/".join(more[1:]))
    if view in ("blob", "raw") and more:
        behind = more[3:] if more[0] == "refs" and len(more) > 2 else more[1:]
        return _Asked(owner, repository, revision=_revision(more), path="/".join(behind))
    if view == "archive" and more:
        name = _revision(more)
        for ending in (".zip", ".tar.gz"):
            name = name.removesuffix(ending)
        return _Asked(owner, repository, revision=name)
    return _Asked(owner, repository)


def _revision(parts: list[str]) -> str:
    """Return the revision that begins here: `refs/heads/NAME` and `refs/tags/NAME` are NAME's."""
    return parts[2] if parts[0] == "refs" and len(parts) > 2 else parts[0]


def _group(landing: Landing) -> str | None:
    for address in addresses(landing):
        if address.host == _HOST and address.parts:
            return f"{address.host}{address.path}"
    return None


async def _release(found: _Asked, api: Api) -> PlatformItem:
    home = f"{_API}/{found.name}/releases"
    url = f"{home}/tags/{quote(found.tag or '', safe='')}" if found.tag else f"{home}/latest"
    release = await api.read(url, _Release)
    tag = release.tag_name or found.tag or ""
    entries = [(_asset(asset, number), asset.id or str(number))
               for number, asset in enumerate(release.assets, 1)]  # fmt: skip
    manifest, renamed = unique_paths([*entries, (_sources(found, tag), "sources")])
    return described(
        AskedItem(GitHub.name, _HOST, found.name),
        source=f"{found.page}/releases/tag/{tag}",
        platform_version=tag,
        asked_version=found.tag or None,
        manifest=manifest,
        title=release.name or f"{found.name} {tag}",
        creators=(found.owner,),
        published=(release.published_at or "")[:10] or None,
        description=release.body,
        findings=(*renamed, *_findings(found)),
    )


def _asset(asset: _Asset, number: int) -> ManifestFile:
    is_there = asset.state in (None, _UPLOADED)
    message = tr("The upload of this file was never finished: {state}.", state=asset.state)
    return ManifestFile(
        path=asset.name or f"asset-{number}",
        platform_url=web_address(f"https://{_HOST}/", asset.browser_download_url),
        declared=_declared(asset),
        mimetype=asset.content_type,
        status=None if is_there else Status.ERROR_PLATFORM_DOWNLOAD,
        message=None if is_there else message,
    )


def _declared(asset: _Asset) -> Fixity:
    has_prefix = ":" in (asset.digest or "")
    return Fixity(asset.size, prefixed_digests(asset.digest) if has_prefix else {})


def _sources(found: _Asked, revision: str) -> ManifestFile:
    """Return the zip of the sources at a tag or commit."""
    name = revision.replace("/", "-")
    return ManifestFile(
        path=f"{found.repository}-{name}.zip",
        platform_url=f"{found.page}/archive/{quote(revision, safe='/')}.zip",
        mimetype="application/zip",
    )


async def _commit(found: _Asked, api: Api) -> PlatformItem:
    about = await api.read(f"{_API}/{found.name}", _Repository)
    branch = about.default_branch or "HEAD"
    asked = found if found.revision else replace(found, revision=branch, path="")
    read, commit = await _found_commit(asked, api)
    found = read if found.revision else found
    if commit.sha is None:
        message = tr("GitHub names no commit for {revision}.", revision=read.revision)
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return described(
        AskedItem(GitHub.name, _HOST, about.full_name or found.name),
        source=found.page,
        platform_version=commit.sha,
        asked_version=found.revision,
        manifest=(_sources(found, commit.sha),),
        title=about.full_name or found.name,
        creators=(found.owner,),
        license=about.license.spdx_id if about.license else None,
        description=about.description,
        findings=tuple(_findings(found)),
    )


async def _found_commit(found: _Asked, api: Api) -> tuple[_Asked, _Commit]:
    """Return the commit, and what was requested of it: a branch may have slashes in its name, so
    that it can be longer than it looks in an address."""
    try:
        return found, await api.read(_commits(found), _Commit)
    except ApiStop as stop:
        first = _no_commit(stop)
    longer = found
    while first.status is Status.PLATFORM_404 and longer.path and longer.slashes < _MOST_SLASHES:
        longer = longer.with_longer_revision()
        with suppress(ApiStop):
            return longer, await api.read(_commits(longer), _Commit)
    raise first


def _commits(found: _Asked) -> str:
    return f"{_API}/{found.name}/commits/{quote(found.revision or '', safe='')}"


def _no_commit(stop: ApiStop) -> ApiStop:
    """Return what it means that there is no commit: an empty repository, or none of that name."""
    status = {409: Status.EMPTY_MANIFEST, 422: Status.PLATFORM_404}.get(stop.http_status or 0)
    return ApiStop(status, str(stop), stop.http_status, may_repeat=False) if status else stop


def _findings(found: _Asked) -> Iterator[Finding]:
    message = tr(
        "GitHub makes the zip of the sources on request, without a checksum. Files in Git's large "
        "file storage and submodules are not in it."
    )
    yield Finding("made-on-request", message)
    yield from file_of_dataset(found.path, found.name)
