# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why files are not in an export of Carrel's, as that says itself."""

import json
from collections.abc import Mapping

from carrel.engine.packages import Package
from carrel.engine.packages.package import NOT_KEPT, Pointer
from carrel.translation import tr


def not_kept_in(package: Package) -> Mapping[str, str]:
    """Return the files that a package says it lacks, by their paths in the dataset, with what it
    says of each. A list that cannot be read is one of the papers, and is told."""
    if NOT_KEPT not in package.tree.sizes:
        return {}
    try:
        lines = package.tree.content(NOT_KEPT).decode().split("\n")[1:]
        rows = [[json.loads(cell) for cell in line.split("\t")] for line in lines if line]
        return {str(path): _in_its_words(str(why)) for path, why, *_ in rows}
    except (OSError, ValueError, RecursionError):
        words = tr("{name} is not a list of what the package lacks.", name=NOT_KEPT)
        package.remarks.append(words)
        return {}


def as_result_says(why: str | None) -> str:
    """Return why a file was never archived, as the result in a package says: its word."""
    if not why:
        return tr("The result in the package says that it was not archived.")
    return tr("It was not archived, as the result in the package says: {why}", why=why)


def only_address(pointer: Pointer) -> str:
    """Return what is said of a file that a bag has not."""
    return tr("It is not in the bag, which names only its address: {url}", url=pointer.url)


def _in_its_words(why: str) -> str:
    return tr("It is not in the package, which says of it: {why}", why=why)
