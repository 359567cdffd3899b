# SPDX-License-Identifier: AGPL-3.0-or-later
"""The hosts that are known to run a platform, as the `hosts.json` beside its module lists them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class HostList:
    """Known hosts, in lower case without "www."; a known one is strong evidence, an unknown one
    proves nothing, for most platforms can be installed anywhere.

    `dois` gives for a DOI prefix the one host that registers under it.
    """

    hosts: frozenset[str]
    dois: Mapping[str, str]


def host_list(package: str) -> HostList:
    """Return the list in a platform's package; the file names the date and source of each part."""
    table = json.loads(resources.files(package).joinpath("hosts.json").read_text("utf-8"))
    return HostList(frozenset(table["hosts"]), table.get("dois", {}))
