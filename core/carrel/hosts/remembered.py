# SPDX-License-Identifier: AGPL-3.0-or-later
"""What all programs of a person remember of hosts, in their cache."""

import logging

from carrel.ledger.hosts import HostStore
from carrel.settings.cache_folder import cache_folder

log = logging.getLogger(__name__)

FILE_NAME = "archives.sqlite"


def remembered() -> HostStore:
    """Return the store in the person's cache; one in memory where there can be no cache."""
    try:
        return HostStore(cache_folder() / FILE_NAME)
    except OSError as error:
        log.warning("The cache cannot be used (%s); nothing is remembered of hosts.", error)
        return HostStore()
