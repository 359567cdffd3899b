# SPDX-License-Identifier: AGPL-3.0-or-later
"""What files are called of which only the server that sends them tells the name.

The path of such a file stays as the platform's page has it: by that it is planned, told of, stored,
found again by the next ingest and looked for when the dataset is watched.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from carrel.model import Finding, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.platforms.review import is_unsafe
from carrel.strategies.kept import Kept
from carrel.translation import tr


def noted(kept: Kept) -> Mapping[str, Any]:
    """Return the name that came with the file, nothing if that is no safe one."""
    name = kept.served_name
    if name is None or is_unsafe(name) or name == kept.entry.path:
        return {}
    return {"served_name": name}


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a finding on the names that became known, none if none did."""
    names = [
        tr("{path} is {name}", path=file.path, name=name)
        for file in files
        if (name := file.extra.get("served_name"))
    ]
    if not names:
        return ()
    message = tr(
        "The server gave the name of {files}: {names}.",
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("served-names", message),)
