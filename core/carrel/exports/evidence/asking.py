# SPDX-License-Identifier: AGPL-3.0-or-later
"""Servers that sign or time-stamp, asked as all others are: through the proxies of the environment,
with its authorities, and with the token that is stored for their host, which plain http never gets.
"""

from collections.abc import Mapping

import httpx

from carrel.capture.proxies import Proxies
from carrel.credentials import Credentials
from carrel.translation import tr

_PATIENCE_S = 60.0
_MOST_BYTES = 1024 * 1024


def answer_of(
    url: str, content: bytes, headers: Mapping[str, str], credentials: Credentials
) -> bytes:
    """Return what a server answers to a POST.

    Raises httpx.HTTPError, httpx.InvalidURL, OSError, and ValueError for an answer that is none.
    """
    proxy = Proxies.of_environment().leading_to(url)
    with (
        httpx.Client(
            proxy=proxy,
            trust_env=False,
            timeout=_PATIENCE_S,
            verify=httpx.create_ssl_context(),
        ) as client,
        client.stream(
            "POST", url, content=content, headers={**headers, **credentials.headers_for(url)}
        ) as answer,
    ):
        if not answer.is_success:
            raise ValueError(f"{answer.status_code} {answer.reason_phrase}")
        found = b""
        for piece in answer.iter_bytes():
            found += piece
            if len(found) > _MOST_BYTES:
                raise ValueError(tr("its answer is too large"))
    return found
