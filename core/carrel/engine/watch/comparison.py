# SPDX-License-Identifier: AGPL-3.0-or-later
"""What became of a watched dataset since it was captured, in a row and file by file."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from carrel.engine.watch import sentences
from carrel.engine.watch.files import (
    Heads,
    at_first_look,
    differences,
    of_gone_dataset,
    page_in_place,
)
from carrel.engine.watch.look import Look, Sight, look_of
from carrel.engine.watch.published import Published, published_then
from carrel.model import IngestFilesetResult, Status
from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.watch_states import (
    AS_FIRST_SEEN,
    CHANGED,
    DIFFERING,
    GONE,
    NEW_VERSION,
    NO_DATASET,
    RESTRICTED,
    SAME,
    UNCHECKED,
    UNREACHABLE,
    UNVERIFIED,
)
from carrel.translation import tr

# Its platform, or a log-in page in its place, says that it is not for everyone.
_CLOSED = frozenset({Status.PLATFORM_RESTRICTED, Status.BLOCKED_WALL})
# What answers, and is not the page of a dataset.
_NO_DATASET = frozenset({Status.NO_PLATFORM_MATCH, Status.NOT_A_DATASET, Status.PLATFORM_SCOPE})

# What of a file is a difference, and not that it could not be told.
_DIFFERENT = frozenset({"changed", "gone", "added", "renamed", "unlisted", "restricted"})

Compared = tuple[WatchedRow, list[FileDifference]]


def compare(then: Mapping[str, Any], now: IngestFilesetResult, at: int = 0) -> Compared:
    """Return how a dataset stands against its capture, and what became of each of its files.

    `then` is the result object of the ingest that captured it, `now` a preview made at `at` (Unix
    time, seconds).
    """
    ingest_id = then.get("ingest_id")
    return compare_look(published_then(then), look_of(now, at), captured=ingest_id)


def compare_look(
    then: Published | None,
    look: Look,
    *,
    captured: str | None,
    before: WatchedRow | None = None,
) -> Compared:
    """Return how a dataset stands at a look, and what became of each of its files.

    `then` is what was captured in the ingest `captured`; where there is none, what was published at
    the first look; None at the first look itself. `before` is how it stood at the look before, None
    where that is not known: `lost` of the row is when that look, or an earlier one, found the same
    loss.
    """
    is_first = then is None
    then = then or look.published
    row = WatchedRow(look.base_url, _title(then, look), UNCHECKED, "", captured, look.at)
    if look.sight is Sight.UNSEEN and look.status in _CLOSED:
        row = replace(row, state=RESTRICTED, is_hidden=True)
        return replace(row, message=sentences.closed(look, captured)), []
    is_no_dataset = look.sight is Sight.GONE or look.status in _NO_DATASET
    if then is None and is_no_dataset:
        return replace(row, state=NO_DATASET, message=sentences.never_seen(look)), []
    if look.sight is Sight.UNSEEN and is_no_dataset:
        return replace(row, state=NO_DATASET, message=sentences.no_dataset(look, captured)), []
    if look.sight is Sight.UNSEEN or then is None:
        return replace(row, state=UNREACHABLE, message=sentences.unreachable(look)), []
    if look.published is None:
        heads = _heads(look)
        found = of_gone_dataset(then.files, heads)
        answering = sum(map(heads.has, then.files))
        row = _with_loss(_counted(replace(row, state=GONE), then, None, found), before)
        message = sentences.gone(row, look, _unrequested(then, look), answering)
        return replace(row, message=message), found
    if is_first:
        found = at_first_look(then.files, _heads(look))
    else:
        why = why_unlisted(look.published)
        found = differences(then.files, look.published.files, _heads(look), why)
    row = _counted(row, then, look.published, found)
    row = replace(row, is_closed=_is_closed(look.published, look.refused))
    if is_first:
        message = sentences.first(row, look)
        return replace(row, state=AS_FIRST_SEEN, message=message, is_first_look=True), found
    row = replace(row, is_other_record=_is_other_record(then, look.published))
    row = _with_loss(replace(row, state=CHANGED), before)
    state, message = _state(row, then, look)
    if state != CHANGED:
        row = replace(row, lost=None, is_other_record=False)
    return replace(row, state=state, message=message), found


def difference_of(row: WatchedRow, found: Sequence[FileDifference], look: Look) -> str:
    """Return what stands for all that a look found different, "" if that is nothing: two looks that
    found the same have the same."""
    if row.state not in DIFFERING:
        return ""
    now = look.published
    files = sorted(
        [each.path, each.what, each.size_now, each.digest_now]
        for each in found
        if each.what in _DIFFERENT
    )
    dataset = now and [now.platform_name, now.platform_id, now.version, now.title, now.license]
    told = json.dumps([row.state, dataset, files], default=str)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _heads(look: Look) -> Heads:
    requested = None if look.requested is None else frozenset(look.requested)
    return Heads(look.missing, look.sizes, look.refused, requested, look.pages, look.unclear)


def _unrequested(then: Published, look: Look) -> int:
    """Return of how many files no address was requested."""
    requested = frozenset(look.requested or ())
    return sum(file.path not in requested for file in then.files)


def _state(row: WatchedRow, then: Published, look: Look) -> tuple[str, str]:
    now = look.published or then
    if words := _new_version(then, now):
        return NEW_VERSION, sentences.new_version(words, row)
    if now.is_closed and not then.is_closed:
        return RESTRICTED, sentences.closed(look, row.captured)
    others = _other_changes(then, now)
    if changes := sentences.changes(row, others):
        return CHANGED, sentences.changed(changes, row, look, others)
    if row.restricted:
        return RESTRICTED, sentences.some_closed(row, len(now.files))
    if row.unverified or look.unasked:
        in_place = {file.path for file in then.files if page_in_place(file, look.pages)}
        return UNVERIFIED, sentences.unverified(row, look, in_place)
    return SAME if row.captured else AS_FIRST_SEEN, sentences.same(row, look)


def _with_loss(row: WatchedRow, before: WatchedRow | None) -> WatchedRow:
    """Return a row with the moment since which the same is gone: one whose other files, or all of
    them, went since has not confirmed anything yet."""
    if before is None or (before.state, before.gone) != (row.state, row.gone):
        return row
    return replace(row, lost=before.lost)


def _new_version(then: Published, now: Published) -> str:
    """Return a sentence about a version that was not there then, empty if none is known of."""
    concept = now.notes.get("concept-record")
    if then.platform_id == now.platform_id or concept:
        if then.version and now.version and then.version != now.version:
            return tr(
                "Version {version} is published; it was version {earlier}.",
                version=now.version,
                earlier=then.version,
            )
        if then.platform_id != now.platform_id and concept:
            return concept
    return "" if "not-latest" in then.notes else now.notes.get("not-latest", "")


def _other_changes(then: Published, now: Published) -> list[str]:
    """Return what changed beside the files, in words; what one side does not tell is no change."""
    words = []
    if _is_other_record(then, now):
        where = tr(
            "{platform_id} at {platform_domain}",
            platform_id=now.platform_id,
            platform_domain=now.platform_domain,
        )
        words.append(tr("the address now leads to another record, {where}", where=where))
    if then.title and now.title and then.title != now.title:
        words.append(tr("its title was “{title}”", title=then.title))
    if then.license and now.license and then.license != now.license:
        words.append(
            tr(
                "its licence was {earlier} and is {current}",
                earlier=then.license,
                current=now.license,
            )
        )
    return words


def _is_closed(now: Published, refused: Mapping[str, int]) -> bool:
    """Say whether no one may have any file that is published now."""
    closed = (
        file.status is Status.PLATFORM_RESTRICTED or file.path in refused for file in now.files
    )
    return now.is_closed or (bool(now.files) and all(closed))


def _is_other_record(then: Published, now: Published) -> bool:
    return (then.platform_name, then.platform_id) != (now.platform_name, now.platform_id)


def why_unlisted(now: Published) -> str | None:
    """Return why a list may lack a file that is there, None if the list is whole."""
    if now.shortfall is not None:
        return now.shortfall
    return tr("the files of this dataset are now closed to everyone.") if now.is_closed else None


def _counted(
    row: WatchedRow, then: Published | None, now: Published | None, found: Sequence[FileDifference]
) -> WatchedRow:
    counts = Counter(each.what for each in found)
    return replace(
        row,
        version_then=then.version if then else None,
        version_now=now.version if now else None,
        same=counts["same"],
        changed=counts["changed"],
        gone=counts["gone"],
        added=counts["added"],
        renamed=counts["renamed"],
        unlisted=counts["unlisted"],
        unverified=counts["unverified"],
        restricted=counts["restricted"],
    )


def _title(then: Published | None, look: Look) -> str:
    now = look.published
    if then and now and _is_other_record(then, now):
        now = None  # it has the title of another dataset
    titles = (each.title for each in (now, then) if each)
    return next((title for title in titles if title), look.base_url)
