# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of a dataset that a preview found. Nothing is fetched for it, nothing written."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from carrel.ledger import Ledger
from carrel.ledger.fixity import IngestFixity
from carrel.ledger.recognition import Marks
from carrel.model import (
    Held,
    IngestFilesetResult,
    ManifestFile,
    PlatformItem,
    PublishedNow,
    Standing,
    Status,
)
from carrel.platforms.review import CLOSED, without_held
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.watch.published import Published
    from carrel.model.dark_views import FileDifference


def held_of(ledger: Ledger, previewed: IngestFilesetResult) -> Held | None:
    """Return what a ledger lists as held of a previewed dataset, None if nothing is.

    Found by the platform's own identifier, and by the addresses that the preview went through.
    Blocks. Raises ArchiveError where the ledger cannot be read.
    """
    ingest_id = ledger.holding_of(marks_of(previewed))
    then = ledger.result(ingest_id) if ingest_id else None
    if ingest_id is None or then is None:
        return None
    fixity = ledger.fixity.of_ingests([ingest_id])
    known = held_beside(then, fixity.get(ingest_id, IngestFixity()), previewed)
    known = replace(known, removed=ledger.curation.when_removed(ingest_id))
    came = ledger.accession(ingest_id)
    return known if came is None else replace(known, archived=came.archived, added=came.added)


def held_beside(
    then: Mapping[str, Any], fixity: IngestFixity, previewed: IngestFilesetResult
) -> Held:
    """Return what an attempt keeps, from its result object, beside what a preview found."""
    from carrel.engine.watch.published import published_then  # only who holds something waits

    before = published_then(then)
    compared = _compared(before, previewed)
    return Held(
        ingest_id=then["ingest_id"],
        base_url=then["request"]["base_url"],
        status=Status(then["status"]),
        finished=then["finished"],
        kept_count=sum(each.is_kept for each in before.files),
        file_count=len(before.files),
        platform_version=before.version,
        fate=fixity.fate,
        failed=fixity.failed,
        now=_published_now(before, compared) if compared else None,
        closed=compared.closed_here if compared and not fixity.failed else frozenset(),
    )


def beside_held(previewed: IngestFilesetResult, held: Held | None) -> IngestFilesetResult:
    """Return a preview that names a token only for files that are not held."""
    if held is None or not held.closed or previewed.item is None:
        return previewed
    findings = without_held(previewed.findings, previewed.item.manifest, held.closed)
    return replace(previewed, findings=findings)


def marks_of(previewed: IngestFilesetResult) -> Marks:
    """Return what the dataset of a preview, or of an ingest, is recognised by in the ledger."""
    item = previewed.item
    asked = item or previewed.asked
    addresses = dict.fromkeys([previewed.request.base_url, *previewed.hops])
    if asked is None or not asked.platform_id:
        return Marks(addresses)
    version = item.platform_version if item else None
    return Marks(addresses, asked.platform_name, asked.platform_domain, asked.platform_id, version)


@dataclass(frozen=True, slots=True)
class _Compared:
    """What a preview saw, and how each file of it stands to a capture. `closed_here` are those
    that are the same in both, and that not everybody can have now."""

    item: PlatformItem
    now: "Published"
    found: "Sequence[FileDifference]"
    closed_here: frozenset[str]


def _compared(before: "Published", previewed: IngestFilesetResult) -> _Compared | None:
    """Return what is published now beside a capture, None where the preview did not see it."""
    from carrel.engine.watch.files import SAME, Heads, differences  # as above
    from carrel.engine.watch.look import look_of

    item, now = previewed.item, look_of(previewed, 0).published
    if item is None or now is None:
        return None
    closed = tr("the files of this dataset are now closed to everyone.") if now.is_closed else None
    # What was not kept is counted by itself, and its listing compared as any other.
    listed = [each if each.is_kept else replace(each, status=None) for each in before.files]
    why = now.shortfall or closed
    published = [replace(each, status=None) for each in now.files]  # closed ones are listed, too
    found = differences(listed, published, Heads({}, {}, {}), why, by_size=SAME)
    closed_now = {each.path for each in item.manifest if each.status in CLOSED}
    here = {each.path for each in before.files if each.is_kept} & closed_now
    same = frozenset(each.path for each in found if each.what == "same")
    return _Compared(item, now, found, same & here)


def _published_now(before: "Published", seen: _Compared) -> PublishedNow:
    item, now, found = seen.item, seen.now, seen.found
    counts = Counter(each.what for each in found)
    by_size = sum(each.what == "same" and not _has_one_digest(each) for each in found)
    compared = PublishedNow(
        Standing.SAME,
        now.version,
        is_asked_version=now.version is not None and item.asked_version == now.version,
        same=counts["same"],
        same_by_size=by_size,
        changed=counts["changed"],
        added=counts["added"],
        gone=counts["gone"] + counts["unlisted"],
        unverified=counts["unverified"],
        lacking=_lacking(before.files, now.files),
        renamed=counts["renamed"],
    )
    return replace(compared, standing=_standing(before, now, compared))


def _standing(before: "Published", now: "Published", compared: PublishedNow) -> Standing:
    """What one side does not tell is no difference."""
    if before.version and now.version and before.version != now.version:
        return Standing.OTHER_VERSION
    if (before.platform_name, before.platform_id) != (now.platform_name, now.platform_id):
        return Standing.OTHER_RECORD
    if compared.changed or compared.added or compared.gone or compared.renamed:
        return Standing.CHANGED
    return Standing.UNVERIFIED if compared.unverified else Standing.SAME


def _has_one_digest(each: "FileDifference") -> bool:
    """Say whether a file was told to be the same by a digest that both sides have."""
    return each.digest_now is not None and each.digest_now == each.digest_then


def _lacking(before: Iterable[ManifestFile], now: Iterable[ManifestFile]) -> int:
    """Return how many files can be had now, were listed then, and were not kept."""
    open_now = Counter(each.path for each in now if each.status is None)
    not_kept = Counter(each.path for each in before if not each.is_kept)
    return (open_now & not_kept).total()
