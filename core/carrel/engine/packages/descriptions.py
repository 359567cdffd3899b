# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a package says of the dataset as a whole: as RO-Crate, or in the terms of DataCite.

The readers are those for descriptions on the web. Nothing is fetched: addresses are only read.
"""

from carrel.engine.packages.names import CRATES
from carrel.engine.packages.package import Package
from carrel.engine.packages.tree import Tree
from carrel.platforms.descriptions import datacite, ro_crate
from carrel.platforms.descriptions.description import Description, Document
from carrel.translation import tr

_DATACITE = ("metadata/datacite.json", "metadata/datacite.xml", "datacite.json", "datacite.xml")
READ = frozenset(each.rpartition("/")[2] for each in (*CRATES, *_DATACITE))
"""What the files are called that such descriptions are in."""
# Where a crate would be if it were on the web; its files are told from those that are elsewhere.
_HERE = "https://package.invalid/"


def crate_in(package: Package) -> Description | None:
    """Return what an RO-Crate says of itself and of the files here, None where there is none."""
    for name in CRATES:
        if document := _document(package.tree, name):
            if found := ro_crate.read(document):
                return found
            package.remarks.append(tr("{name} does not describe a crate.", name=name))
    return None


def datacite_in(package: Package) -> Description | None:
    """Return what the metadata of DataCite say, None where there are none."""
    documents = (_document(package.tree, name) for name in _DATACITE)
    return next(filter(None, (datacite.read(each) for each in documents if each)), None)


def is_here(url: str | None) -> bool:
    """Say whether a crate means a file in its own folder by an address."""
    return url is not None and url.startswith(_HERE)


def _document(tree: Tree, name: str) -> Document | None:
    if name not in tree.sizes:
        return None
    try:
        return Document(tree.content(name).decode(), f"{_HERE}{name}")
    except (OSError, ValueError):  # it stays one of the files
        return None
