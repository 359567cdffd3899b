# SPDX-License-Identifier: AGPL-3.0-or-later
"""CKAN, any portal: what is in a dataset."""

from dataclasses import replace
from typing import TypeVar
from urllib.parse import quote

from carrel.credentials import TokenKind
from carrel.errors import ApiStop, IngestStop, NotThisPlatform
from carrel.model import AskedItem, Finding, Landing, PlatformItem, Status
from carrel.model.prose import shown, shown_address
from carrel.platforms.about import About, TokenUse
from carrel.platforms.ckan.address import Asked, asked, interfaces
from carrel.platforms.ckan.answers import (
    Answer,
    Package,
    PackageAnswer,
    ResourceAnswer,
    StatusAnswer,
)
from carrel.platforms.ckan.files import files_of
from carrel.platforms.ckan.hosts import HOSTS
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform
from carrel.platforms.review import Closure, closed, not_there, nothing_there, restricted
from carrel.translation import tr

A = TypeVar("A", bound=Answer)


class Ckan(Platform):
    """Any CKAN: at the hosts that are known, and wherever a page says that it is one."""

    name = "ckan"
    about = About(
        title="CKAN",
        hosts=HOSTS,
        elsewhere=tr("the page names CKAN as its software"),
        token=TokenUse(TokenKind.CKAN, suggested_by="ckan"),
    )

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the page is a dataset, or another page, of a CKAN portal."""
        found = asked(landing)
        if found is None:
            return None
        if found.group:
            return tr("the page is one of a CKAN portal: {group}", group=shown(found.group))
        return tr(
            "the address names {identity} at {host}", identity=found.identity, host=found.host
        )

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the dataset, or the file, that the address names."""
        found = asked(landing)
        if found is None or found.group:
            return None
        return AskedItem(self.name, found.host, found.identity)

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return the files, tables and links of the dataset."""
        found = asked(landing)
        if found is None:
            raise NotThisPlatform(tr("The page does not say that it is a dataset of CKAN."))
        _refuse_group(found)
        what = tr("the dataset {name} at {host}", name=found.identity, host=found.host)
        try:
            base, package = await _package(found, landing, api)
        except ApiStop as stop:
            if not found.is_sure and _is_nothing_of_ckan(stop):
                raise NotThisPlatform(str(stop)) from stop
            raise not_there(stop, what) from stop.__cause__
        return _item(found, package, base.partition("/api/")[0])


def _refuse_group(found: Asked) -> None:
    if found.group:
        message = tr(
            "{group} at {host} groups datasets; it is not one dataset.",
            group=shown(found.group),
            host=found.host,
        )
        raise IngestStop(Status.PLATFORM_SCOPE, message)


def _is_nothing_of_ckan(stop: ApiStop) -> bool:
    """Return whether an answer is one that any other site would give."""
    is_json_refusal = stop.status is Status.PLATFORM_RESTRICTED
    is_told = stop.http_status == 200 and stop.status is Status.PLATFORM_404
    return not (is_json_refusal or is_told)


async def _package(found: Asked, landing: Landing, api: Api) -> tuple[str, Package]:
    """Return where the interface is, and what it says of the dataset. Raises ApiStop with the
    most telling of its answers: at a portal that only seems to be one, 404 proves nothing."""
    stops: list[ApiStop] = []
    for base in interfaces(found, landing):
        try:
            return base, await _asked_at(base, found, api)
        except ApiStop as stop:
            if not _may_be_elsewhere(stop):
                raise
            stops.append(stop)
    gone = [stop for stop in stops if stop.status is Status.PLATFORM_404]
    if found.is_sure:
        raise _most_telling(stops, is_page_there=landing.outcome is None)
    if gone and await _runs_at(interfaces(found, landing)[0], api):
        raise ApiStop(Status.PLATFORM_404, str(gone[0]), 200)
    raise (gone or stops)[0]


def _most_telling(stops: list[ApiStop], *, is_page_there: bool) -> ApiStop:
    """Return which of the answers of a portal counts. A 404 is about the dataset where the
    interface says it, or where the page is gone as well; else there is only no interface."""
    gone = [stop for stop in stops if stop.status is Status.PLATFORM_404]
    said = [stop for stop in gone if stop.http_status == 200 or _is_json(stop)]
    silent = [stop for stop in stops if stop.status is not Status.PLATFORM_404]
    if said or not is_page_there or not gone:
        return (said or silent or gone)[0] if is_page_there else (said or gone or silent)[0]
    if silent:
        return silent[0]
    message = tr("The page is there, but its portal has no interface: {stop}", stop=gone[0])
    return ApiStop(Status.PLATFORM_HTTP_ERROR, message, gone[0].http_status, may_repeat=False)


def _is_json(stop: ApiStop) -> bool:
    kind = stop.headers.get("content-type", "")
    return not kind or "json" in kind


def _may_be_elsewhere(stop: ApiStop) -> bool:
    """Return whether an address may be no interface's: nothing there, or something else."""
    is_wrong_place = stop.status in (Status.PLATFORM_404, Status.PLATFORM_HTTP_ERROR)
    return is_wrong_place or (stop.status is Status.PLATFORM_ERROR and stop.http_status is not None)


async def _asked_at(base: str, found: Asked, api: Api) -> Package:
    name = found.name
    if not name:
        url = f"{base}/resource_show?id={quote(found.resource or '', safe='')}"
        of = _succeeded(url, await api.read(url, ResourceAnswer)).result
        name = (of.package_id if of else None) or ""
    url = f"{base}/package_show?id={quote(name, safe='')}"
    package = _succeeded(url, await api.read(url, PackageAnswer)).result
    if package is None or not (package.name or package.id):
        message = tr("{url} answered with no dataset.", url=shown_address(url))
        raise ApiStop(Status.PLATFORM_ERROR, message, 200, may_repeat=False)
    return package


async def _runs_at(base: str, api: Api) -> bool:
    """Return whether a CKAN answers here at all."""
    try:
        site = (await api.read(f"{base}/status_show", StatusAnswer)).result
    except ApiStop:
        return False
    return site is not None and bool(site.ckan_version or site.site_title)


def _succeeded(url: str, answer: A) -> A:
    """Return an answer. Raises ApiStop for one that says, with HTTP 200, that it failed."""
    if answer.error is None and answer.success is not False:
        return answer
    status = Status.PLATFORM_ERROR
    if answer.is_missing:
        status = Status.PLATFORM_404
    elif answer.is_refused:
        status = Status.PLATFORM_RESTRICTED
    message = tr(
        "{url} answered: “{words}”",
        url=shown_address(url),
        words=shown(answer.words or "success: false"),
    )
    raise ApiStop(status, message, 200, may_repeat=False)


def _item(found: Asked, package: Package, base: str) -> PlatformItem:
    name = package.name or package.id or found.identity
    found = replace(found, name=name)
    if package.state == "deleted":
        message = tr("The dataset {name} at {host} was deleted.", name=name, host=found.host)
        raise ApiStop(Status.PLATFORM_404, message, 200)
    files = files_of(package, base)
    day = (package.issued or package.metadata_created or "")[:10]
    item = described(
        AskedItem(Ckan.name, found.host, name),
        source=found.page,
        description=package.notes or package.description,
        manifest=files.manifest,
        title=package.title or name,
        creators=package.creators,
        license=package.license,
        published=day or None,
        doi=package.registered_doi,
        findings=(*files.findings, *_tail(found)),
        shortfall=_shortfall(package),
    )
    return closed(item, _closure(found, package))


def _closure(found: Asked, package: Package) -> Closure | None:
    name, host = found.name, found.host
    if package.private:
        return restricted(tr("The dataset {name} at {host} is private.", name=name, host=host))
    if package.state not in (None, "", "active"):
        return restricted(
            tr(
                "The dataset {name} at {host} is not published: its state is {state}.",
                name=name,
                host=host,
                state=shown(package.state),
            )
        )
    if not package.files:
        return nothing_there(
            tr("The dataset {name} at {host} lists no files.", name=name, host=host)
        )
    return None


def _shortfall(package: Package) -> str | None:
    count = len(package.resources)
    if (package.num_resources or 0) <= count:
        return None
    return tr(
        "The portal counts {total} files but lists {count}.",
        total=f"{package.num_resources:,}",
        count=f"{count:,}",
    )


def _tail(found: Asked) -> tuple[Finding, ...]:
    if found.resource is None:
        return ()
    message = tr(
        "The address names the file {resource}; the whole of {name} is described.",
        resource=found.resource,
        name=found.name,
    )
    return (Finding("file-of-dataset", message),)
