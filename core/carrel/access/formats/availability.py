# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether formats can be identified here; asked after each ingest, so that nothing is loaded."""

import sys
from importlib.util import find_spec

from carrel.translation import tr


def why_unavailable() -> str:
    """Return what keeps formats from being identified here, and what to do; "" for nothing."""
    if not sys.executable:
        return tr("This build of Carrel does not identify formats.")
    if find_spec("pygfried") is None:
        return tr(
            "Formats are not identified: the package pygfried is missing. Install carrel[formats], "
            "then run “carrel formats”."
        )
    return ""
