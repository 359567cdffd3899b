# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a description to the item that an ingest keeps."""

from collections.abc import Sequence
from dataclasses import replace

from carrel.errors import IngestStop
from carrel.model import Finding, FindingLevel, Landing, PlatformItem, Status
from carrel.model.prose import shortlist
from carrel.platforms.descriptions.description import Description
from carrel.platforms.descriptions.formats import TITLES
from carrel.platforms.entries import unique_paths
from carrel.platforms.review import closed, nothing_there, restricted
from carrel.platforms.schemaorg import entries, file_findings, item_of, name_findings
from carrel.translation import tr

_TOLD_OF_FILES = ("croissant", "schema.org")


def item_from(about: Description, landing: Landing) -> PlatformItem:
    """Return the item for a description of the page's dataset, or that is the page itself.

    Raises IngestStop (`platform-scope`) for one of several datasets.
    """
    if about.others:
        raise _scope(about)
    manifest, renamed = unique_paths(entries(about.files))
    # The readers of schema.org's words have told what is odd about the files.
    odd = () if about.format in _TOLD_OF_FILES else file_findings(about.found)
    findings = (*about.findings, *odd, *renamed, *name_findings(manifest))
    if about.restriction and manifest:
        findings = (*findings, _not_free(about.restriction))
    item = item_of(about.format, landing, about, manifest, findings)
    if manifest:
        return replace(item, shortfall=about.shortfall)
    words = _nothing(about, findings_of=item)
    return closed(item, restricted(words) if about.restriction else nothing_there(words))


def _not_free(restriction: str) -> Finding:
    """Return the finding on a dataset that is not for everybody, whose files are tried anyway."""
    message = tr("{restriction} Its files are tried nevertheless.", restriction=restriction)
    return Finding("not-free", message, FindingLevel.WARNING)


def titled(formats: Sequence[str]) -> list[str]:
    """Return the titles of formats."""
    return [TITLES.get(one, one) for one in formats]


def _nothing(about: Description, findings_of: PlatformItem) -> str:
    reasons = (about.restriction, about.shortfall, *(one.message for one in findings_of.findings))
    message = tr(
        "The description ({format}) names none of the dataset's files. {reasons}",
        format="".join(titled([about.format])),
        reasons=" ".join(filter(None, reasons)),
    )
    return message.strip()


def _scope(about: Description) -> IngestStop:
    message = tr(
        "This description ({format}) is not of one dataset, but of {count:,}: {names}. Paste the "
        "address or DOI of a dataset.",
        format="".join(titled([about.format])),
        count=len(about.others),
        names=shortlist(name or tr("one without a name") for name in about.others),
    )
    return IngestStop(Status.PLATFORM_SCOPE, message)
