# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a request to the server asks for: taken from the raw path, since URLs stand in paths."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote

from starlette.requests import Request

from carrel.errors import QueryError
from carrel.model.user_information import bare_address
from carrel.translation import tr

# Of a request body, more than this is sent to no one.
_MOST_BODY_BYTES = 64 * 1024**2
_MOST_PARAMETERS = 1000
# Some clients take two slashes in a path for one.
_MENDED = re.compile(r"^(https?):/+", re.IGNORECASE)


class TooLarge(QueryError):
    """The body of a request is larger than anyone needs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and its path and query as they were sent."""

    request: Request
    path: str
    query_string: str

    @property
    def collection(self) -> str:
        """The first part of the path."""
        return unquote(self.path[1:].partition("/")[0])

    @property
    def rest(self) -> str:
        """What follows in the path, as it was sent."""
        return self.path[1:].partition("/")[2]

    def at(self, path: str) -> "Asked":
        """Return the same request for another path."""
        return Asked(self.request, path, self.query_string)

    @property
    def method(self) -> str:
        return self.request.method

    @property
    def parameters(self) -> Mapping[str, Sequence[str]]:
        """The query parameters by name. Raises QueryError for more than anyone sends."""
        try:
            return parse_qs(
                self.query_string,
                keep_blank_values=True,
                errors="replace",
                max_num_fields=_MOST_PARAMETERS,
            )
        except ValueError as error:
            raise QueryError(
                tr(
                    "There are more than {most_parameters} parameters.",
                    most_parameters=_MOST_PARAMETERS,
                )
            ) from error

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        raw = self.request.headers.raw
        return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)

    def url_after(self, prefix: str) -> str:
        """Return the URL that stands in the path behind a prefix, its query with it.

        A user name or password in it is left out.
        """
        url = _MENDED.sub(r"\1://", self.rest.removeprefix(prefix))
        return bare_address(f"{url}?{self.query_string}" if self.query_string else url)

    async def body(self) -> bytes:
        """Return the request's body. Raises TooLarge."""
        received = bytearray()
        async for piece in self.request.stream():
            received += piece
            if len(received) > _MOST_BODY_BYTES:
                raise TooLarge(
                    tr(
                        "The body of the request is larger than {most_body_bytes} bytes.",
                        most_body_bytes=_MOST_BODY_BYTES,
                    )
                )
        return bytes(received)


def asked(request: Request) -> Asked:
    """Return what a request asks for, from its raw path."""
    path = request.scope.get("raw_path") or request.url.path.encode()
    return Asked(request, path.decode("latin-1"), request.scope["query_string"].decode("latin-1"))
