# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exports of an archive, and what is in them."""

import asyncio
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from carrel.archive import Archive
from carrel.engine.exports import export
from carrel.model.events import Emit, ignore
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport

DAY = date(2026, 3, 4)
# Names that some disk, shell or reader does not take, or takes for something else.
HOSTILE: Mapping[str, bytes] = {
    "plain.txt": b"1",
    "data/Ü b.csv": b"2",
    "100%.txt": b"3",
    "a%0Ab.txt": b"4",
    "line\nend.txt": b"5",
    "mark\u2028end.txt": b"6",
    "trailing ": b"7",
    "CON.txt": b"8",
    "Twin.txt": b"9",
    "twin.txt": b"10",
    "../up.txt": b"11",
    "turn\u202egpj.exe": b"12",
    "back\\slash": b"13",
    "e\u0301.txt": b"14",
    "empty": b"",
    "~home": b"15",
    "-rf": b"16",
}


def exported(
    archive: Archive,
    form: ExportForm,
    folder: Path,
    *ingests: str,
    emit: Emit = ignore,
    **options: Any,
) -> ExportReport:
    """Export what ingests keep, all on one day."""
    chosen = ExportOptions(form, **options)
    return asyncio.run(export(archive, ingests or ["1"], folder, chosen, emit, day=DAY))


def only(report: ExportReport) -> tuple[Exported, Path]:
    """Return the one holding that was exported, and where it is."""
    (one,) = report.holdings
    assert one.path is not None, one.refusal
    return one, one.path


def tree(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder, by relative path, hidden files included."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
