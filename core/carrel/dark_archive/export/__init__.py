# SPDX-License-Identifier: AGPL-3.0-or-later
"""Full texts out of the dark archive as WARC files, as one collection or a file for each handle.

Every copy is a deed with a reason, journalled before it is made. The indexes are made by whoever
calls: this room knows nothing of them.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.export.export import Exporting, Index
    from carrel.dark_archive.export.tally import Indexed

__getattr__ = offering(
    __name__,
    {
        "export": ["Exporting", "Index"],
        "tally": ["Indexed"],
    },
)
__all__ = ["Exporting", "Index", "Indexed"]
