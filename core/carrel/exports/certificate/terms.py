# SPDX-License-Identifier: AGPL-3.0-or-later
"""What files were compared with, in words: a platform published it, or what was imported had it."""

from dataclasses import dataclass, replace

from carrel.exports.certificate.facts import Keeping
from carrel.model.item import LISTING_COMPLETENESS, PAGE_LINKS
from carrel.translation import tr


def terms_of(keeping: Keeping) -> "Terms":
    """Return the words that fit what an attempt keeps."""
    codes = {each.code for each in keeping.findings}
    if PAGE_LINKS in codes:
        return CHOSEN
    if LISTING_COMPLETENESS in codes:
        return BY_SERVER
    return PUBLISHED if keeping.is_published else LISTED


@dataclass(frozen=True, slots=True)
class Terms:
    """The words for what was known of files before they came, some with names to fill in."""

    head: str
    unknown_sizes: str
    of_each: str
    differ: str
    with_digest: str
    with_size: str
    with_nothing: str
    digest_matched: str
    size_matched: str
    nothing: str
    differing: str
    file_differs: str
    file_matches: str
    file_size_matches: str
    not_as_told: str
    complete: str
    proven: str


PUBLISHED = Terms(
    head=tr("Published"),
    unknown_sizes=tr("the sizes of {files} are not published"),
    of_each=tr("Each file as it was published, as it arrived, and where it is"),
    differ=tr("{files} differ from what was published"),
    with_digest=tr("{files} with a published checksum"),
    with_size=tr("{files} with the published size only"),
    with_nothing=tr("{files} with nothing, as nothing was published"),
    digest_matched=tr("A published checksum matched on arrival"),
    size_matched=tr("Only the published size matched on arrival"),
    nothing=tr("Nothing was published to compare with"),
    differing=tr("Archived although something published differs"),
    file_differs=tr("Differs from what was published: {names}."),
    file_matches=tr("{names} as published."),
    file_size_matches=tr("Only the size, as published."),
    not_as_told=tr("Archived, but not as published"),
    complete=tr("Complete; not everything could be compared"),
    proven=tr("Complete and proven by published checksums"),
)
CHOSEN = replace(
    PUBLISHED,
    head=tr("Chosen"),
    complete=tr("Archived as chosen; whether that is all of the dataset is not known"),
    proven=tr("Archived as chosen, as published; whether that is all of the dataset is not known"),
)
"""Of links that a person chose on a page, which is all that is known of the dataset."""
BY_SERVER = replace(
    PUBLISHED,
    complete=tr("Archived as listed; whether that is all of the dataset is not known"),
    proven=tr("Archived as listed, as published; whether that is all of the dataset is not known"),
)
"""Of what a server lists in a directory, which is all that is known of the dataset."""
LISTED = Terms(
    head=tr("Listed"),
    unknown_sizes=tr("the sizes of {files} are not listed"),
    of_each=tr("Each file as it was listed, as it arrived, and where it is"),
    differ=tr("{files} differ from what was listed"),
    with_digest=tr("{files} with a listed checksum"),
    with_size=tr("{files} with the listed size only"),
    with_nothing=tr("{files} with nothing, as nothing was listed"),
    digest_matched=tr("A listed checksum matched on arrival"),
    size_matched=tr("Only the listed size matched on arrival"),
    nothing=tr("Nothing was listed to compare with"),
    differing=tr("Archived although something listed differs"),
    file_differs=tr("Differs from what was listed: {names}."),
    file_matches=tr("{names} as listed."),
    file_size_matches=tr("Only the size, as listed."),
    not_as_told=tr("Archived, but not as listed"),
    complete=tr("Complete; not everything could be compared"),
    proven=tr("Complete and proven by the checksums that came with it"),
)
"""Of what was imported from a folder, a bag or a crate, which list what they have, or do not."""
