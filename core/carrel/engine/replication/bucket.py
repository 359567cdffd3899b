# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy in a bucket of an S3-compatible object store, by the obstore library.

Keys, region and endpoint come from the environment, by the names that all programs for S3 read; the
keys may also be in the keyring.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carrel.credentials import Credentials, Keys
from carrel.errors import UsageError
from carrel.hosts.inside import is_inside
from carrel.model.sizes import MEBIBYTE
from carrel.model.store_address import BucketAddress, bucket_address
from carrel.translation import tr

_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
# An upload has 10,000 parts at most; as many are in memory as go at once.
_PART, _PARTS_AT_ONCE = 16 * MEBIBYTE, 4
# Each request reads so much: a time limit then holds for any size.
_BLOCK = 16 * MEBIBYTE
_MOST_REASON = 300


class BucketStore:
    """The objects below a prefix in a bucket. Raises UsageError for an address that is none."""

    def __init__(self, text: str, credentials: Credentials) -> None:
        address = bucket_address(text)
        if address is None:
            words = tr("{address} does not have the form s3://BUCKET/PREFIX.", address=text)
            raise UsageError(words)
        self._store = _opened(address, credentials)

    def objects(self) -> Iterator[tuple[str, int]]:
        import obstore

        with _named():
            for batch in obstore.list(self._store):
                yield from ((each["path"], each["size"]) for each in batch)

    def read(self, name: str) -> Iterator[bytes]:
        import obstore

        with _named():
            size = obstore.head(self._store, name)["size"]
        for start in range(0, size, _BLOCK):
            with _named():
                length = min(_BLOCK, size - start)
                piece = obstore.get_range(self._store, name, start=start, length=length)
            yield bytes(piece)

    def write(self, name: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        import obstore

        with _named():
            obstore.put(
                self._store, name, iter(pieces()), chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE
            )

    def remove(self, name: str) -> None:
        import obstore

        with _named():
            obstore.delete(self._store, name)

    def free(self) -> int | None:
        return None  # a bucket grows

    def close(self) -> None:
        """The library ends its connections by itself."""


def _opened(address: BucketAddress, credentials: Credentials) -> Any:
    try:
        from obstore.store import S3Store
    except ImportError:
        words = tr("For a copy in a bucket, install Carrel with “pip install carrel[copies]”.")
        raise UsageError(words) from None
    keys = _keys(address, credentials)
    endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
    is_plain = endpoint.lower().startswith("http://")
    if is_plain and not is_inside(endpoint):
        raise UsageError(
            tr(
                "{endpoint} is not encrypted: the key could be read on the way. Use its https "
                "address.",
                endpoint=endpoint,
            )
        )
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
    client: dict[str, Any] = {"allow_http": is_plain, "timeout": "10m", "connect_timeout": "20s"}
    if authorities := os.environ.get("SSL_CERT_FILE"):
        client["root_certificate"] = Path(authorities).read_bytes()
    retry: Any = {"max_retries": 4}
    options: Any = client
    given: Any = {}
    if keys:
        given = {"access_key_id": keys.access, "secret_access_key": keys.secret}
    return S3Store(
        address.bucket,
        prefix=address.prefix or None,
        region=region,
        client_options=options,
        retry_config=retry,
        config=given,
    )


def _keys(address: BucketAddress, credentials: Credentials) -> Keys | None:
    """Return the keys of a bucket from the keyring, None if the library has some from the
    environment. Raises UsageError where there are none."""
    if all(os.environ.get(name) for name in _KEYS):
        return None
    if keys := credentials.of_bucket(address.name):
        return keys
    raise UsageError(
        tr(
            "For a copy in a bucket, store its access key with “carrel credentials set {name}”, or "
            "put it into the variables {first} and {second}; and the address of the service into "
            "AWS_ENDPOINT_URL unless it is Amazon's.",
            name=address.name,
            first=_KEYS[0],
            second=_KEYS[1],
        )
    )


@contextmanager
def _named() -> Iterator[None]:
    """Raise OSError for what the service does not do, with its reason."""
    from obstore.exceptions import BaseError

    try:
        yield
    except BaseError as error:
        raise OSError(5, _reason(error)) from error
    except FileNotFoundError as error:
        raise FileNotFoundError(2, _reason(error)) from error


def _reason(error: Exception) -> str:
    """Return the first line of what is said, without the document that the service sent."""
    return str(error).partition("\n")[0].partition(": <?xml")[0].strip()[:_MOST_REASON]
