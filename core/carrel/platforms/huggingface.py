# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hugging Face: the files of a dataset's repository at one commit.

A file in large file storage has its SHA-256; of any other only the id of its Git blob is told,
which is no digest of the content. What the answers say: huggingface.co/docs/hub/api, 2026.
"""

from dataclasses import dataclass
from urllib.parse import quote

from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Fixity, Landing, ManifestFile, PlatformItem, Status
from carrel.model.prose import shown
from carrel.platforms.about import About, KnownLimit, TokenUse
from carrel.platforms.addresses import Address, addresses, nearest
from carrel.platforms.entries import digests, file_of_dataset
from carrel.platforms.items import described
from carrel.platforms.listing import Listing, Page, listed, refuse_count
from carrel.platforms.platform import Api, Platform, Shape
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.platforms.shapes import Count, Flag, Part, Rows, Text
from carrel.translation import tr

_HOST = "huggingface.co"
_HOSTS = frozenset({_HOST, "hf.co"})
_HOME = f"https://{_HOST}"
_LICENSE = "license:"
_FILE = "file"
# What stands behind the name in an address, and whether the rest names a file.
_VIEWS = {"tree": False, "blob": True, "resolve": True, "raw": True, "commit": False,
          "viewer": False, "discussions": False, "revision": False}  # fmt: skip
_PAGES = frozenset(
    ("api", "chat", "collections", "datasets", "docs", "join", "learn", "login", "models",
     "organizations", "papers", "posts", "pricing", "settings", "spaces", "tasks")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """A dataset, at a revision if one is named; `path` is the file in it that is."""

    name: str
    revision: str | None = None
    path: str = ""

    @property
    def page(self) -> str:
        return f"{_HOME}/datasets/{self.name}"

    @property
    def record(self) -> str:
        at = f"/revision/{quote(self.revision, safe='')}" if self.revision else ""
        return f"{_HOME}/api/datasets/{self.name}{at}"


class _Sibling(Shape):
    rfilename: Text = None


class _Card(Shape):
    license: object = None
    pretty_name: Text = None

    @property
    def license_names(self) -> str | None:
        names = self.license if isinstance(self.license, list) else [self.license]
        return ", ".join(name for name in names if isinstance(name, str)) or None


class _Record(Shape):
    id: Text = None
    author: Text = None
    sha: Text = None
    createdAt: Text = None
    description: Text = None
    private: Flag = None
    disabled: Flag = None
    gated: object = None
    cardData: Part[_Card] = None
    tags: object = None
    siblings: Rows[_Sibling] = ()

    @property
    def license_names(self) -> str | None:
        """The licences on the card, else those among the tags, which are told of every dataset."""
        tags = self.tags if isinstance(self.tags, list) else []
        among = [tag[len(_LICENSE) :] for tag in map(str, tags) if tag.startswith(_LICENSE)]
        return (self.cardData or _Card()).license_names or ", ".join(among) or None


class _Lfs(Shape):
    oid: Text = None
    size: Count = None


class _Entry(Shape):
    type: Text = None
    path: Text = None
    size: Count = None
    oid: Text = None
    xetHash: Text = None
    lfs: Part[_Lfs] = None


class _Tree(Shape):
    rows: Rows[_Entry] = ()


class HuggingFace(Platform):
    """Datasets on Hugging Face."""

    name = "huggingface"
    about = About(
        title="Hugging Face",
        hosts=_HOSTS,
        token=TokenUse(hosts=(_HOST,)),
        limits=(KnownLimit(_HOST, 6000, 12000, "2026-10", "Hub docs: 500 requests in 5 minutes"),),
    )

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a dataset, a model or a program there."""
        if found := _asked(landing):
            return tr("the address names {name} at {host}", name=found.name, host=_HOST)
        other = _other(landing)
        return tr("the address names {name} at {host}", name=other, host=_HOST) if other else None

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset that the address names."""
        found = _asked(landing)
        return AskedItem(self.name, _HOST, found.name) if found else None

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files of the dataset at the commit that the address means."""
        found = _asked(landing)
        if found is None:
            if other := _other(landing):
                message = tr(
                    "{other} at Hugging Face is a model, a program or a page, not a dataset.",
                    other=other,
                )
                raise IngestStop(Status.PLATFORM_SCOPE, message)
            raise NotThisPlatform(tr("No address on the way to this page is a dataset there."))
        try:
            record = await api.read(found.record, _Record)
        except ApiStop as stop:
            raise _explained(stop, found) from stop.__cause__
        closure = _closure(found, record)
        refuse_count(len(record.siblings), api)
        sha = record.sha or found.revision or "main"
        name = record.id or found.name
        files = Listing(()) if closure and not record.siblings else await _files(name, sha, api)
        item = _item(found, record, files, api)
        if closure is None and not item.manifest:
            closure = nothing_there(tr("The dataset {name} has no files.", name=name))
        return closed(item, closure)


def _asked(landing: Landing) -> _Asked | None:
    return nearest(landing, _read)


def _read(address: Address) -> _Asked | None:
    parts = address.parts[1:] if address.parts[:1] == ("api",) else address.parts
    if address.host not in _HOSTS or parts[:1] != ("datasets",) or len(parts) < 2:
        return None
    has_owner = len(parts) > 2 and parts[2] not in _VIEWS
    name, rest = "/".join(parts[1 : 3 if has_owner else 2]), parts[3 if has_owner else 2 :]
    if not rest or rest[0] not in _VIEWS:
        return _Asked(name)
    is_file = _VIEWS[rest[0]]
    names_revision = rest[0] not in ("viewer", "discussions")
    revision = rest[1] if len(rest) > 1 and names_revision else None
    return _Asked(name, revision, "/".join(rest[2:]) if is_file else "")


def _other(landing: Landing) -> str | None:
    """Return what an address there names that is no dataset: a model, a program, an owner."""
    for address in addresses(landing):
        is_root = not address.parts
        if address.host in _HOSTS and not is_root:
            return "/".join(address.parts[: 3 if address.parts[0] in _PAGES else 2])
    return None


def _explained(stop: ApiStop, found: _Asked) -> ApiStop:
    """Return a refusal with what it means: what is private looks as what is missing."""
    what = tr("the dataset {name} at Hugging Face", name=found.name)
    if stop.headers.get("x-error-code") != "RepoNotFound" or stop.http_status == 404:
        return not_there(stop, what)
    message = tr(
        "The dataset {name} is private, or does not exist. {stop}", name=found.name, stop=stop
    )
    return ApiStop(Status.PLATFORM_RESTRICTED, message, stop.http_status)


def _closure(found: _Asked, record: _Record) -> Closure | None:
    if record.private:
        return restricted(tr("The dataset {name} is private.", name=found.name))
    if record.disabled:
        return restricted(tr("Hugging Face has disabled the dataset {name}.", name=found.name))
    return None


async def _files(name: str, sha: str, api: Api) -> Listing[_Entry]:
    async def read(url: str) -> Page[_Entry]:
        tree, following = await api.read_page(url, _Tree)
        return Page([row for row in tree.rows if row.type == _FILE], following)

    first = f"{_HOME}/api/datasets/{name}/tree/{quote(sha, safe='')}?recursive=true"
    return await listed(first, read, api)


def _item(found: _Asked, record: _Record, files: Listing[_Entry], api: Api) -> PlatformItem:
    name, sha = record.id or found.name, record.sha or found.revision or "main"
    card = record.cardData or _Card()
    return described(
        AskedItem(HuggingFace.name, _HOST, name),
        source=f"{_HOME}/datasets/{name}",
        platform_version=sha,
        asked_version=found.revision,
        manifest=tuple(_entry(file, name, sha, record.gated, api) for file in files.rows),
        title=card.pretty_name or name,
        creators=(record.author,) if record.author else (),
        license=record.license_names,
        published=(record.createdAt or "")[:10] or None,
        description=record.description,
        findings=file_of_dataset(found.path, name),
        shortfall=_shortfall(record, files),
    )


def _entry(file: _Entry, name: str, sha: str, gated: object, api: Api) -> ManifestFile:
    path = file.path or ""
    parts = "/".join(quote(part, safe="") for part in path.split("/"))
    url = f"{_HOME}/datasets/{name}/resolve/{sha}/{parts}"
    in_lfs = file.lfs
    extra = {"git_blob": file.oid, "xet_hash": file.xetHash}
    status, message = _gate(gated, name) if gated and not api.has_token(url) else (None, None)
    return ManifestFile(
        path=path,
        platform_url=url,
        declared=Fixity(
            in_lfs.size if in_lfs and in_lfs.size is not None else file.size,
            digests("sha256", in_lfs.oid) if in_lfs else {},
        ),
        extra={key: value for key, value in extra.items() if value},
        status=status,
        message=message,
    )


def _gate(gated: object, name: str) -> tuple[Status, str]:
    """Return why nobody without an account gets a file of a gated dataset."""
    page = f"{_HOME}/datasets/{name}"
    if gated == "manual":
        message = tr("The owner admits people one by one: ask on {page}.", page=page)
        return Status.PLATFORM_RESTRICTED, message
    message = tr(
        "Accept the terms on {page} with an account there, and store its token for {host}.",
        page=page,
        host=_HOST,
    )
    return Status.TERMS_REQUIRED, message


def _shortfall(record: _Record, files: Listing[_Entry]) -> str | None:
    known = {file.path for file in files.rows}
    missing = [one.rfilename for one in record.siblings if one.rfilename not in known]
    if files.rows and missing:
        return tr(
            "The record names {count:,} files that the listing does not, {name} among them.",
            count=len(missing),
            name=shown(missing[0] or ""),
        )
    return files.shortfall
