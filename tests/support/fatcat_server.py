# SPDX-License-Identifier: AGPL-3.0-or-later
"""A stand-in for fatcat on a free port of this machine, as there is none that runs from Python.

It keeps entities and editgroups, checks every body against the definitions, and enforces roles,
states and the form of errors as fatcatd does (its `endpoints.rs`, `editing_crud.rs`, `auth.rs`).
"""

import base64
import json
import re
import socket
import threading
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from support.fatcat_definitions import faults

_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_KINDS = {"fileset": "filesets", "file": "files"}
_MOST_LISTED = 100
EDITOR, ADMIN, STRANGER = "editor", "admin", "stranger"


def ident(number: int) -> str:
    """Return an identifier as fatcat makes them: 26 characters of base32."""
    text = ""
    for _ in range(26):
        number, digit = divmod(number, 32)
        text = _LETTERS[digit] + text
    return text


EDITORS = {EDITOR: ident(1001), ADMIN: ident(1002)}


def token(role: str) -> str:
    """Return a token of an editor with this role: a macaroon has the editor in the clear."""
    caveat = f"editor_id = {EDITORS.get(role, ident(1999))}".encode()
    head = b"\x02\x01\x0efatcat.example\x02\x05dummy\x00\x02"
    return base64.b64encode(
        head + bytes([len(caveat)]) + caveat + b"\x00\x00\x06 " + b"s" * 32
    ).decode()


class Refusal(Exception):
    """A request that is refused, in the words of fatcatd's errors."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status, self.error = status, error


@dataclass
class Fault:
    """What goes wrong with requests of a method at paths that match; `times` of them.

    It is done nevertheless if `is_done`.
    """

    method: str
    path: str
    status: int
    times: int = 1
    is_done: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class FatcatServer:
    """What it has: releases, entities and editgroups by ident; and each request that came.

    `at_write` is called before and after each request that writes, with its number from 1.
    """

    origin: str = ""
    releases: dict[str, dict[str, Any]] = field(default_factory=dict)
    entities: dict[str, dict[str, Any]] = field(default_factory=dict)
    editgroups: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    hides_manifests: bool = False
    at_write: Callable[[int, bool], None] = lambda number, is_done: None
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _changes: Iterator[int] = field(default_factory=lambda: count(1))
    _started: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def api(self) -> str:
        return f"{self.origin}/v0"

    def add_release(self, doi: str = "", **fields: Any) -> str:
        """Return the ident of a new release."""
        number = self._next()
        self.releases[number] = {
            "ident": number,
            "state": "active",
            "title": "A dataset",
            "ext_ids": {"doi": doi} if doi else {},
            **fields,
        }
        return number

    @property
    def accepted(self) -> list[dict[str, Any]]:
        return [each for each in self.entities.values() if each["state"] == "active"]

    def group(self, state: str) -> list[dict[str, Any]]:
        """Return the editgroups that are "open", "submitted" or "accepted"."""
        return [each for each in self.editgroups.values() if _state(each) == state]

    def bodies(self, editgroup: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the entities that an editgroup has, as they were sent."""
        edits = [each for kind in _KINDS.values() for each in editgroup["edits"][kind]]
        return [self.entities[each["ident"]] for each in edits]

    def accept(self, editgroup: dict[str, Any]) -> None:
        """Do what a reviewer does."""
        editgroup["changelog_index"] = next(self._changes)
        for each in self.bodies(editgroup):
            each["state"] = "active"

    def asked(self, method: str, path: str = "") -> int:
        """Return how many requests came with this method to paths that begin so."""
        return sum(each[0] == method and each[1].startswith(f"/v0{path}") for each in self.requests)

    def _next(self) -> str:
        return ident(next(self._numbers))

    # What the API does; each takes a request and returns the status and the answer.

    async def check(self, request: Request) -> tuple[int, Any]:
        editor = _editor(request)
        if request.query_params.get("role") == "admin":
            _require_admin(editor)
        return 200, {"success": True, "message": "auth check successful!"}

    async def release(self, request: Request) -> tuple[int, Any]:
        asked = _ident(request.path_params["ident"])
        if asked not in self.releases:
            raise Refusal(404, "NotFound", f"no such release found: {asked}")
        return 200, self._expanded(self.releases[asked], request)

    async def release_lookup(self, request: Request) -> tuple[int, Any]:
        query = {k: v for k, v in request.query_params.items() if k not in ("expand", "hide")}
        if len(query) != 1:
            raise Refusal(400, "MissingOrMultipleExternalId", "please supply exactly one")
        ((name, value),) = query.items()
        if name == "doi" and not re.fullmatch(r"10\.\d{3,6}/\S+", value):
            raise Refusal(400, "MalformedExternalId", f"doesn't match for a DOI: {value}")
        for each in self.releases.values():
            if each["ext_ids"].get(name) == value and each["state"] == "active":
                return 200, self._expanded(each, request)
        raise Refusal(404, "NotFound", f"no such release found: {value}")

    async def fileset(self, request: Request) -> tuple[int, Any]:
        asked = _ident(request.path_params["ident"])
        if asked not in self.entities:
            raise Refusal(404, "NotFound", f"no such fileset found: {asked}")
        return 200, self.entities[asked]

    async def file_lookup(self, request: Request) -> tuple[int, Any]:
        sha1 = request.query_params["sha1"]
        if not re.fullmatch("[0-9a-f]{40}", sha1):
            raise Refusal(400, "MalformedChecksum", f"sha1: {sha1}")
        found = [each for each in self.accepted if each.get("sha1") == sha1]
        if not found:
            raise Refusal(404, "NotFound", f"no such file found: {sha1}")
        return 200, found[0]

    async def list_editgroups(self, request: Request) -> tuple[int, Any]:
        editor, before = _ident(request.path_params["ident"]), request.query_params.get("before")
        limit = min(int(request.query_params.get("limit", 20)), _MOST_LISTED)
        own = [each for each in self.editgroups.values() if each["editor_id"] == editor]
        own.sort(key=lambda each: str(each["created"]), reverse=True)
        rest = [each for each in own if before is None or each["created"] < before]
        return 200, [{k: v for k, v in each.items() if k != "edits"} for each in rest[:limit]]

    async def get_editgroup(self, request: Request) -> tuple[int, Any]:
        return 200, self._editgroup(request)

    async def create_editgroup(self, request: Request) -> tuple[int, Any]:
        editor, body = _editor(request), await _body(request, "editgroup")
        number = self._next()
        made = self._started + timedelta(milliseconds=len(self.editgroups))
        self.editgroups[number] = {
            "editgroup_id": number,
            "editor_id": EDITORS[editor],
            "created": made.isoformat().replace("+00:00", "Z"),
            **{k: v for k, v in body.items() if k in ("description", "extra")},
            "edits": {kind: [] for kind in _KINDS.values()},
        }
        return 201, self.editgroups[number]

    async def update_editgroup(self, request: Request) -> tuple[int, Any]:
        editgroup = self._own(request)
        body = await _body(request, "editgroup")
        if request.query_params.get("submit") == "true":
            editgroup["submitted"] = datetime.now(UTC).isoformat()
        else:
            editgroup |= {k: v for k, v in body.items() if k in ("description", "extra")}
        return 200, editgroup

    async def accept_editgroup(self, request: Request) -> tuple[int, Any]:
        _require_admin(_editor(request))
        self.accept(self._own(request))
        return 200, {"success": True, "message": "horray!"}

    async def create_entity(self, request: Request) -> tuple[int, Any]:
        kind, editgroup = request.path_params["kind"], self._own(request)
        body = await _body(request, kind)
        for each in body.get("release_ids", ()):
            if each not in self.releases:
                raise Refusal(400, "ConstraintViolation", f"no such release: {each}")
        number = self._next()
        self.entities[number] = {**body, "ident": number, "state": "wip"}
        edit = {
            "edit_id": str(uuid.UUID(int=next(self._numbers))),
            "ident": number,
            "revision": str(uuid.UUID(int=next(self._numbers))),
            "editgroup_id": editgroup["editgroup_id"],
            "extra": body.get("edit_extra"),
        }
        editgroup["edits"][_KINDS[kind]].append(edit)
        return 201, edit

    def _expanded(self, release: Mapping[str, Any], request: Request) -> dict[str, Any]:
        expanded = dict(release)
        hidden = self.hides_manifests or "contribs" in request.query_params.get("hide", "")
        for name in filter(None, request.query_params.get("expand", "").split(",")):
            has_manifest = name == "filesets"
            expanded[name] = [
                {k: v for k, v in each.items() if k != "manifest" or not hidden}
                for each in self.accepted
                if release["ident"] in each.get("release_ids", ())
                and ("manifest" in each) is has_manifest
            ]
        return expanded

    def _editgroup(self, request: Request) -> dict[str, Any]:
        asked = _ident(request.path_params["ident"])
        if asked not in self.editgroups:
            raise Refusal(404, "NotFound", f"no such editgroup found: {asked}")
        return self.editgroups[asked]

    def _own(self, request: Request) -> dict[str, Any]:
        """Return an editgroup that may be changed."""
        editor, editgroup = _editor(request), self._editgroup(request)
        if editgroup["editor_id"] != EDITORS[editor] and editor != ADMIN:
            raise Refusal(403, "InsufficientPrivileges", "editor does not own this editgroup")
        if "changelog_index" in editgroup:
            raise Refusal(400, "EditgroupAlreadyAccepted", str(editgroup["editgroup_id"]))
        return editgroup

    def fault(self, request: Request) -> Fault | None:
        """Return what is to go wrong with a request, once less from now on."""
        for each in self.faults:
            path = request.url.path.removeprefix("/v0")
            if each.times and each.method == request.method and re.fullmatch(each.path, path):
                each.times -= 1
                return each
        return None


Handler = Callable[[Request], Awaitable[tuple[int, Any]]]


def _state(editgroup: Mapping[str, Any]) -> str:
    if "changelog_index" in editgroup:
        return "accepted"
    return "submitted" if "submitted" in editgroup else "open"


def _ident(text: str) -> str:
    if not re.fullmatch("[a-z2-7]{26}", text):
        raise Refusal(400, "InvalidFatcatId", f"invalid fatcat identifier: {text}")
    return text


def _editor(request: Request) -> str:
    """Return the role of whoever asks. The server knows its own tokens only."""
    kind, _, said = request.headers.get("authorization", "").partition(" ")
    known = {token(role): role for role in EDITORS}
    if kind != "Bearer" or said not in known:
        message = "auth token was missing, expired, revoked, or corrupt: no valid token."
        raise Refusal(401, "InvalidCredentials", message)
    return known[said]


def _require_admin(editor: str) -> None:
    if editor != ADMIN:
        message = "editor account doesn't have authorization: doesn't have required role: Admin"
        raise Refusal(403, "InsufficientPrivileges", message)


async def _body(request: Request, name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(await request.body())
    if found := faults(name, body):
        raise Refusal(400, "BadRequest", f"{name} is not as defined: {found[0]}")
    return body


def _answering(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            status, said = await handler(request)
        except Refusal as refusal:
            fields = {"success": False, "error": refusal.error, "message": str(refusal)}
            return JSONResponse(fields, refusal.status)
        return JSONResponse(said, status)

    return answer


def _app(server: FatcatServer) -> Starlette:
    calls: list[tuple[str, str, Handler]] = [
        ("GET", "/auth/check", server.check),
        ("GET", "/release/lookup", server.release_lookup),
        ("GET", "/release/{ident}", server.release),
        ("GET", "/fileset/{ident}", server.fileset),
        ("GET", "/file/lookup", server.file_lookup),
        ("GET", "/editor/{ident}/editgroups", server.list_editgroups),
        ("GET", "/editgroup/{ident}", server.get_editgroup),
        ("POST", "/editgroup", server.create_editgroup),
        ("PUT", "/editgroup/{ident}", server.update_editgroup),
        ("POST", "/editgroup/{ident}/accept", server.accept_editgroup),
        ("POST", "/editgroup/{ident}/{kind:str}", server.create_entity),
    ]
    routes = [Route(f"/v0{path}", _answering(each), methods=[verb]) for verb, path, each in calls]
    app = Starlette(routes=routes)

    async def watched(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        server.requests.append((request.method, request.url.path))
        fault = server.fault(request)
        is_write = request.method != "GET"
        number = sum(method != "GET" for method, _ in server.requests)
        if is_write:
            server.at_write(number, False)
        if fault is None or fault.is_done:
            answer = await call_next(request)
        if is_write:
            server.at_write(number, True)
        if fault is not None:
            fields = {"success": False, "error": "InternalError", "message": "it broke."}
            return JSONResponse(fields, fault.status, dict(fault.headers))
        return answer

    app.add_middleware(BaseHTTPMiddleware, dispatch=watched)
    return app


@contextmanager
def fatcat_server() -> Iterator[FatcatServer]:
    """Run the stand-in on a thread, from entering to leaving."""
    server = FatcatServer()
    listener = socket.create_server(("127.0.0.1", 0))
    server.origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        _app(server), lifespan="off", ws="none", log_config=None, timeout_graceful_shutdown=2
    )
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        running.should_exit = True
        thread.join(20)
        listener.close()
