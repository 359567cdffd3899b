# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists that say where WARCs are: a sorted file, bisected where it lies, or a hash in Redis."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from carrel.capture.network_faults import without_password
from carrel.errors import NotLoaded
from carrel.translation import tr

# A file up to this size is read through where bisecting found nothing: it may not be sorted.
_READ_THROUGH_BYTES = 16 * 1024**2
_LONGEST_LINE = 64 * 1024
_REDIS_TIMEOUT_S = 5.0


def locations_in_file(path: Path, name: str) -> Sequence[str]:
    """Return the locations of a WARC in the order of the file, none if it is not listed. Blocks.

    Raises NotLoaded when the file cannot be read.
    """
    key = name.encode("utf-8", "surrogateescape") + b"\t"
    try:
        with path.open("rb") as file:
            found = list(_bisected(file, key)) or list(_read_through(file, key))
    except OSError as error:
        reason = error.strerror or error
        message = tr("The list of WARCs {path} cannot be read: {reason}.", path=path, reason=reason)
        raise NotLoaded(name, message) from error
    return [location for line in found for location in _locations(line)]


async def locations_in_redis(redis_url: str, name: str) -> Sequence[str]:
    """Return the locations of a WARC that a hash in Redis has, none if it has it not.

    Raises NotLoaded.
    """
    from redis.asyncio import Redis  # a quarter of what looks for captures, for few
    from redis.exceptions import RedisError

    try:
        server, key = _server_and_key(redis_url)
        client = Redis.from_url(
            server, socket_timeout=_REDIS_TIMEOUT_S, socket_connect_timeout=_REDIS_TIMEOUT_S
        )
        async with client:
            found = await client.hget(key, name)
    except (RedisError, OSError, ValueError) as error:
        shown = without_password(redis_url)
        message = tr(
            "The list of WARCs {shown} cannot be queried: {error}.", shown=shown, error=error
        )
        raise NotLoaded(name, message) from error
    return _locations(found) if isinstance(found, bytes) else []


def _server_and_key(redis_url: str) -> tuple[str, str]:
    """Return the address of a server with its database, and the key: `redis://host[/db]/key`."""
    parts = urlsplit(redis_url)
    path = parts.path.removeprefix("/")
    number, slash, key = path.partition("/")
    if not (slash and number.isascii() and number.isdigit()):
        number, key = "0", path
    if not key:
        raise ValueError("it has no hash")
    return f"{parts.scheme}://{parts.netloc}/{number}", unquote(key)


def _bisected(file: BinaryIO, key: bytes) -> Iterator[bytes]:
    """Yield what the lines that begin with a key have behind it, in a sorted file."""
    low, high = 0, file.seek(0, 2)
    while low < high:
        middle = (low + high) // 2
        if _line_after(file, middle) < key:
            low = middle + 1
        else:
            high = middle
    line = _line_after(file, low)
    while line.startswith(key):
        yield line[len(key) :]
        line = file.readline(_LONGEST_LINE)


def _line_after(file: BinaryIO, position: int) -> bytes:
    """Return the first line that begins at a position or behind it; at the end, one past all."""
    file.seek(max(0, position - 1))
    if position:
        file.readline(_LONGEST_LINE)
    return file.readline(_LONGEST_LINE) or b"\xff"


def _read_through(file: BinaryIO, key: bytes) -> Iterator[bytes]:
    if file.seek(0, 2) > _READ_THROUGH_BYTES:
        return
    file.seek(0)
    while line := file.readline(_LONGEST_LINE):
        if line.startswith(key):
            yield line[len(key) :]


def _locations(line: bytes) -> list[str]:
    texts = line.decode("utf-8", "surrogateescape").strip("\r\n").split("\t")
    return [text.strip() for text in texts if text.strip()]
