# SPDX-License-Identifier: AGPL-3.0-or-later
"""Full texts out of the dark archive as WARC files, as one collection or a file for each handle.

Every copy is a deed with a reason, journalled before it is made. The indexes are made by whoever
calls: this room knows nothing of them.
"""

from carrel.dark_archive.export.export import Exporting, Index
from carrel.dark_archive.export.tally import Indexed

__all__ = ["Exporting", "Index", "Indexed"]
