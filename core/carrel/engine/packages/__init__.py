# SPDX-License-Identifier: AGPL-3.0-or-later
"""Packages: folders of files with what is said about them, as others hand them on.

A BagIt bag (RFC 8493), an RO-Crate, an export of Carrel's, or any folder, with or without lists of
checksums. `names` says how they are called. `tree` and `packed` read the files, `bags`, `crates`
and `lists` what is said of them, `opening` finds out which it is, and `checks` compares the two.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.packages.checks import check_files
    from carrel.engine.packages.opening import is_package, open_package
    from carrel.engine.packages.package import Fault, Package, PackageKind, Pointer

__getattr__ = offering(
    __name__,
    {
        "checks": ["check_files"],
        "opening": ["is_package", "open_package"],
        "package": ["Fault", "Package", "PackageKind", "Pointer"],
    },
)
__all__ = [
    "Fault",
    "Package",
    "PackageKind",
    "Pointer",
    "check_files",
    "is_package",
    "open_package",
]
