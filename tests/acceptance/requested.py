# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is requested: every sample dataset of each host, some of them twice, and poison."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acceptance.hosts import KILLER, Host
from support.fleet import request_of

SECRET = "hush-4711-hush"  # noqa: S105 - to be found nowhere
_TWICE = 0.05
Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Requested:
    """What is sent, in this order.

    `wanted` are requests for datasets, `secretive` one whose address has a password, as it is
    without, and `killer` one that ends whoever works on it. `unreadable` are messages that are no
    requests, `no_results` some that are no results.
    """

    wanted: Sequence[Request]
    secretive: Request
    killer: Request
    unreadable: Sequence[bytes]
    no_results: Sequence[bytes]

    @property
    def ordinary(self) -> Sequence[Request]:
        """All that one machine does as well."""
        return [*self.wanted, self.secretive]

    @property
    def with_secret(self) -> bytes:
        address = self.secretive["base_url"].replace("http://", f"http://reader:{SECRET}@")
        return json.dumps(_request(address)).encode()


def requested(hosts: Sequence[Host], chance: random.Random) -> Requested:
    """Return what is requested of these hosts, shuffled."""
    wanted = [_request(each.url(host)) for host in hosts for each in host.datasets]
    wanted += chance.sample(wanted, round(len(wanted) * _TWICE))
    chance.shuffle(wanted)
    return Requested(
        wanted,
        _request(f"{hosts[0].origin}/records/n0-such1"),
        _request(f"{hosts[-1].origin}{KILLER}"),
        _UNREADABLE,
        (b"{", json.dumps({"status": "", "request": _request("https://example.org/")}).encode()),
    )


def _request(url: str) -> dict[str, Any]:
    return {"ingest_type": "dataset", "base_url": url}


_UNREADABLE = (
    b"no JSON",
    b'{"ingest_type": "dataset", "base_url"',
    json.dumps({"ingest_type": "dataset", "base_url": 7}).encode(),
    json.dumps({"ingest_type": "pdf", "base_url": "https://example.org/"}).encode(),
    request_of("https://example.org/", filler="x" * 2_000_000),
    b"\xff\xfe",
)
