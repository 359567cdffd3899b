# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plain text that the dark archive keeps of a watched dataset, one version per change.

Equal manifests give equal texts: files are sorted by path, digests by algorithm, and nothing stands
in it that depends on when, how or with which settings was looked.
"""

import unicodedata

from carrel.engine.watch.published import Published
from carrel.model import ManifestFile, Status
from carrel.translation import tr

# Controls, lone surrogates, and the separators at which some readers break lines.
_UNWRITABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def manifest_text(base_url: str, published: Published) -> str:
    """Return the lines `Name: value` of a dataset, then one `File:` line a file, each ended by LF.

    A file's line has its path, its size in bytes and its published digests (`md5:…`), between tabs;
    a dash stands for what is not published. No line is empty or ends in white space.
    """
    values = {
        "Dataset": base_url,
        "Title": published.title,
        "Platform": tr(
            "{platform_name} at {platform_domain}",
            platform_name=published.platform_name,
            platform_domain=published.platform_domain,
        ),
        "Platform-Id": published.platform_id,
        "Version": published.version,
        "License": published.license,
        "Status": published.status.value,
    }
    lines = [f"{name}: {_in_line(value or '') or '-'}" for name, value in values.items()]
    lines += sorted(f"File: {_file(entry)}" for entry in published.files)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _file(entry: ManifestFile) -> str:
    declared = entry.declared
    size = "-" if declared.size is None else str(declared.size)
    digests = " ".join(
        f"{_in_line(name)}:{_in_line(declared.digests[name])}" for name in sorted(declared.digests)
    )
    parts = [_in_line(entry.path) or "-", size, digests or "-"]
    if entry.status is Status.PLATFORM_RESTRICTED:
        parts.append("restricted")
    return "\t".join(parts)


def _in_line(text: str) -> str:
    """Return a text on one line that any reader takes as it is; a backslash begins an escape."""
    return "".join(_written(char) for char in text).strip()


def _written(char: str) -> str:
    if char == "\\":
        return "\\\\"
    if unicodedata.category(char) not in _UNWRITABLE:
        return char
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
