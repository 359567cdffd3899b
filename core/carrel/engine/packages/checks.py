# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every file of a package, read and compared with all that the package says of it."""

from collections.abc import Iterable, Iterator

from carrel.engine.packages.lists import unlike
from carrel.engine.packages.package import Fault, Package
from carrel.engine.packages.tree import Attend
from carrel.model import Fate, Fixity
from carrel.translation import tr


def check_files(
    package: Package, attend: Attend, algorithms: Iterable[str] = ()
) -> Iterator[tuple[str, Fixity | Fault]]:
    """Yield each file with what it turned out to be, or what is wrong with it.

    Digests are by these `algorithms` and by all that the package has lists of.
    """
    listed = {name for digests in package.declared.values() for name in digests}
    for path, found in package.tree.read(sorted({*algorithms, *listed}), attend):
        if isinstance(found, Fixity) and (why := _difference(package, path, found)):
            yield path, Fault(path, Fate.DAMAGED, why)
        else:
            yield path, found


def _difference(package: Package, path: str, found: Fixity) -> str:
    size = package.sizes.get(path)
    if size is not None and size != found.size:
        return tr(
            "It has {found} bytes instead of {size}.",
            found=found.size,
            size=size,
        )
    return unlike(package.declared.get(path, {}), found.digests)
