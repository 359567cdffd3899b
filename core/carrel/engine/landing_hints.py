# SPDX-License-Identifier: AGPL-3.0-or-later
"""Landing pages that requests name, so that no resolver has to be asked for them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from carrel.model import Finding, IngestRequest, Landing
from carrel.model.request import landing_hint
from carrel.translation import tr


async def landing_of(
    request: IngestRequest,
    land_at: Callable[[str], Awaitable[Landing]],
    forget: Callable[[], None],
) -> tuple[Landing, Sequence[Finding]]:
    """Return where a request leads, by the page that it names if that is there; a finding says so.

    `forget` drops what was learnt at a page that is not there.
    """
    if hint := landing_hint(request):
        landing = await land_at(hint)
        if landing.outcome is None:
            words = tr("The request named the landing page {url}; no resolver was asked.", url=hint)
            hops = (request.base_url, *landing.hops)
            return replace(landing, hops=hops), [Finding("landing-from-request", words)]
        forget()
    return await land_at(request.base_url), []
