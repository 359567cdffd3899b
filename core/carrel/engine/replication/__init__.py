# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy of an archive: made, compared, and taken from what is damaged here.

The copy has the archive's own layout: WARCs, indexes, journal, ledger and dark archive under the
same names, and a list of their SHA-256 that "sha256sum -c" reads. `parts` says what of an archive
is copied and how it changes, `store` is where a copy lies, `copy_list` the list in it.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.replication.comparison import Compared, compare
    from carrel.engine.replication.repaired import Repaired
    from carrel.engine.replication.repairing import repair, repair_dark_in_use, repair_in_use
    from carrel.engine.replication.replication import Lacking, Replicated, replicate
    from carrel.engine.replication.store import FolderStore, Store, store_at

__getattr__ = offering(
    __name__,
    {
        "comparison": ["Compared", "compare"],
        "repairing": ["repair", "repair_dark_in_use", "repair_in_use"],
        "repaired": ["Repaired"],
        "replication": ["Lacking", "Replicated", "replicate"],
        "store": ["FolderStore", "Store", "store_at"],
    },
)
__all__ = [
    "Compared",
    "FolderStore",
    "Lacking",
    "Repaired",
    "Replicated",
    "Store",
    "compare",
    "repair",
    "repair_dark_in_use",
    "repair_in_use",
    "replicate",
    "store_at",
]
