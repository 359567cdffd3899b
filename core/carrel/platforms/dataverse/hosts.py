# SPDX-License-Identifier: AGPL-3.0-or-later
"""The installations of Dataverse that are known."""

from carrel.platforms.host_list import host_list

_LIST = host_list(__package__)
HOSTS = _LIST.hosts
DOIS = _LIST.dois
"""DOI prefix → the one installation that registers under it."""
