# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sizes in bytes, and for people."""

from carrel.translation import tr

KIBIBYTE, MEBIBYTE, GIBIBYTE = 1024, 1024**2, 1024**3


def in_words(size_bytes: int) -> str:
    """Return a size for people: "75.3 MiB"."""
    size = float(size_bytes)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            plain = "1 byte" if size_bytes == 1 else tr("{size_bytes} bytes", size_bytes=size_bytes)
            return plain if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return tr("{size:.1f} TiB", size=size)
