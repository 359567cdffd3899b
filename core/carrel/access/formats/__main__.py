# SPDX-License-Identifier: AGPL-3.0-or-later
"""The process that identifies formats: paths as a list in JSON in each line on standard input, the
list of its answers in a line on output, after a line on what it identifies with."""

import json
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from carrel.access.renditions.confinement import confine


def main() -> None:
    """Answer until there is no more question."""
    # An interrupt is for the process that was begun by a person; that one ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limits = json.loads(sys.stdin.readline())
    import pygfried

    # Loaded first: a scanner reads its signatures once, and opens nothing but files afterwards.
    scanner = pygfried.Scanner()
    with suppress(pygfried.GoError, pygfried.EmptySourceError):
        scanner.identify(os.devnull)  # for the first file it builds what it compares with
    confine(limits["cpu_s"], limits["memory_bytes"])
    _say({"tool": "siegfried " + pygfried.version()})
    for line in sys.stdin:
        _say([_answer(path, scanner.identify(path, detailed=True)) for path in json.loads(line)])


def _answer(path: str, found: Any) -> dict[str, Any]:
    """Return what siegfried says of one file, as far as it is stored."""
    (file,) = found["files"]
    first, *others = file["matches"] or [{}]
    warnings = first.get("warning", "").split("; ")
    if not Path(path).suffix:  # which siegfried calls another than that of the format
        warnings = [each for each in warnings if each != "extension mismatch"]
    notes = [*warnings, _also(others), file["errors"]]
    return {
        "puid": first.get("id", ""),
        "name": first.get("format", ""),
        "version": first.get("version", ""),
        "mimetype": first.get("mime", "").partition(",")[0].strip(),
        "basis": first.get("basis", ""),
        "warning": "; ".join(filter(None, notes)),
        "signatures": _signatures(found["identifiers"]),
    }


def _also(others: list[Any]) -> str:
    """Return which formats fit as well."""
    return "also " + ", ".join(each["id"] for each in others) if others else ""


def _signatures(identifiers: list[Any]) -> str:
    """Return the signatures' versions, as in "PRONOM 125, containers 20260119"."""
    details = " ".join(each["details"] for each in identifiers)
    version = re.search(r"DROID_SignatureFile_V(\d+)", details)
    containers = re.search(r"container-signature-(\d+)", details)
    parts = [
        f"PRONOM {version[1]}" if version else details,
        f"containers {containers[1]}" if version and containers else "",
    ]
    return ", ".join(filter(None, parts))


def _say(words: object) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
