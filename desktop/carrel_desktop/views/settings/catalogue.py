# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which settings the page shows, in which order and in which words.

What a value may be stands with the settings themselves, in `carrel.settings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, auto
from typing import Any

from carrel.settings import Settings
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

    `hint` says what it does, `rule` what a text may be.
    """

    name: str
    kind: Kind
    label: str
    hint: str = ""
    rule: str = ""

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
        tr("Your institution"),
        Setting(
            "network.contact",
            TEXT,
            tr("Contact"),
            tr("E-mail address or web page, sent to every server"),
            tr("Must be an e-mail address or a web page, in ASCII"),
        ),
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
        tr("Limits"),
        Setting(
            "limits.max_total_size", SIZE, tr("Maximum dataset size"), tr("Ask before exceeding")
        ),
        Setting("limits.max_file_count", COUNT, tr("Maximum files per dataset")),
        tr("Choosing a strategy"),
        Setting(
            "strategy.web_file_max_size",
            SIZE,
            tr("Single file up to"),
            tr("A larger file suits an archive.org item, where uploads are allowed"),
        ),
        Setting("strategy.web_total_max_size", SIZE, tr("All files up to")),
        Setting(
            "strategy.web_max_file_count",
            COUNT,
            tr("Number of files up to"),
            tr("More files suit an archive.org item, where uploads are allowed"),
        ),
        Setting(
            "strategy.bundle_from_file_count",
            COUNT,
            tr("Repository ZIP from"),
            tr("Number of files; where the repository offers a ZIP"),
        ),
        Setting("warc.max_size", SIZE, tr("New WARC from"), tr("A larger file gets its own WARC")),
        tr("Network"),
        Setting("network.ingests", COUNT, tr("Datasets in parallel")),
        Setting("network.transfers", COUNT, tr("Files in parallel")),
        Setting("network.per_host", COUNT, tr("Files in parallel per host")),
        Setting(
            "network.api_interval_s",
            SECONDS,
            tr("Delay between requests"),
            tr("Between two requests to one platform, on average"),
        ),
        Setting("network.attempts", COUNT, tr("Attempts per file")),
        Setting(
            "network.longest_pause_s",
            SECONDS,
            tr("Longest pause"),
            tr("Longest pause accepted from a server"),
        ),
        Setting("network.timeout_s", SECONDS, tr("Read time-out")),
        Setting("network.connect_timeout_s", SECONDS, tr("Connection time-out")),
        Setting(
            "network.min_rate",
            SIZE,
            tr("Minimum speed per second"),
            tr("Slower transfers are restarted; 0 for no limit"),
        ),
        Setting(
            "network.max_rate",
            SIZE,
            tr("Maximum speed per second"),
            tr("For all transfers together; 0 for no limit"),
        ),
        tr("Schedule"),
        Setting(
            "schedule.verify_days",
            DAYS,
            tr("Verify all holdings once in"),
            tr("Some each day; 0 for never"),
        ),
        Setting("schedule.watch_days", DAYS, tr("Check watched datasets every"), tr("0 for never")),
        Setting(
            "schedule.hours",
            TEXT,
            tr("Archive only in these hours"),
            tr("For instance 22:00-06:00, or Mon-Fri 20:00-07:00; empty for always"),
            tr("Hours like 22:00-06:00, or Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00"),
        ),
        Setting(
            "schedule.while_archiving",
            FLAG,
            tr("Verify and check while archiving"),
            tr("Otherwise they wait until the queue is done"),
        ),
        tr("Signatures"),
        Setting(
            "signatures.key",
            TEXT,
            tr("Sign with"),
            tr("keyring, or a file with your institution's key (PEM); empty for no signature"),
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
            tr("Into the test collection"),
            tr("archive.org deletes such items after thirty days"),
        ),
        Setting(
            "archiveorg.by_rule",
            FLAG,
            tr("Send large datasets without asking"),
            tr("This publishes them; it needs your keys"),
        ),
        tr("Wayback Machine"),
        Setting("wayback.max_file_count", COUNT, tr("Maximum files per dataset")),
        Setting("wayback.poll_s", SECONDS, tr("Check a capture every")),
        Setting("wayback.patience_s", SECONDS, tr("Time-out per capture")),
        tr("Mementos"),
        Setting(
            "mementos.private_networks",
            FLAG,
            tr("Allow the live web inside your network"),
            tr("Otherwise only public addresses and this computer's own"),
        ),
    )
