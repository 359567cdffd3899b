# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sending kept payloads to an item on archive.org, by the `internetarchive` library.

Importing this module loads the library, which takes a while: import it where files are sent. What
the library has of its own that does not suit us is set right here: it would read the person's
`ia.ini`, tell the access key in its User-Agent, keep the keys on a redirect to any host whose name
ends like archive.org's, and replace `socket.connect` of the whole process.
"""

import io
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import internetarchive
import internetarchive.session
from internetarchive.item import Item

from carrel.capture.client import Cancelled
from carrel.capture.stored import Damaged
from carrel.capture.user_agent import user_agent
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.hosts.archiveorg_keys import may_be_told
from carrel.hosts.inside import is_inside
from carrel.hosts.retry import retry_after_s
from carrel.model import Status
from carrel.settings import Settings
from carrel.strategies.item_metadata import PlannedItem
from carrel.strategies.staged_upload import StagedUpload
from carrel.translation import tr

# Where the library sends files, whatever it is told.
_LIBRARY_S3 = re.compile(r"https?://s3\.us\.archive\.org(?=[/?]|$)")
# The library's own; archive.org takes its time over a large file after the last byte.
_TIMEOUT_S = 120.0
_PROGRESS_EVERY_S = 0.1
_CODE = re.compile(rb"<Code>([A-Za-z]{1,60})</Code>")
_WORDS = re.compile(rb"<Message>([^<]{1,600})</Message>")
_BAD_KEYS = frozenset({"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"})
# Answers of 4xx that a retry may better.
_PASSING = frozenset({"BadDigest", "RequestTimeout", "IncompleteBody", "SlowDown"})
_BUSY = (429, 503)

# Every failure comes as an exception too, and reaches the person from there.
logging.getLogger("internetarchive").setLevel(logging.CRITICAL)
internetarchive.session._SOCKET_ALREADY_PATCHED = True


class PayloadBody(io.RawIOBase):
    """A kept payload as a file to read, from its record to the wire; memory stays flat.

    It can be read again from its beginning. `on_read` is told how far it was read; it may raise.
    """

    def __init__(
        self,
        blocks: Callable[[], Iterator[bytes]],
        size: int,
        on_read: Callable[[int], None] = lambda count: None,
    ) -> None:
        super().__init__()
        self._open_blocks, self._size, self._on_read = blocks, size, on_read
        self._blocks: Iterator[bytes] | None = None
        self._held = memoryview(b"")
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to the beginning, or to the end (which is how the library asks for the size)."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if start + offset not in (0, self._at, self._size):
            raise io.UnsupportedOperation(tr("a payload is read from its beginning"))
        if start + offset != self._at:
            self._at = start + offset
            self._blocks, self._held = None, memoryview(b"")
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as the block at hand goes. Raises Damaged."""
        if not self._held and self._at < self._size:
            self._held = self._next_block()
        count = min(len(buffer), len(self._held))
        buffer[:count] = self._held[:count]
        self._held = self._held[count:]
        self._at += count
        if count:
            self._on_read(self._at)
        return count

    def _next_block(self) -> memoryview:
        """Return what comes next; a failure of the disk is no failure of the network."""
        try:
            if self._blocks is None:
                self._blocks = self._open_blocks()
            return memoryview(next(block for block in self._blocks if block))
        except OSError as error:
            raise Damaged(tr("the record cannot be read: {error}", error=error)) from error
        except StopIteration as error:
            raise Damaged(
                tr("the record ends {size:,} bytes too early", size=self._size - self._at)
            ) from error


class Uploader:
    """Sends one payload after the other to one item. Blocks: for worker threads."""

    def __init__(
        self,
        settings: Settings,
        keys: Keys,
        plan: PlannedItem,
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._plan, self._keys, self._is_cancelled = plan, keys, is_cancelled
        self._session = _Session(settings, keys)
        self._item = Item(self._session, plan.name)
        self._s3_url = settings.archiveorg.s3_url
        self._patience_s = settings.network.timeout_s

    def put(self, parcel: StagedUpload, told: Callable[[int], None], size_hint: int) -> None:
        """Send a payload; `told` hears how many bytes are sent, now and then.

        `size_hint` is how large the item will be in bytes, by which archive.org finds a disk.
        Raises IngestStop (error-archiveorg-upload, credentials-required, store-damaged) and
        Cancelled.
        """
        capture = parcel.capture
        body = PayloadBody(parcel.blocks, capture.size, _Watch(told, self._is_cancelled).read)
        headers = {
            "Content-MD5": capture.md5,
            "x-archive-size-hint": str(size_hint),
            # Should someone have sent another file of this name meanwhile, theirs is not lost.
            "x-archive-keep-old-version": "1",
        }
        try:
            self._item.upload_file(
                body,
                key=parcel.path,
                metadata=_for_library(self._plan.metadata),
                headers=headers,
                queue_derive=False,
                request_kwargs={"timeout": max(_TIMEOUT_S, self._patience_s)},
            )
        except Damaged as error:
            message = tr(
                "{path} cannot be read again from the archive: {error}.",
                path=parcel.path,
                error=error,
            )
            raise IngestStop(Status.STORE_DAMAGED, message) from error
        except OSError as error:  # the base of all that the library's HTTP client raises
            # Its words can hold the access key, and so could a traceback.
            raise self._stop(parcel.path, error) from None
        except ValueError:
            # Bytes that are no text, a bracket that nothing closes: the library fails on them by
            # many names, and repeats them.
            raise IngestStop(
                Status.ERROR_ARCHIVEORG_UPLOAD,
                tr(
                    "{path} could not be uploaded to archive.org: its answer, or the address "
                    "that it redirects to, is not valid.",
                    path=parcel.path,
                ),
                may_repeat=False,
            ) from None

    def is_overloaded(self) -> bool:
        """Say whether archive.org asks for patience with this item.

        The library's own question would take any other answer for a yes.
        """
        params = {"check_limit": "1", "bucket": self._plan.name}
        try:
            with self._session.get(
                f"{self._s3_url}/", params=params, auth=_anonymous, timeout=self._patience_s
            ) as answer:
                said = answer.json()
        except (OSError, ValueError):
            return False
        return isinstance(said, dict) and said.get("over_limit") in (1, True, "1")

    def close(self) -> None:
        self._session.close()

    def _stop(self, path: str, error: OSError) -> IngestStop:
        """Return what an upload ends in, without a word of the keys."""
        answer = getattr(error, "response", None)
        failed = tr("{path} could not be uploaded to archive.org", path=path)
        if answer is None:
            reason = self._keys.left_out_of(_reason(error))
            return IngestStop(Status.ERROR_ARCHIVEORG_UPLOAD, f"{failed}: {reason}.")
        content = bytes(answer.content)
        code = _first(_CODE, content)
        words = self._keys.left_out_of(_first(_WORDS, content)).rstrip(". ")
        said = tr(
            "HTTP {status_code}{code}{words}",
            status_code=answer.status_code,
            code=f" {code}" if code else "",
            words=f": {words}" if words else "",
        )
        if code in _BAD_KEYS or answer.status_code == 401:
            message = tr("archive.org rejected the keys ({said}). Store them again.", said=said)
            return IngestStop(Status.CREDENTIALS_REQUIRED, message)
        is_spam = b"appears to be spam" in content
        is_passing = answer.status_code >= 500 or answer.status_code in _BUSY or code in _PASSING
        return IngestStop(
            Status.ERROR_ARCHIVEORG_UPLOAD,
            f"{failed}: {said}.",
            may_repeat=is_passing and not is_spam,
            retry_after_s=retry_after_s(answer.headers.get("retry-after")),
        )


class _Watch:
    """Tells how far a payload is sent, not more often than anyone can see, and minds a stop."""

    def __init__(self, told: Callable[[int], None], is_cancelled: Callable[[], bool]) -> None:
        self._told, self._is_cancelled = told, is_cancelled
        self._told_at = 0.0

    def read(self, count: int) -> None:
        if self._is_cancelled():
            raise Cancelled
        if (now := monotonic()) - self._told_at >= _PROGRESS_EVERY_S:
            self._told_at = now
            self._told(count)


class _Session(internetarchive.ArchiveSession):
    """The library's session, with our endpoint, our rate limits, and keys for archive.org only."""

    def __init__(self, settings: Settings, keys: Keys) -> None:
        self._s3_url = settings.archiveorg.s3_url
        config = {"s3": {"access": keys.access, "secret": keys.secret}}
        try:
            # Retries are ours; so is the decision when they help.
            super().__init__(config, os.devnull, http_adapter_kwargs={"max_retries": 0})
        except ValueError as error:
            raise IngestStop(Status.CREDENTIALS_REQUIRED, f"{error}") from error
        library = f"internetarchive/{internetarchive.__version__}"
        self.headers["User-Agent"] = f"{library} {user_agent(settings.network.contact)}"
        self._authorities = _authorities()

    def send(self, request: Any, **kwargs: Any) -> Any:
        """Send a request where the settings say, redirected ones only to archive.org."""
        request.url = _LIBRARY_S3.sub(self._s3_url, request.url, count=1)
        is_redirected = not f"{request.url}/".startswith((f"{self._s3_url}/", f"{self._s3_url}?"))
        leads_inside = is_redirected and is_inside(request.url)
        if leads_inside or not may_be_told(request.url):
            message = tr(
                "Your keys for archive.org are not sent to {place}, given by {who}; only to "
                "https://archive.org and what belongs to it.",
                place=_origin(request.url),
                who=tr("a redirect") if is_redirected else tr("the setting [archiveorg] s3_url"),
            )
            raise IngestStop(Status.ERROR_ARCHIVEORG_UPLOAD, message, may_repeat=False)
        kwargs["verify"] = self._authorities
        return super().send(request, **kwargs)

    def resolve_redirects(self, resp: Any, req: Any, *args: Any, **kwargs: Any) -> Any:
        """Follow redirects; of one that cannot be followed nothing is left open."""
        try:
            yield from super().resolve_redirects(resp, req, *args, **kwargs)
        except (ValueError, IngestStop):
            resp.close()
            raise

    def rebuild_auth(self, prepared_request: Any, response: Any) -> None:
        """Leave the keys on a redirected request: `send` sees to where it goes."""


def _origin(url: str) -> str:
    """Return scheme and host of an address, which is all that is said of it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}"


def _authorities() -> str | bool:
    """Return whom to trust with TLS: what the environment names, else the library's own.

    The first variable is the one that the rest of Carrel obeys; the library knows only the others,
    and forgets them for uploads.
    """
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
    return next((value for name in names if (value := os.environ.get(name))), True)


def _anonymous(request: Any) -> Any:
    """Sign nothing: else the library's client looks for a password in the person's `.netrc`."""
    return request


def _for_library(metadata: Mapping[str, tuple[str, ...]]) -> Mapping[str, str | list[str]]:
    return {
        key: values[0] if len(values) == 1 else list(values) for key, values in metadata.items()
    }


# What the HTTP client of the library raises, which is none of ours to import.
_FAILURES = {
    "ProxyError": tr("the proxy ended the connection"),
    "SSLError": tr("no secure connection could be made"),
    "Timeout": tr("no answer in time"),
}


def _reason(error: BaseException) -> str:
    """Return what lies at the bottom of a failure of the network, in the system's words if it has
    any."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    told = (words for name, words in _FAILURES.items() if name in kinds)
    reason = next(told, tr("the connection was lost"))
    deeper: BaseException | None = error
    while deeper is not None:
        if isinstance(deeper, OSError) and deeper.strerror:
            reason = deeper.strerror
        elif isinstance(deeper, TimeoutError):
            reason = tr("no answer in time")
        deeper = deeper.__cause__ or deeper.__context__
    return reason


def _first(pattern: "re.Pattern[bytes]", content: bytes) -> str:
    match = pattern.search(content)
    return " ".join(match[1].decode("utf-8", "replace").split()) if match else ""
