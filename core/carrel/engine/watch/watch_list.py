# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of watched datasets: what is on it, and how each stood at the last look."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain

from carrel.archive import Archive
from carrel.engine.requests import key_of, key_of_url, request_for
from carrel.engine.watch import sentences
from carrel.engine.watch.comparison import compare_look, difference_of, why_unlisted
from carrel.engine.watch.files import no_longer_listed, unchecked
from carrel.engine.watch.look import Look
from carrel.engine.watch.published import Published, published_then
from carrel.errors import UsageError
from carrel.ledger.watched import WatchedDataset
from carrel.model import Identifier, IngestOptions, IngestRequest, ManifestFile, Status
from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.model.iso_time import iso_now, iso_time
from carrel.model.user_information import shown
from carrel.model.watch_states import (
    ARCHIVED_SINCE,
    CHANGED,
    DIFFERING,
    GONE,
    NO_DATASET,
    UNCHECKED,
    UNREACHABLE,
)
from carrel.platforms.identifiers import find, spellings
from carrel.translation import tr


class WatchList:
    """Needs no network; an archive that is open for reading is enough to ask. Blocks."""

    def __init__(self, archive: Archive) -> None:
        self._ledger, self._watched = archive.ledger, archive.ledger.watched

    def add(self, texts: Sequence[str]) -> int:
        """Watch datasets by address or identifier; return how many were not watched before.

        One that was ingested here is compared with its capture, another one with the first look.
        Raises UsageError, and adds none, where a text names no dataset.
        """
        identifiers = list(chain.from_iterable(map(_identifiers, texts)))
        archived = {key_of_url(url): url for url in self._watched.archived_urls()}
        requests = [self._asked(each, archived) or request_for(each) for each in identifiers]
        return self._watched.add(requests, iso_now())

    def add_all(self) -> int:
        """Watch every dataset of which an ingest succeeded; return how many are new."""
        held = self._ledger.holdings.held()
        succeeded = [row for row in held if row["hit"] and "platform_id" in row]
        requests = [IngestRequest.from_json(row["request"]) for row in succeeded]
        return self._watched.add(requests, iso_now())

    def remove(self, texts: Sequence[str]) -> int:
        """Stop to watch datasets; return how many. What was noted of them stays.

        Raises UsageError, and removes none, for one that is not watched.
        """
        chosen = self.chosen(texts) if texts else []
        self._watched.remove([each.base_url for each in chosen], iso_now())
        return len(chosen)

    def chosen(self, texts: Sequence[str]) -> list[WatchedDataset]:
        """Return the watched datasets that are named, all if none is. Raises UsageError."""
        watched = {each.base_url: each for each in self._watched.all()}
        if not texts:
            return list(watched.values())
        by_key = {key_of_url(url): url for url in watched}
        named = dict.fromkeys(self._watched_name(text, by_key) for text in texts)
        return [watched[base_url] for base_url in named]

    def rows(self, texts: Sequence[str] = ()) -> list[WatchedRow]:
        """Return how the watched datasets stand, all if none is named. Raises UsageError."""
        captured = self._watched.latest_captures()
        return [_row(each, captured.get(each.base_url)) for each in self.chosen(texts)]

    def differences(self, text: str) -> list[FileDifference]:
        """Return what became of each file by the last look that saw anything; before one, what of
        it was archived.

        Raises UsageError for a dataset that is not watched.
        """
        (watched,) = self.chosen([text])
        seen = self._watched.seen(watched.base_url)
        if seen.look is None:
            captured = self._watched.latest_capture(watched.base_url)
            archived = self._ledger.result(captured) if captured else None
            return unchecked(published_then(archived).files if archived else ())
        look = Look.from_json(seen.look)
        is_first = (watched.state or {}).get("is_first_look")
        then = None if is_first else self._then(seen.captured, seen.first, look)
        return compare_look(then, look, captured=seen.captured)[1]

    def files_to_request(self, look: Look) -> tuple[ManifestFile, ...]:
        """Return the files whose addresses a look requests: those that are listed, and of those
        that it is compared with the ones that are not, each as if it were.

        That a dataset or a file is not listed says nothing of the file's own address.
        """
        listed = look.published.files if look.published else ()
        if look.published and why_unlisted(look.published) is not None:
            return listed
        captured = self._watched.latest_capture(look.base_url)
        first = self._watched.seen(look.base_url).first
        then = self._then(captured, first, look)
        closed = Status.PLATFORM_RESTRICTED
        unlisted = (
            each if each.status is closed else replace(each, status=None)
            for each in no_longer_listed(then.files if then else (), listed)
        )
        return (*listed, *unlisted)

    def options_for(self, base_url: str) -> IngestOptions:
        """Return how a dataset is looked for: links of a page are those that were archived, as many
        of them as the page has still."""
        captured = self._watched.latest_capture(base_url)
        result = self._ledger.result(captured) if captured else None
        return replace(IngestOptions.again(result or {}), needs_all_links=False)

    def last_look(self, base_url: str) -> Look | None:
        """Return the last look at a dataset that saw anything, None if none did."""
        seen = self._watched.seen(base_url)
        return Look.from_json(seen.look) if seen.look else None

    def note(self, look: Look) -> None:
        """Note a look.

        One that saw nothing leaves the counts as they were: what was seen last stays seen. One that
        got no answer leaves what differed, too: nothing tells that it does no more.
        """
        watched = self._watched.get(look.base_url)
        if watched is None:  # it was removed while it was looked at
            return
        seen = self._watched.seen(look.base_url)
        captured = self._watched.latest_capture(look.base_url)
        before = WatchedRow(**watched.state) if watched.state else None
        then = self._then(captured, seen.first, look)
        row, found = compare_look(then, look, captured=captured, before=before)
        first = seen.first
        if captured is None and first is None and look.published is not None:
            first = look.published.to_json()
        if look.is_plain and row.state != NO_DATASET:
            row = replace(row, lost=_lost(watched, row))
            row = replace(row, losses=_losses(watched, row, found, then, look))
            state = {**asdict(row), **_news(watched, difference_of(row, found, look))}
            self._watched.note_seen(look.base_url, look.at, state, look.to_json(), first)
        else:
            row = _unseen(watched, captured, row)
            differs = watched.difference if row.is_unanswered else difference_of(row, found, look)
            state = {**asdict(row), **_news(watched, differs)}
            self._watched.note(look.base_url, look.at, state)

    def untold(self) -> dict[str, str]:
        """Return, by base URL, what differs of watched datasets and no one was told yet."""
        return {
            each.base_url: each.difference
            for each in self._watched.all()
            if each.difference and each.difference != each.told
        }

    def note_told(self, differences: Mapping[str, str]) -> None:
        """Note that someone was told of these, which `untold` gave."""
        self._watched.note_told(differences)

    def known(self) -> list[str]:
        """Return the base URLs of what is watched and of what was once, for a `WatchSource`."""
        return self._watched.ever_watched()

    def _then(
        self, captured: str | None, first: dict[str, object] | None, look: Look
    ) -> Published | None:
        """Return what a look is compared with: what was captured; of what was not, the attempt
        before the look says why."""
        result = self._ledger.result(captured) if captured else None
        if result is None:
            return Published.from_json(first) if first else None
        latest = self._watched.last_attempt(look.base_url, iso_time(look.moment))
        attempt = self._ledger.result(latest) if latest and latest != captured else None
        then = published_then(result)
        return then.tried_again(published_then(attempt)) if attempt else then

    def _asked(self, identifier: Identifier, archived: Mapping[str, str]) -> IngestRequest | None:
        """Return the request of an ingest that is known by an identifier, a good one first.

        `archived` gives what was requested by its key.
        """
        names = (archived.get(key_of(identifier)), *spellings(identifier))
        for name in filter(None, names):
            rows = self._ledger.holdings.listed(name)
            rows.sort(key=lambda row: (row["request"]["base_url"] != name, not row["hit"]))
            if rows:
                return IngestRequest.from_json(rows[0]["request"])
        return None

    def _watched_name(self, text: str, by_key: Mapping[str, str]) -> str:
        """Return the base URL of the watched dataset that a text names. Raises UsageError."""
        if base_url := by_key.get(key_of_url(text)):
            return base_url
        for identifier in find(text).identifiers:
            if base_url := by_key.get(key_of(identifier)):
                return base_url
            asked = self._asked(identifier, {})
            if asked is not None and (base_url := by_key.get(key_of_url(asked.base_url))):
                return base_url
        raise UsageError(
            tr(
                "{text} is not watched. “carrel dark watch list” shows what is, "
                "“carrel dark watch add” adds it.",
                text=shown(text)[:200],
            )
        )


def _identifiers(text: str) -> Sequence[Identifier]:
    """Return the datasets that a text names. Raises UsageError if it names none."""
    identifiers = find(text).identifiers
    if not identifiers:
        message = tr(
            "“{text}” is not an identifier of a dataset: give a web address, DOI, Handle or ARK.",
            text=shown(text)[:200],
        )
        raise UsageError(message)
    return identifiers


def _news(watched: WatchedDataset, difference: str) -> dict[str, str]:
    """Return what to note of a difference: one that ends and comes back is told anew."""
    return {"difference": difference, "told": watched.told if difference else ""}


def _lost(watched: WatchedDataset, now: WatchedRow) -> int | None:
    """Return which look first found what is gone now, None if nothing is: files that a new version
    leaves out are not lost."""
    if now.state != GONE and not (now.state == CHANGED and now.gone):
        return None
    return (watched.state or {}).get("lost") or now.looked


def _losses(
    watched: WatchedDataset,
    now: WatchedRow,
    found: Sequence[FileDifference],
    then: Published | None,
    look: Look,
) -> Mapping[str, int]:
    """Return since which look each file is lost: found gone once, and not published since then,
    under another name either, though what is archived now may never have had it."""
    known = (watched.state or {}).get("losses")
    listed = look.published.files if look.published else ()
    before, named = (then.files if then else ()), {file.path for file in listed}
    cut = {file.path for file in no_longer_listed(before, listed)}
    renamed = {file.path for file in before if listed} - named - cut
    there = (named - look.missing.keys()) | renamed
    losses = {path: at for path, at in (known or {}).items() if path not in there}
    if now.state != CHANGED or now.lost is None:
        return losses
    since = now.lost if known is None else look.at  # an earlier Carrel noted no files
    return {each.path: since for each in found if each.what == GONE} | losses


def _unseen(watched: WatchedDataset, captured: str | None, now: WatchedRow) -> WatchedRow:
    """Return how a dataset stands after a look that saw nothing, whose word is `now`."""
    before = _row(watched, captured)
    answered = None
    if now.state == UNREACHABLE and before.state != UNCHECKED:
        answered = before.last_answered
    if answered is not None and before.state in DIFFERING and watched.state is not None:
        message = watched.state["message"]  # without what an earlier attempt added to it
        return replace(
            before, message=message, looked=now.looked, answered=answered, attempt=now.message
        )
    return replace(
        before,
        state=now.state,
        message=now.message,
        looked=now.looked,
        last_state=None,
        answered=answered,
        attempt="",
        is_hidden=now.is_hidden,
    )


def _row(watched: WatchedDataset, captured: str | None) -> WatchedRow:
    """Return how a dataset stands: by its last look, unless it was captured anew since."""
    if watched.state is None:
        title = watched.title or watched.base_url
        message = sentences.NOT_LOOKED_AT
        return WatchedRow(watched.base_url, title, UNCHECKED, message, captured, watched.looked)
    row = WatchedRow(**watched.state)
    is_captured_anew = row.captured != captured and watched.is_captured_since
    if not is_captured_anew or row.state == UNREACHABLE:
        return replace(row, captured=captured, message=sentences.with_attempt(row))
    return replace(
        row,
        state=ARCHIVED_SINCE,
        message=sentences.CAPTURED_SINCE,
        captured=captured,
        last_state=row.state,
        is_other_record=False,
    )
