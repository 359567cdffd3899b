# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of files that an ingest did not archive, and another one of the same version did."""

from collections.abc import Mapping, Sequence
from typing import Any

from carrel.model.counts import counted
from carrel.model.item import Finding
from carrel.translation import plural, tr

_CODE = "archived-by-another-ingest"
_MOST_NAMED = 5


def beside_finding(files: Sequence[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """Return what is to be known of such files, each with its `path` and `ingest_id`; nothing where
    there are none."""
    if not files:
        return ()
    named = [f"{each['path']} ({each['ingest_id']})" for each in files[:_MOST_NAMED]]
    if more := len(files) - len(named):
        named.append(tr("and {files}", files=counted(more, "more file")))
    words = plural(
        "{count} file that this ingest lacks was archived by another ingest of this version: "
        "{named}.",
        "{count} files that this ingest lacks were archived by other ingests of this version: "
        "{named}.",
        len(files),
        count=f"{len(files):,}",
        named=", ".join(named),
    )
    # What is gone is not to be had again, and what no digest proves is fetched again.
    advice = tr(
        "Archive the dataset again to have them in one ingest, as far as they are still published: "
        "archived files with a published checksum are not downloaded again."
    )
    return (Finding(_CODE, f"{words} {advice}"),)


def beside_among(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Return that, if it is among what is to be known."""
    return [each for each in findings if each.code == _CODE]
