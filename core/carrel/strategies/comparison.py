# SPDX-License-Identifier: AGPL-3.0-or-later
"""Is what arrived what was published? Each declared value is compared, an unknown one is not."""

import re
from dataclasses import dataclass, replace

from carrel.capture.arrival import Fetched
from carrel.capture.digests import is_known
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.capture.media import HTML, TEXT, is_binary, sniffed
from carrel.capture.obstacles import asks_for_password, is_challenge, is_login
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.digest import algorithm_name
from carrel.platforms.distributions import extension_of
from carrel.translation import tr

_MISMATCHES = {
    "md5": Status.MISMATCH_MD5,
    "sha1": Status.MISMATCH_SHA1,
    "sha256": Status.MISMATCH_SHA256,
}
_HTML = (HTML, "application/xhtml+xml")
LOOKED_AT_BYTES = 4096
"""So much of an answer that calls itself a web page says whether it is one."""
_PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".mhtml")
# What its name calls a page or other markup, which a server may well send as a page.
_MARKUP_ENDINGS = (*_PAGE_ENDINGS, ".xml")
# Types that say nothing of what a file is.
_ANY_BYTES = ("application/octet-stream", "binary/octet-stream")
# Endings of files of data that no page can be; of others the name tells too little.
_BINARY_ENDING = re.compile(
    r"7z|avi|bam|bz2|dbf|docx?|dta|fits|gpkg|gz|h5|hdf5?|jpe?g|mat|mp[34]|nc4?|np[yz]|ods|parquet"
    r"|pdf|png|pptx?|rar|rda(?:ta)?|rds|sas7bdat|sav|shp|sqlite|tar|tgz|tiff?|wav|xlsx?|xz|zip|zst"
)
_TEXT_ENDING = re.compile(r"csv|fasta|fastq|geojson|json|tsv")
_UTF16_MARKUP = (b"<\0", b"\0<")


@dataclass(frozen=True, slots=True)
class Difference:
    """Why a payload is not the published one."""

    status: Status
    message: str


def difference(entry: ManifestFile, fetched: Fetched) -> Difference | None:
    """Return how a payload differs from what was declared, None if nothing does.

    Where a content coding was in the way, either form may be the published one.
    """
    found = compare(entry.declared, fetched.fixity)
    if found and fetched.decoded and not compare(entry.declared, fetched.decoded):
        return None
    intruder = _intruder(entry, fetched, is_other=found is not None)
    return intruder or (found and _explained(found, entry, fetched))


def published_form(declared: Fixity, fetched: Fetched) -> Fixity:
    """Return the form of what arrived that was published: as it was sent, or its coding undone."""
    decoded = fetched.decoded
    if decoded and compare(declared, fetched.fixity) and not compare(declared, decoded):
        return decoded
    return fetched.fixity


def compare(declared: Fixity, observed: Fixity) -> Difference | None:
    """Return the first difference: the size, then each digest."""
    if declared.size is not None and declared.size != observed.size:
        message = tr(
            "{found} bytes arrived; the published size is {published}.",
            found=observed.size,
            published=declared.size,
        )
        return Difference(Status.MISMATCH_SIZE, message)
    for algorithm, published in declared.digests.items():
        arrived = observed.digests.get(algorithm)
        if arrived is not None and arrived != published.lower():
            status = _MISMATCHES.get(algorithm, Status.MISMATCH)
            message = tr(
                "The received file has the {algorithm} {arrived}; the published one is "
                "{published}.",
                algorithm=algorithm_name(algorithm),
                arrived=arrived,
                published=published,
            )
            return Difference(status, message)
    return None


def is_provable(declared: Fixity) -> bool:
    """Say whether a declared digest can tell these bytes from all others."""
    return any(is_known(algorithm) for algorithm in declared.digests)


def _explained(found: Difference, entry: ManifestFile, fetched: Fetched) -> Difference:
    """Return a difference with what it may come from: a coding that cannot be undone, or a web page
    that came in place of the file."""
    coding = fetched.exchange.content_coding
    if coding and fetched.decoded is None:
        words = tr(
            "It arrived in the content coding “{coding}”, which could not be decoded.",
            coding=coding[:40],
        )
    elif looks_like(fetched.exchange) == HTML and other_kind(entry, HTML):
        words = tr(
            "It is a web page, and not the file: open the address in a browser to see what it says."
        )
    else:
        return found
    return replace(found, message=f"{found.message} {words}")


def _intruder(entry: ManifestFile, fetched: Fetched, *, is_other: bool) -> Difference | None:
    """Return the page that came in place of the file, if one did.

    Only looked for where the bytes are not proven: a dataset may well consist of web pages.
    """
    exchange = fetched.exchange
    if not is_other and is_provable(entry.declared):
        return None
    if is_challenge(exchange):
        return Difference(
            Status.BLOCKED_CHALLENGE, tr("A bot check arrived in place of {path}.", path=entry.path)
        )
    asks = asks_for_password(exchange) and not _is_of_pages(entry)
    if asks or is_login(exchange.url):
        return Difference(
            Status.BLOCKED_WALL, tr("A log-in page arrived in place of {path}.", path=entry.path)
        )
    looks = looks_like(exchange)
    if looks and not is_other and (kind := other_kind(entry, looks)):
        message = tr("A web page arrived in place of {path}, {kind}.", path=entry.path, kind=kind)
        return Difference(Status.WRONG_MIMETYPE, message)
    is_empty = fetched.fixity.size == 0 and entry.declared.size is None
    if not is_other and is_empty and not _says_it_is_empty(exchange):
        return Difference(Status.EMPTY_BLOB, tr("No bytes arrived for {path}.", path=entry.path))
    return None


def looks_like(answer: Exchange) -> str | None:
    """Return what an answer that calls itself a web page looks like by its beginning: a page, plain
    text, or None for anything else; also for one that is none by its own word.

    Many a program that sends data forgets to say what it is, and its server says "text/html". Where
    no one can look, the server's word counts.
    """
    if answer.mimetype not in _HTML:
        return None
    try:
        beginning = answer.beginning(LOOKED_AT_BYTES)
    except CannotDecode:
        return HTML
    seen = HTML if beginning.startswith(_UTF16_MARKUP) else sniffed(beginning)
    return seen if seen in (HTML, TEXT) else None


def is_expected_page(entry: ManifestFile) -> bool:
    """Say whether a page may be the file: by its type, its name, or a size that it must have."""
    return _is_of_pages(entry) or entry.declared.size is not None


def _is_of_pages(entry: ManifestFile) -> bool:
    return entry.mimetype in _HTML or entry.path.lower().endswith(_PAGE_ENDINGS)


def _is_deposited_page(entry: ManifestFile) -> bool:
    """Say whether a page that came is the file by its name, and by its size or for want of a type.

    The size was compared before.
    """
    if not entry.path.lower().endswith(_MARKUP_ENDINGS):
        return False
    return entry.declared.size is not None or entry.mimetype in _ANY_BYTES


def other_kind(entry: ManifestFile, looks: str) -> str:
    """Return how a file is published as something that what came cannot be, "" if it is not.

    Text that its server calls a page may well be data, though no picture and no archive. A page
    that was deposited goes by its name: it has the size that was published for it, or was announced
    as no more than bytes.
    """
    if _is_deposited_page(entry):
        return ""
    if entry.mimetype is not None:
        is_other = entry.mimetype not in _HTML and (looks == HTML or is_binary(entry.mimetype))
        return tr("which was announced as {mimetype}", mimetype=entry.mimetype) if is_other else ""
    ending = extension_of(entry.path) or ""
    endings = (_BINARY_ENDING, _TEXT_ENDING) if looks == HTML else (_BINARY_ENDING,)
    is_of_data = any(each.fullmatch(ending) for each in endings)
    return (
        tr("whose name ends in “.{ending}”", ending=ending)
        if is_of_data and not is_expected_page(entry)
        else ""
    )


def _says_it_is_empty(exchange: Exchange) -> bool:
    """Say whether the server itself calls the file empty, instead of just sending nothing."""
    return exchange.status_code == 200 and exchange.headers.get("content-length") == "0"
