# SPDX-License-Identifier: AGPL-3.0-or-later
"""Platforms that are recognised and named, but that cannot be asked yet.

When one gets a module of its own, its entry here goes.
"""

from carrel.platforms.about import About, Place
from carrel.translation import tr


def _datasets(title: str, *places: tuple[str, str], is_named_bare: bool = False) -> About:
    """Return a platform whose datasets stand in these folders of these hosts."""
    return About(
        title=title,
        hosts=frozenset(host for host, _ in places) if is_named_bare else frozenset(),
        places=tuple(
            Place(host, folder, tr("a dataset on {title}", title=title)) for host, folder in places
        ),
    )


RECOGNISED: tuple[About, ...] = (
    _datasets("Data.gov", ("catalog.data.gov", "dataset")),
    About(
        title="U.S. Antarctic Program Data Center",
        places=(Place("usap-dc.org", "", tr("a page of the U.S. Antarctic Program Data Center")),),
    ),
)
