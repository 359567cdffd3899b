# SPDX-License-Identifier: AGPL-3.0-or-later
"""How an archive stands, in figures: how much is held, how well, and what was lost elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.model.formats import FormatAmount
from carrel.model.holdings import Checked
from carrel.model.job import JobState


@dataclass(frozen=True, slots=True)
class Amount:
    """So many datasets, with their files, and the bytes of these."""

    datasets: int = 0
    files: int = 0
    size_bytes: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(
            self.datasets + other.datasets,
            self.files + other.files,
            self.size_bytes + other.size_bytes,
        )


@dataclass(frozen=True, slots=True)
class Month:
    """What of all that is held was archived in one month, named as "2026-03".

    `added` counts the datasets of which anything was, and what that is; `first` those of them of
    which nothing had been archived before, `first_in_year` those of which nothing had in this year.
    """

    name: str
    added: Amount
    first: int
    first_in_year: int


@dataclass(frozen=True, slots=True)
class Losses:
    """What vanished elsewhere in one month.

    `watched` are datasets that are gone, `files` those of watched datasets that are still there,
    and `full_texts` those of the dark archive, by when a look missed them; `templates` are those
    that RePEc no longer names, by the date of the data, or else of the run that missed them.
    """

    name: str
    watched: int = 0
    templates: int = 0
    full_texts: int = 0
    files: int = 0

    @property
    def is_any(self) -> bool:
        return bool(self.watched or self.templates or self.full_texts or self.files)


@dataclass(frozen=True, slots=True)
class Figures:
    """How an archive stood when they were `taken` (UTC, ISO 8601).

    `held` is all that is held, `recent` what of it was archived since the day `recent_from`,
    `platforms` all by platform, most datasets first, and `months` what was archived in each month
    in which anything was, oldest first; an import was when the archive that it is from did so. A
    dataset that was archived again counts in each month in which files came that it has now.
    `checked` says how many datasets were last read again how long ago. Of the datasets `damaged`
    have damaged or missing records, `twinned` only such whose bytes are intact in other records,
    `incomplete` lack files that the platform lists, damaged or not, `unproven` have files for which
    the platform published no checksum, and of `unknown` ones it is not known which files they have,
    as what told of them is lost; `damaged_captures`
    belong to none of them, as those of imported WARC files. `has_captures` says whether there are
    any captures, of datasets or not.

    `queue` counts jobs by state, but for those `on_hold`, which wait until the archive can take
    them; of `overcome` jobs among the failed the dataset was archived since. `watched` counts
    watched datasets by how they stood at the last look, `harvests` the runs of the dark archive,
    `dark_damaged` those of its objects whose copies are damaged or missing, `dark_lost` those that
    the last harvest missed first, or confirmed as lost. `lost` are losses by
    month, oldest first. `formats` are what is held of each format, by what in it needs attention,
    most files first.
    """

    taken: str
    held: Amount = Amount()
    recent: Amount = Amount()
    recent_from: str = ""
    platforms: Mapping[str, Amount] = field(default_factory=dict)
    months: Sequence[Month] = ()
    checked: Mapping[Checked, int] = field(default_factory=dict)
    damaged: int = 0
    twinned: int = 0
    damaged_captures: int = 0
    has_captures: bool = False
    incomplete: int = 0
    unproven: int = 0
    unknown: int = 0
    queue: Mapping[JobState, int] = field(default_factory=dict)
    on_hold: int = 0
    overcome: int = 0
    watched: Mapping[str, int] = field(default_factory=dict)
    harvests: int = 0
    dark_damaged: int = 0
    dark_lost: int = 0
    lost: Sequence[Losses] = ()
    formats: Sequence[FormatAmount] = ()
