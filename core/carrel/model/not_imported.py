# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that an imported result rests on and that were not imported: no one knows their names."""

from pathlib import Path

from carrel.translation import tr

NOT_IMPORTED = "not-imported-"
"""What the ledger calls them begins so; no file in the collection has such a name."""
WAS_NOT_IMPORTED = tr(
    "Its record is in another WARC, which was not imported: import that one as well."
)


def not_imported_name(ingest_id: str) -> str:
    """Return what the ledger calls the WARCs with what an ingest rests on."""
    return f"{NOT_IMPORTED}{ingest_id}.warc.gz"


def why_gone(path: Path) -> str:
    """Return why a WARC that the ledger lists is not in the collection; `path` is its place in the
    folder of the archive, whose own place is told to nobody: a certificate has these words."""
    if path.name.startswith(NOT_IMPORTED):
        return WAS_NOT_IMPORTED
    return tr("There is no {path}.", path=path)
