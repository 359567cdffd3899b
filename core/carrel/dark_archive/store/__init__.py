# SPDX-License-Identifier: AGPL-3.0-or-later
"""The object store: bytes at a place that is made of a time and a name, after the Fort Lee paper.

`names` makes the places, `staging` brings bytes there, `object_store` is what others talk to. What
they stand on: `ground` (the file system as it was found, by `probing`) and `disk` (its handling).
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.store.object_store import ObjectStore
    from carrel.dark_archive.store.staging import Batch

__getattr__ = offering(
    __name__,
    {
        "object_store": ["ObjectStore"],
        "staging": ["Batch"],
    },
)
__all__ = ["Batch", "ObjectStore"]
