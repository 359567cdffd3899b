# SPDX-License-Identifier: AGPL-3.0-or-later
"""The portals of CKAN that are known, and those whose interface is not where their pages are."""

from carrel.platforms.host_list import host_list

HOSTS = host_list(__package__).hosts
ACTIONS = {
    "data.gov.uk": "https://ckan.publishing.service.gov.uk/api/3/action",
    "envidat.ch": "https://www.envidat.ch/api/action",
    "opendata.swiss": "https://ckan.opendata.swiss/api/3/action",
}
"""Host of the pages → where its actions are called."""
PAGES = {
    action.partition("://")[2].partition("/")[0].removeprefix("www."): host
    for host, action in ACTIONS.items()
}
"""Host where actions are called → host of the pages."""
