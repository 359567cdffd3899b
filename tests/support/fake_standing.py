# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives as they stand: one of some years, one of some months, one in which all is well."""

from dataclasses import replace

from carrel.model import JobState
from carrel.model.figures import Amount, Figures, Losses, Month
from carrel.model.formats import FormatAmount, FormatRisk
from carrel.model.holdings import Checked
from carrel.model.sizes import GIBIBYTE, MEBIBYTE
from carrel.model.standing import Room, Standing

NOW = "2026-03-14T09:26:53Z"
_PLATFORMS = {
    "dataverse": (412, 18_204, 310),
    "zenodo": (287, 3_911, 884),
    "figshare": (140, 1_020, 96),
    "inveniordm": (61, 702, 41),
    "signposting": (22, 340, 12),
    "archiveorg": (9, 4_022, 151),
    "schema.org": (4, 31, 1),
    "cernopendata": (2, 210, 640),
    "": (1, 3, 0),
}
_ADDED = (12, 48, 31, 90, 66, 0, 120, 75, 104, 88, 61, 143, 70, 30)
PLATFORMS = {
    name: Amount(datasets, files, gib * GIBIBYTE)
    for name, (datasets, files, gib) in _PLATFORMS.items()
}
HELD = sum(PLATFORMS.values(), Amount())
MONTHS = tuple(
    Month(
        f"{2025 + at // 12}-{at % 12 + 1:02}",
        Amount(count, 31 * count, 2 * count * GIBIBYTE),
        first=count,
        first_in_year=count,
    )
    for at, count in enumerate(_ADDED)
    if count
)
FORMATS = (
    FormatAmount(
        "x-fmt/18", "Comma Separated Values", FormatRisk.EXTENSION, 610, 14_902, 6 * GIBIBYTE
    ),
    FormatAmount("fmt/11", "Portable Network Graphics 1.0", None, 204, 5_120, 3 * GIBIBYTE),
    FormatAmount("fmt/11", "Portable Network Graphics 1.0", FormatRisk.MISMATCH, 2, 3, MEBIBYTE),
    FormatAmount("", "", None, 31, 800, 2 * GIBIBYTE),
    FormatAmount("x-fmt/263", "ZIP Format", None, 180, 402, 1_400 * GIBIBYTE),
    FormatAmount("UNKNOWN", "", FormatRisk.UNKNOWN, 48, 377, 90 * GIBIBYTE),
    FormatAmount("fmt/276", "Acrobat PDF 1.7", None, 170, 320, GIBIBYTE),
    FormatAmount("fmt/214", "Microsoft Excel for Windows 2007 onwards", None, 90, 211, GIBIBYTE),
    FormatAmount("fmt/807", "Matlab Mat File 7.3", None, 12, 64, 9 * GIBIBYTE),
    FormatAmount("fmt/189", "Microsoft Office Open XML", None, 8, 21, MEBIBYTE),
    FormatAmount("x-fmt/111", "Plain Text File", None, 580, 2_004, GIBIBYTE),
)
EMPTY = Standing(Figures(NOW), Room(412 * GIBIBYTE, 2048 * GIBIBYTE))
WELL = Standing(
    Figures(
        taken=NOW,
        held=HELD,
        recent=Amount(41, 1_190, 63 * GIBIBYTE),
        recent_from="2026-02-12",
        platforms=PLATFORMS,
        months=MONTHS,
        checked={
            Checked.MONTH: 520,
            Checked.QUARTER: 210,
            Checked.YEAR: 128,
            Checked.LONGER: 44,
            Checked.NEVER: 36,
        },
        queue={JobState.RUNNING: 3, JobState.QUEUED: 118, JobState.DONE: 902},
        watched={"same": 64, "unchecked": 2},
        harvests=12,
        formats=FORMATS,
    ),
    Room(412 * GIBIBYTE, 2048 * GIBIBYTE),
)
FULL = replace(
    WELL,
    figures=replace(
        WELL.figures,
        damaged=3,
        incomplete=27,
        unproven=61,
        queue={**WELL.figures.queue, JobState.ASKING: 2, JobState.FAILED: 9, JobState.PAUSED: 1},
        watched={"same": 64, "gone": 1, "changed": 5, "new version": 3, "unchecked": 2},
        lost=(Losses("2025-10", 4), Losses("2025-12", 0, 17), Losses("2026-02", 12, 27, 4)),
    ),
    requests=1,
)
LONG = replace(
    FULL,
    figures=replace(
        FULL.figures,
        months=tuple(
            Month(f"{year}-05", Amount(count, 9_000, (year - 2010) * GIBIBYTE), count, count)
            for year in range(2012, 2027)
            for count in (900 + 37 * year % 400,)
        ),
    ),
    room=Room(3 * GIBIBYTE, 2048 * GIBIBYTE),
)
