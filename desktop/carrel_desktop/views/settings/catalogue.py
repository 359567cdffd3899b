# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which settings the page shows, in which order and in which words.

What a value may be stands with the settings themselves, in `carrel.settings`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, auto
from typing import Any

from carrel.settings import Settings
from carrel.settings.consequences import REACHES_OWN_NETWORK
from carrel.settings.editor import is_personal_setting
from carrel.translation import tr


class Kind(Enum):
    TEXT = auto()
    COUNT = auto()
    SECONDS = auto()
    DAYS = auto()
    SIZE = auto()
    FLAG = auto()


TEXT, COUNT, SECONDS, DAYS, SIZE, FLAG = Kind


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of a `settings.toml`, named by section and key.

    `hint` says what it does, `rule` what a text may be, `most` what a number may not exceed: more
    is a slip of the pen.
    """

    name: str
    kind: Kind
    label: str
    hint: str = ""
    rule: str = ""
    most: float = math.inf

    @property
    def section(self) -> str:
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        return self.name.partition(".")[2]

    @property
    def default(self) -> Any:
        return value_of(Settings(), self)

    @property
    def may_be_zero(self) -> bool:
        return "may_be_zero" in self._declared.metadata

    @property
    def pattern(self) -> str:
        """What a text has to match."""
        return str(self._declared.metadata["pattern"])

    @property
    def _declared(self) -> Any:
        section = getattr(Settings(), self.section)
        return next(each for each in fields(section) if each.name == self.key)

    @property
    def is_personal(self) -> bool:
        """Whether it holds for all archives of the person, not for this one."""
        return is_personal_setting(self.section, self.key)


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    settings: list[Setting]

    def only(self, *, personal: bool) -> "Group":
        """Return the group with those of its settings that are the person's, or the archive's."""
        chosen = [each for each in self.settings if each.is_personal is personal]
        return replace(self, settings=chosen)


def value_of(settings: Settings, setting: Setting) -> Any:
    """Return the value of a setting."""
    return getattr(getattr(settings, setting.section), setting.key)


_SIZES = 1000 * 1024**4  # bytes
_FILES, _PARALLEL, _DAYS = 1_000_000_000, 100, 36_500
_SECONDS = 8_640_000  # as the file of settings has it


def groups() -> Sequence[Group]:
    """Return what the page shows, in its order."""
    found: list[Group] = []
    for each in _titles_and_settings():
        if isinstance(each, str):
            found.append(Group(each, []))
        else:
            found[-1].settings.append(each)
    return found


def _titles_and_settings() -> Sequence[str | Setting]:
    """Return each group's title, and after it what belongs to it."""
    return (
        tr("You, as servers see you"),
        Setting(
            "network.contact",
            TEXT,
            tr("Contact"),
            tr("E-mail address or web page, sent to every server"),
            tr("Must be an e-mail address or a web page, in ASCII"),
        ),
        tr("WARC files"),
        Setting(
            "warc.operator",
            TEXT,
            tr("Operator"),
            tr("Written to the warcinfo record"),
            tr("Must be a single line"),
        ),
        Setting(
            "warc.host",
            TEXT,
            tr("Name in WARC files"),
            tr("Instead of this computer's name"),
            tr("Letters, digits, dots and hyphens only, up to 64"),
        ),
        Setting(
            "warc.max_size",
            SIZE,
            tr("New WARC from"),
            tr("A larger file gets its own WARC"),
            most=_SIZES,
        ),
        tr("Limits"),
        Setting(
            "limits.max_total_size",
            SIZE,
            tr("Maximum dataset size"),
            tr("Ask before exceeding"),
            most=_SIZES,
        ),
        Setting("limits.max_file_count", COUNT, tr("Maximum files per dataset"), most=_FILES),
        tr("Choosing a strategy"),
        Setting(
            "strategy.web_file_max_size",
            SIZE,
            tr("Single file up to"),
            tr("A larger file suits an archive.org item, where uploads are allowed"),
            most=_SIZES,
        ),
        Setting("strategy.web_total_max_size", SIZE, tr("All files up to"), most=_SIZES),
        Setting(
            "strategy.web_max_file_count",
            COUNT,
            tr("Number of files up to"),
            tr("More files suit an archive.org item, where uploads are allowed"),
            most=_FILES,
        ),
        Setting(
            "strategy.bundle_from_file_count",
            COUNT,
            tr("Repository ZIP from"),
            tr("Number of files; where the repository offers a ZIP"),
            most=_FILES,
        ),
        tr("Network"),
        Setting("network.ingests", COUNT, tr("Datasets in parallel"), most=_PARALLEL),
        Setting("network.transfers", COUNT, tr("Files in parallel"), most=_PARALLEL),
        Setting("network.per_host", COUNT, tr("Files in parallel per host"), most=_PARALLEL),
        Setting(
            "network.api_interval_s",
            SECONDS,
            tr("Delay between requests"),
            tr("Between two requests to one platform, on average"),
            most=_SECONDS,
        ),
        Setting("network.attempts", COUNT, tr("Attempts per file"), most=_PARALLEL),
        Setting(
            "network.max_rate",
            SIZE,
            tr("Maximum speed"),
            tr("Per second, of all transfers together; 0 for no limit"),
            most=_SIZES,
        ),
        tr("Slow servers"),
        Setting(
            "network.longest_pause_s",
            SECONDS,
            tr("Longest pause"),
            tr("A transfer ends where a server asks for a longer one"),
            most=_SECONDS,
        ),
        Setting("network.timeout_s", SECONDS, tr("Read time-out"), most=_SECONDS),
        Setting("network.connect_timeout_s", SECONDS, tr("Connection time-out"), most=_SECONDS),
        Setting(
            "network.min_rate",
            SIZE,
            tr("Minimum speed"),
            tr("Per second; slower transfers are restarted; 0 for no limit"),
            most=_SIZES,
        ),
        tr("Verification"),
        Setting(
            "schedule.verify_days",
            DAYS,
            tr("Verify each holding every"),
            tr("A part of them each day; 0 for never"),
            most=_DAYS,
        ),
        Setting(
            "schedule.while_archiving",
            FLAG,
            tr("Verify and check while archiving"),
            tr("Otherwise they wait until the queue is done"),
        ),
        tr("Schedule"),
        Setting(
            "schedule.watch_days",
            DAYS,
            tr("Check watched datasets every"),
            tr("0 for never"),
            most=_DAYS,
        ),
        Setting(
            "schedule.hours",
            TEXT,
            tr("Archive only in these hours"),
            tr("For instance 22:00-06:00, or Mon-Fri 20:00-07:00; empty for always"),
            tr(
                "Hours like 22:00-06:00, or Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00, that end at "
                "another time than they begin"
            ),
        ),
        tr("Signatures"),
        Setting(
            "signatures.key",
            TEXT,
            tr("Sign with"),
            tr("“keyring”, or a file with your institution's key (PEM); empty for no signature"),
            tr("Must be a single line"),
        ),
        Setting(
            "signatures.certificates",
            TEXT,
            tr("Certificates of the key"),
            tr("File (PEM), if the key's file does not have them"),
            tr("Must be a single line"),
        ),
        Setting(
            "signatures.authority",
            TEXT,
            tr("Time-stamp authority"),
            tr("Address (RFC 3161); it learns that you sign something; empty for none"),
            tr("Must be an address with https or http"),
        ),
        Setting(
            "signatures.authority_certificates",
            TEXT,
            tr("Certificates of the authority"),
            tr("File (PEM) with its root, to keep beside time stamps"),
            tr("Must be a single line"),
        ),
        tr("archive.org"),
        Setting(
            "archiveorg.collection",
            TEXT,
            tr("Collection"),
            tr("Where new items go"),
            tr("Letters, digits, dots, hyphens and underscores only"),
        ),
        Setting(
            "archiveorg.test",
            FLAG,
            tr("Use the test collection"),
            tr("archive.org deletes such items after thirty days"),
        ),
        Setting(
            "archiveorg.by_rule",
            FLAG,
            tr("Send large datasets without asking"),
            tr("This publishes them; it needs your keys"),
        ),
        tr("Wayback Machine"),
        Setting("wayback.max_file_count", COUNT, tr("Maximum files per dataset"), most=_FILES),
        Setting("wayback.poll_s", SECONDS, tr("Check a capture every"), most=_SECONDS),
        Setting("wayback.patience_s", SECONDS, tr("Time-out per capture"), most=_SECONDS),
        tr("Mementos"),
        Setting(
            "mementos.private_networks",
            FLAG,
            REACHES_OWN_NETWORK,
            tr("For live pages and harvests; else public ones, and live pages of this computer"),
        ),
    )
