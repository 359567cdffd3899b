# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an engine asks platforms with. It is loaded and made with the first request."""

from functools import cached_property
from typing import TYPE_CHECKING

from carrel.archive import Archive
from carrel.capture.bandwidth import Bandwidth
from carrel.capture.throttle import Throttle
from carrel.credentials import Credentials

if TYPE_CHECKING:
    from carrel.capture.client import Client
    from carrel.engine.ingest import Tools


class Network:
    """Belongs to the engine's loop."""

    def __init__(
        self,
        archive: Archive,
        credentials: Credentials,
        throttle: Throttle,
        bandwidth: Bandwidth,
    ) -> None:
        self._archive, self._credentials = archive, credentials
        self._throttle, self._bandwidth = throttle, bandwidth

    @cached_property
    def client(self) -> "Client":
        """The one client of the engine."""
        from carrel.capture.client import Client  # a tenth of the start, for those who ask

        settings = self._archive.settings.network
        return Client(settings, self._credentials, self._throttle, self._bandwidth)

    def tools(self) -> "Tools":
        """Return what an ingest works with."""
        from carrel.engine.ingest import Tools  # as above

        return Tools(self.client, self._archive.settings, self._archive, self._credentials)

    def close(self) -> None:
        """Close the client, if anyone asked."""
        if "client" in self.__dict__:
            self.client.close()
