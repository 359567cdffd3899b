# SPDX-License-Identifier: AGPL-3.0-or-later
"""Formats, and what in them needs attention, in words."""

from carrel.model.formats import UNKNOWN, Format, FormatRisk
from carrel.translation import tr

RISKS = {
    FormatRisk.UNKNOWN: tr("unknown to PRONOM"),
    FormatRisk.ENCRYPTED: tr("encrypted or with a password"),
    FormatRisk.MISMATCH: tr("another format than the extension says"),
    FormatRisk.EXTENSION: tr("recognised by the extension only"),
}


def format_name(puid: str, title: str) -> str:
    """Return a format as "Portable Network Graphics 1.0 (fmt/11)"."""
    if not puid:
        return tr("Not identified")
    if puid == UNKNOWN:
        return tr("Unknown to PRONOM")
    return f"{title} ({puid})" if title else puid


def format_in_words(found: Format) -> str:
    """Return a format with how it was found, and what the tool warns of."""
    name = format_name(found.puid, found.title)
    cut = tr("of its beginning and its end") if found.is_cut else ""
    details = ", ".join(part for part in (found.basis, cut) if part)
    told = f"{name}: {details}" if details else name
    return f"{told} – {found.warning}" if found.warning else told
