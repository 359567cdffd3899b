# SPDX-License-Identifier: AGPL-3.0-or-later
"""OSF, the Open Science Framework: projects, registrations and preprints with their files."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.osf.osf import Osf

__getattr__ = offering(
    __name__,
    {
        "osf": ["Osf"],
    },
)
__all__ = ["Osf"]
