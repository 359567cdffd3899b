# SPDX-License-Identifier: AGPL-3.0-or-later
"""What pages and interfaces are asked through: a client, one that records, or a recording."""

from collections.abc import Callable
from typing import Protocol

from carrel.capture.exchange import Exchange


class Asker(Protocol):
    """The part of `Client` by which a dataset is found out about."""

    @property
    def longest_pause_s(self) -> float:
        """How long a pause may be, in seconds, that a server asks for and is given."""

    def has_token(self, url: str) -> bool:
        """Return whether a token of the person's goes along with a request to this address."""

    async def get(
        self,
        url: str,
        *,
        accept: str = "*/*",
        max_bytes: int = ...,
        is_wanted: Callable[[Exchange], bool] = ...,
        is_cancelled: Callable[[], bool] = ...,
        is_open: bool = False,
        question: bytes | None = None,
    ) -> Exchange:
        """Return one whole exchange, as `Client.get` does. Raises IngestStop."""
