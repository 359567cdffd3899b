# SPDX-License-Identifier: AGPL-3.0-or-later
"""The names by which packages are recognised: to look for one, nothing that reads it is loaded."""

import re
from pathlib import Path

from carrel.engine.packages.lists import algorithm_of

# The file that makes a folder a bag (RFC 8493, 2.1.1).
DECLARATION = "bagit.txt"
CRATES = ("ro-crate-metadata.json", "ro-crate-metadata.jsonld")
PACKED_ENDINGS = (".tar", ".tar.gz", ".tgz", ".zip")
_OF_EXPORTS = re.compile(
    r"README\.txt|ro-crate-metadata\.json|bagit\.txt|(?:bag|aptrust)-info\.txt|fetch\.txt"
    r"|metadata/(?:result\.json|not-kept\.txt|names\.tsv|formats\.tsv|datacite\.(?:json|xml))"
    r"|(?:signatures/)?(?:tag)?manifest-[a-z0-9]+\.txt(?:\.(?:p7s|tsr|crt))*"
)


def is_of_exports(path: str) -> bool:
    """Say whether an export of Carrel's has a file of this name beside those of its dataset."""
    return _OF_EXPORTS.fullmatch(path) is not None


def lists_checksums(path: Path) -> bool:
    """Say whether a folder is a package of which files can be compared with anything."""
    try:
        names = [each.name for each in path.iterdir()]
    except OSError:
        return False
    return CRATES[0] in names or any(map(algorithm_of, names))
