# SPDX-License-Identifier: AGPL-3.0-or-later
"""Save Page Now 2: asking the Wayback Machine to capture an address, with a person's keys.

How much it takes changes with its load and with the account (between 3 and 15 a minute were
reported): nothing is assumed here, it is asked before each submission and obeyed. Its failures are
not to be trusted: a capture may exist anyway (internetarchive/wayback#297).
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.capture.wayback.pauses import Waiting
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.hosts.archiveorg_keys import may_be_told
from carrel.hosts.retry import retry_after_s
from carrel.model import Status
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.validation import BaseModel, ConfigDict, ValidationError

# With so few places left, submissions are `poll_s` apart.
_FEW_PLACES = 2
_ANSWER_MAX_BYTES = MEBIBYTE
_JOB_ID = re.compile(r"[A-Za-z0-9._-]{1,200}")
_TIMESTAMP = re.compile(r"\d{14}", re.ASCII)
_NO_WORD = re.compile(r"[^\w.-]", re.ASCII)
_SESSION_LIMIT = "user-session-limit"

_STATUSES = {
    "invalid-url": Status.INVALID_URL,
    "not-found": Status.NOT_FOUND,
    "invalid-host-resolution": Status.INVALID_HOST_RESOLUTION,
    "gateway-timeout": Status.GATEWAY_TIMEOUT,
    "too-many-redirects": Status.REDIRECTS_EXCEEDED,
    "read-timeout": Status.READ_TIMEOUT,
    "no-access": Status.FORBIDDEN,
    "forbidden": Status.FORBIDDEN,
    "internal-server-error": Status.REMOTE_SERVER_ERROR,
}


class ServiceStop(IngestStop):
    """Save Page Now takes nothing from this person for now; every further file would end so."""


class _Busy(IngestStop):
    """It asks for a pause."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(Status.SPN2_ERROR, message, may_repeat=False, retry_after_s=wait_s)


class _Answer(BaseModel):
    model_config = ConfigDict(
        extra="ignore", frozen=True, coerce_numbers_to_str=True, defer_build=True
    )

    status: str | None = None
    status_ext: str | None = None
    message: str | None = None
    job_id: str | None = None

    @property
    def code(self) -> str:
        """The word that tells what went wrong, "" if there is none."""
        word = (self.status_ext or "").removeprefix("error:")
        return _NO_WORD.sub("", word)[:60]


class _UserStatus(_Answer):
    available: int | None = None
    daily_captures: int | None = None
    daily_captures_limit: int | None = None


class _JobStatus(_Answer):
    original_url: str | None = None
    original_job_id: str | None = None
    timestamp: str | None = None


A = TypeVar("A", bound=_Answer)

Tell = Callable[[str], None]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Saved:
    """What Save Page Now reports as captured.

    `url` is what it says to have captured and `moment` when (aware, UTC, to the second); both None
    when it only says that there is a recent capture. `exchange` is its word for it.
    """

    url: str | None = None
    moment: datetime | None = None
    exchange: Exchange | None = None


class SavePageNow:
    """Submits addresses with one person's keys. Threads may share it; they submit in turns.

    The keys go to `origin` only, in a header. Raises ServiceStop if that is not a host of
    archive.org (or this machine), or not encrypted.
    """

    def __init__(
        self, client: Client, origin: str, keys: Keys, waiting: Waiting, patience_s: float
    ) -> None:
        _refuse_to_tell_keys(origin)
        self._client, self._origin, self._keys = client, origin, keys
        self._waiting, self._patience_s = waiting, patience_s
        self._turn = threading.Lock()
        self._over: ServiceStop | None = None

    def capture(self, url: str, if_not_archived_within: str | None, tell: Tell) -> Saved:
        """Have an address captured and wait until it is.

        `if_not_archived_within` ("1h") lets a capture of that age do; `tell` learns, for people,
        what is waited for beyond the capture itself. Blocks. Raises Cancelled,
        ServiceStop (credentials-required, spn2-error), and IngestStop: as the captured site
        behaved (`invalid-url`, `not-found`, `forbidden` …), or spn2-error for all else.
        """
        until = self._until()
        for pause_s in self._waiting.growing():
            submitted, exchange = self._submit(url, if_not_archived_within, tell)
            if submitted.job_id is None:
                return Saved(exchange=exchange)
            try:
                return self._outcome(submitted.job_id, tell)
            except _Busy as busy:
                if self._waiting.now() + pause_s > until:
                    raise
                log.debug("%s is submitted again: %s", url, busy)
                self._waiting.pause(pause_s)
        raise AssertionError("the pauses never end")

    def _submit(self, url: str, recent: str | None, tell: Tell) -> tuple[_Answer, Exchange]:
        form = {
            "url": url,
            "capture_all": "1",
            "force_get": "1",
            "skip_first_archive": "1",
            "js_behavior_timeout": "0",
            **({"if_not_archived_within": recent} if recent else {}),
        }

        def submit() -> tuple[_Answer, Exchange]:
            self._await_place()
            answer, exchange = self._answer(lambda: self._post("/save", form), _Answer)
            if answer.code == _SESSION_LIMIT:
                raise self._failure(answer)
            return answer, exchange

        with self._turn:
            if self._over is not None:
                raise ServiceStop(
                    self._over.status, tr("It was not submitted: {over}", over=self._over)
                )
            try:
                answer, exchange = self._patiently(submit, self._until(), tell, ServiceStop)
            except ServiceStop as stop:
                self._over = stop
                raise
        if answer.job_id is not None and _JOB_ID.fullmatch(answer.job_id):
            return answer, exchange
        if answer.job_id is None and "same snapshot" in (answer.message or ""):
            return answer, exchange
        raise self._failure(answer)

    def _await_place(self) -> None:
        """Return when there is a place for one more. Raises _Busy if there is none."""
        user, _ = self._answer(lambda: self._get("/save/status/user"), _UserStatus)
        used, limit = user.daily_captures, user.daily_captures_limit
        if used is not None and limit is not None and used >= limit:
            message = tr(
                "You have used all {limit:,} captures that Save Page Now allows you per day.",
                limit=limit,
            )
            raise ServiceStop(Status.SPN2_ERROR, message)
        if user.available is None:
            return
        if user.available <= 0:
            raise _Busy(tr("Save Page Now has no free slot for you."))
        if user.available <= _FEW_PLACES:
            self._waiting.pause(self._waiting.poll_s)

    def _outcome(self, job_id: str, tell: Tell) -> Saved:
        """Return what a job came to. Raises IngestStop, and _Busy if it was not even begun."""
        until = self._until()
        while True:
            self._waiting.pause(self._waiting.poll_s)
            job, exchange = self._job(job_id, until, tell)
            if job.status == "success":
                break
            if job.status != "pending":
                raise self._failure(job)
            if self._waiting.now() >= until:
                message = tr(
                    "Save Page Now did not finish within {patience_s:g} seconds.",
                    patience_s=self._patience_s,
                )
                raise IngestStop(Status.SPN2_ERROR, message)
        original = job.original_job_id
        if original and original != job_id and _JOB_ID.fullmatch(original):
            # The job only refers to the one that made the capture.
            job, exchange = self._job(original, until, tell)
        return Saved(job.original_url, _moment(job.timestamp), exchange)

    def _job(self, job_id: str, until: float, tell: Tell) -> tuple[_JobStatus, Exchange]:
        path = f"/save/status/{job_id}"
        return self._patiently(
            lambda: self._answer(lambda: self._get(path), _JobStatus), until, tell, IngestStop
        )

    def _until(self) -> float:
        return self._waiting.now() + self._patience_s

    def _patiently(
        self,
        ask: Callable[[], tuple[A, Exchange]],
        until: float,
        tell: Tell,
        at_the_end: type[IngestStop],
    ) -> tuple[A, Exchange]:
        """Return the answer, asked forever more slowly while the service is busy.

        Raises `at_the_end` when it is busy all the time.
        """
        for pause_s in self._waiting.growing():
            try:
                return ask()
            except _Busy as busy:
                wait_s = max(pause_s, busy.retry_after_s or 0)
                if self._waiting.now() + wait_s > until:
                    raise at_the_end(Status.SPN2_ERROR, str(busy)) from busy
                tell(str(busy))
                self._waiting.pause(wait_s)
        raise AssertionError("the pauses never end")

    def _answer(self, send: Callable[[], Exchange], shape: type[A]) -> tuple[A, Exchange]:
        """Return what the service answers. Raises IngestStop, ServiceStop, _Busy."""

        def ask() -> tuple[A, Exchange]:
            try:
                exchange = send()
            except IngestStop as stop:
                raise _as_spn2_error(stop) from stop
            return self._read(exchange, shape), exchange

        return self._waiting.persist(ask)

    def _read(self, exchange: Exchange, shape: type[A]) -> A:
        code = exchange.status_code
        wait_s = retry_after_s(exchange.headers.get("retry-after"))
        if code == 429:
            raise _Busy(tr("Save Page Now limits requests (HTTP 429)."), wait_s)
        if code >= 500:
            message = tr("Save Page Now answered with HTTP {code}.", code=code)
            raise IngestStop(Status.SPN2_ERROR, message, retry_after_s=wait_s)
        try:
            content = json.loads(exchange.content(max_bytes=_ANSWER_MAX_BYTES))
            answer = shape.model_validate(content)
        except (ValueError, RecursionError) as error:
            # CannotDecode and pydantic's ValidationError are ValueErrors too.
            raise self._unreadable(exchange, error) from error
        if code in (401, 403) and not answer.code:
            raise self._refused(code)
        return answer

    def _unreadable(self, exchange: Exchange, error: Exception) -> IngestStop:
        code = exchange.status_code
        if code in (401, 403):
            return self._refused(code)
        fault = (
            tr("with something unexpected")
            if isinstance(error, ValidationError)
            else tr("but no JSON")
        )
        kind = exchange.mimetype or tr("no declared type")
        message = tr(
            "Save Page Now answered with HTTP {code} and {kind}, {fault}.",
            code=code,
            kind=kind,
            fault=fault,
        )
        return IngestStop(Status.SPN2_ERROR, message)

    def _refused(self, code: int) -> ServiceStop:
        message = tr(
            "Save Page Now does not accept the stored keys for archive.org (HTTP {code}).",
            code=code,
        )
        return ServiceStop(Status.CREDENTIALS_REQUIRED, message)

    def _failure(self, answer: _Answer) -> IngestStop:
        """Return the failure that an answer reports."""
        code = answer.code or tr("no reason")
        if code == _SESSION_LIMIT:
            return _Busy(
                tr(
                    "You have reached the number of simultaneous captures that Save Page Now "
                    "allows."
                )
            )
        said = " ".join(self._keys.left_out_of(answer.message or "").split())[:300]
        words = f": “{said}”" if said else ""
        status = _STATUSES.get(code, Status.SPN2_ERROR)
        return IngestStop(
            status, tr("Save Page Now reports {code}{words}.", code=code, words=words)
        )

    def _post(self, path: str, form: Mapping[str, str]) -> Exchange:
        is_cancelled = self._waiting.is_cancelled
        return self._client.post(
            self._origin + path, form, self._headers(), is_cancelled=is_cancelled
        )

    def _get(self, path: str) -> Exchange:
        with self._client.open(
            self._origin + path,
            self._headers(),
            is_cancelled=self._waiting.is_cancelled,
            is_question=True,
        ) as response:
            return response.read(_ANSWER_MAX_BYTES)

    def _headers(self) -> dict[str, str]:
        authorization = tr(
            "LOW {access}:{secret}", access=self._keys.access, secret=self._keys.secret
        )
        return {"Accept": "application/json", "Authorization": authorization}


def _moment(timestamp: str | None) -> datetime | None:
    """Return 14 digits as a moment, None for anything else."""
    if timestamp is None or not _TIMESTAMP.fullmatch(timestamp):
        return None
    try:
        return datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _refuse_to_tell_keys(origin: str) -> None:
    """Raise ServiceStop for a place that has no business with keys for archive.org.

    The address is a setting of the person's own; a slip there must not cost them their keys.
    """
    if may_be_told(origin):
        return
    message = tr(
        "Your keys for archive.org are not sent to {origin}, given by the setting [wayback] url; "
        "only to https://web.archive.org.",
        origin=origin,
    )
    raise ServiceStop(Status.CREDENTIALS_REQUIRED, message)


def _as_spn2_error(stop: IngestStop) -> IngestStop:
    return IngestStop(
        Status.SPN2_ERROR,
        tr("Save Page Now cannot be reached: {stop}", stop=stop),
        may_repeat=stop.may_repeat,
        retry_after_s=stop.retry_after_s,
    )
