# SPDX-License-Identifier: AGPL-3.0-or-later
"""The calls of fatcat's API that a push makes, each with what its refusals mean.

Whether a call that was written to the server and not answered had an effect is read back before it
is made again: nothing is made twice.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from carrel.capture.client import Client
from carrel.capture.exchange import CannotDecode, Exchange
from carrel.errors import ApiStop, IngestStop
from carrel.fleet.fatcat.answers import Edit, Editgroup, File, Fileset, Release
from carrel.fleet.fatcat.refusals import stop_of, unusable
from carrel.hosts.retry import RetryPolicy
from carrel.model.fatcat import EntityKind
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.validation import BaseModel, ValidationError

A = TypeVar("A", bound=BaseModel)
T = TypeVar("T")

# A release with filesets of ten thousand files each.
_ANSWER_MAX_BYTES = 256 * MEBIBYTE
_PAGE = 100  # the most that the server gives


class Fatcat:
    """The API at an address such as "https://api.fatcat.wiki/v0". Blocks.

    Each raises IngestStop; ApiStop, with `http_status`, for what the server refused.
    """

    def __init__(
        self, client: Client, base: str, token: str | None, patience: RetryPolicy | None = None
    ) -> None:
        self._client, self._base = client, base.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._patience = patience or RetryPolicy(longest_pause_s=client.longest_pause_s)

    def check(self, role: str) -> None:
        """Return if the token is valid and its editor has this role: "editor" or "admin"."""
        self._patiently("GET", f"/auth/check?role={role}")

    def release(self, ident: str) -> Release | None:
        """Return a release with its filesets, None if there is none."""
        return self._read(f"/release/{ident}?{_expanded()}", Release)

    def release_by(self, scheme: str, value: str) -> Release | None:
        """Return the release with an identifier, with its filesets, None if there is none."""
        return self._read(f"/release/lookup?{_expanded(**{scheme: value})}", Release)

    def fileset(self, ident: str) -> Fileset | None:
        """Return a fileset with its manifest, None if there is none."""
        return self._read(f"/fileset/{ident}", Fileset)

    def file_by(self, sha1: str) -> File | None:
        return self._read(f"/file/lookup?sha1={sha1}", File)

    def editgroups(self, editor_id: str) -> Iterator[Editgroup]:
        """Yield all editgroups of an editor, the newest first."""
        before, seen = "", set[str]()
        while True:
            query = urlencode({"limit": _PAGE, **({"before": before} if before else {})})
            path = f"/editor/{quote(editor_id)}/editgroups?{query}"
            said = self._patiently("GET", path)
            page = [self._shaped(path, each, Editgroup) for each in _list(path, said)]
            news = [each for each in page if each.editgroup_id not in seen]
            yield from news
            if len(page) < _PAGE or not news or not page[-1].created:
                return
            seen = {each.editgroup_id for each in page}
            before = page[-1].created

    def editgroup(self, editgroup_id: str) -> Editgroup:
        """Return an editgroup with its edits."""
        path = f"/editgroup/{editgroup_id}"
        return self._shaped(path, self._patiently("GET", path), Editgroup)

    def create_editgroup(
        self, fields: Mapping[str, Any], made: Callable[[], Editgroup | None]
    ) -> Editgroup:
        """Make an editgroup and return it; `made` finds it if it was made without an answer."""

        def create() -> Editgroup:
            return self._shaped("/editgroup", self._once("POST", "/editgroup", fields), Editgroup)

        return self._certain(create, made)

    def add(self, editgroup_id: str, kind: EntityKind, body: Mapping[str, Any], key: str) -> str:
        """Put an entity into an editgroup and return its ident."""
        path = f"/editgroup/{editgroup_id}/{kind}"

        def add() -> str:
            return self._shaped(path, self._once("POST", path, body), Edit).ident

        def added() -> str | None:
            ident, _ = self.editgroup(editgroup_id).inside.get(key, (None, ""))
            return ident

        return self._certain(add, added)

    def update(self, editgroup_id: str, fields: Mapping[str, Any]) -> None:
        """Change what is said of an editgroup."""
        self._patiently("PUT", f"/editgroup/{editgroup_id}", fields)

    def submit(self, editgroup_id: str, fields: Mapping[str, Any]) -> None:
        """Have an editgroup reviewed."""
        path = f"/editgroup/{editgroup_id}?submit=true"
        self._patiently("PUT", path, fields)

    def accept(self, editgroup_id: str) -> None:
        """Have the edits of an editgroup become part of the catalogue."""
        path = f"/editgroup/{editgroup_id}/accept"

        def is_accepted() -> bool | None:
            return self.editgroup(editgroup_id).changelog_index is not None or None

        def accept() -> bool:
            self._once("POST", path)
            return True

        self._certain(accept, is_accepted)

    def _read(self, path: str, shape: type[A]) -> A | None:
        try:
            return self._shaped(path, self._patiently("GET", path), shape)
        except ApiStop as stop:
            if stop.http_status == 404:
                return None
            raise

    def _patiently(self, method: str, path: str, fields: Mapping[str, Any] | None = None) -> Any:
        """Make a call that may be made again."""
        return self._certain(lambda: self._once(method, path, fields), lambda: None)

    def _certain(self, call: Callable[[], T], done: Callable[[], T | None]) -> T:
        """Make a call, and again as often as it may help, unless it was `done` already."""
        for attempt in self._patience.attempts():
            try:
                return call()
            except IngestStop as stop:
                if _may_have_been_done(stop) and (found := done()) is not None:
                    return found
                if not attempt.may_repeat(stop):
                    raise
                attempt.wait(stop, lambda: False)
        raise AssertionError("the last attempt raises")

    def _once(self, method: str, path: str, fields: Mapping[str, Any] | None = None) -> Any:
        """Return what the server answers, as JSON."""
        content = None if fields is None else json.dumps(fields).encode()
        exchange = self._client.call(
            method, self._base + path, self._headers, content, max_bytes=_ANSWER_MAX_BYTES
        )
        if not 200 <= exchange.status_code < 300:
            raise stop_of(exchange, datetime.now(UTC))
        return _parsed(exchange)

    def _shaped(self, path: str, said: Any, shape: type[A]) -> A:
        try:
            return shape.model_validate(said)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise unusable(path, f"{where}: {first['msg']}") from error


def _expanded(**query: str) -> str:
    # Not “contribs”: the server takes that for “manifest” as well (`HideFlags::from_str_list`).
    return urlencode({**query, "expand": "filesets", "hide": "abstracts,refs"})


def _list(path: str, said: Any) -> Sequence[Any]:
    if not isinstance(said, list):
        raise unusable(path, tr("it is not a list"))
    return said


def _parsed(exchange: Exchange) -> Any:
    try:
        return json.loads(exchange.content(max_bytes=_ANSWER_MAX_BYTES))
    except (CannotDecode, ValueError, RecursionError) as error:
        raise unusable(exchange.url, tr("it is not JSON")) from error


def _may_have_been_done(stop: IngestStop) -> bool:
    """Say whether the server may have done it: it did not say that it had not."""
    code = stop.http_status if isinstance(stop, ApiStop) else None
    return code is None or code >= 500 or code == 408
