# SPDX-License-Identifier: AGPL-3.0-or-later
"""Hosts that are known to run a platform. `hosts.json` names the date and the source of each list.

A known host is strong evidence; an unknown one proves nothing, for every platform can be installed
anywhere.
"""

import json
from collections.abc import Mapping
from importlib import resources

_TABLE = json.loads(resources.files(__package__).joinpath("hosts.json").read_text("utf-8"))

DATAVERSE: frozenset[str] = frozenset(_TABLE["dataverse"])
DATAVERSE_DOIS: Mapping[str, str] = _TABLE["dataverse_dois"]
"""DOI prefix → the one Dataverse installation that registers under it."""
INVENIORDM: frozenset[str] = frozenset(_TABLE["inveniordm"])
FIGSHARE: frozenset[str] = frozenset(_TABLE["figshare"])
"""Figshare portals outside figshare.com."""
REGISTRIES = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net", "n2t.net", "arks.org"})
OTHERS = frozenset(
    {
        "archive.org",
        "data.4tu.nl",
        "data.mendeley.com",
        "datadryad.org",
        "demo.dataverse.org",
        "doi.pangaea.de",
        "figshare.com",
        "opendata.cern.ch",
        "osf.io",
    }
)


def is_figshare(host: str) -> bool:
    """Return whether the host is Figshare's own or a known portal of it."""
    return host == "figshare.com" or host.endswith(".figshare.com") or host in FIGSHARE


def is_known(host: str) -> bool:
    """Return whether a bare host in a text can be taken for a web address."""
    host = host.lower().removeprefix("www.")
    listed = DATAVERSE | INVENIORDM | REGISTRIES | OTHERS
    return host in listed or is_figshare(host)
