# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which links of a page look like data: for a person to choose from, nothing is kept."""

from carrel.capture.client import Client
from carrel.engine.stored_credentials import stored_credentials
from carrel.model import IngestRequest
from carrel.model.page_link import PageLink
from carrel.platforms.api import HttpApi
from carrel.platforms.landing import land
from carrel.platforms.page_links import links_like_data
from carrel.settings import Settings


async def page_links(request: IngestRequest, settings: Settings) -> tuple[PageLink, ...]:
    """Return the links. Raises IngestStop for a page that cannot be read."""
    with Client(settings.network, stored_credentials()) as client:
        return await links_by(client, request)


async def links_by(client: Client, request: IngestRequest) -> tuple[PageLink, ...]:
    """Return the links, as a client finds them. Raises as `page_links`."""
    landing = await land(client, request.base_url, lambda exchange: None)
    api = HttpApi(client, lambda exchange: None, landing_url=landing.url)
    return await links_like_data(landing, api)
