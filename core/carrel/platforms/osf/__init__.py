# SPDX-License-Identifier: AGPL-3.0-or-later
"""OSF, the Open Science Framework: projects, registrations and preprints with their files."""

from carrel.platforms.osf.osf import Osf

__all__ = ["Osf"]
