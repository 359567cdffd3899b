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
    SIZE = auto()
    FLAG = auto()


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
    settings: Sequence[Setting]
    note: str = ""

    def only(self, *, personal: bool) -> "Group":
        """Return the group with those of its settings that are the person's, or the archive's."""
        chosen = tuple(each for each in self.settings if each.is_personal is personal)
        return replace(self, settings=chosen)


def value_of(settings: Settings, setting: Setting) -> Any:
    """Return the value of a setting."""
    return getattr(getattr(settings, setting.section), setting.key)


def groups() -> Sequence[Group]:
    """Return what the page shows, in its order."""
    return (
        _institution(),
        _limits(),
        _choice(),
        _network(),
        _archiveorg(),
        _wayback(),
        _mementos(),
    )


def _institution() -> Group:
    return Group(
        tr("Your institution"),
        (
            Setting(
                "network.contact",
                Kind.TEXT,
                tr("Contact"),
                tr("E-mail address or web page, sent to every server"),
                tr("ASCII only (sent in an HTTP header)"),
            ),
            Setting(
                "warc.operator",
                Kind.TEXT,
                tr("Operator"),
                tr("Written to the warcinfo record"),
                tr("Must be a single line"),
            ),
            Setting(
                "warc.host",
                Kind.TEXT,
                tr("Name in WARC files"),
                tr("Instead of this computer's name"),
                tr("Letters, digits, dots and hyphens only, up to 64"),
            ),
        ),
    )


def _limits() -> Group:
    return Group(
        tr("Limits"),
        (
            Setting(
                "limits.max_total_size",
                Kind.SIZE,
                tr("Maximum dataset size"),
                tr("Ask before exceeding"),
            ),
            Setting("limits.max_file_count", Kind.COUNT, tr("Maximum files per dataset")),
        ),
    )


def _choice() -> Group:
    return Group(
        tr("Choosing a strategy"),
        (
            Setting(
                "strategy.web_file_max_size",
                Kind.SIZE,
                tr("Single file up to"),
                tr("Larger files go to an archive.org item"),
            ),
            Setting("strategy.web_total_max_size", Kind.SIZE, tr("All files up to")),
            Setting("strategy.web_max_file_count", Kind.COUNT, tr("Number of files up to")),
            Setting(
                "strategy.bundle_from_file_count",
                Kind.COUNT,
                tr("Repository ZIP from"),
                tr("Number of files; where the repository offers a ZIP"),
            ),
            Setting(
                "warc.max_size",
                Kind.SIZE,
                tr("New WARC from"),
                tr("A larger file gets its own WARC"),
            ),
        ),
    )


def _network() -> Group:
    return Group(
        tr("Network"),
        (
            Setting("network.ingests", Kind.COUNT, tr("Datasets in parallel")),
            Setting("network.transfers", Kind.COUNT, tr("Files in parallel")),
            Setting("network.per_host", Kind.COUNT, tr("Files in parallel per host")),
            Setting(
                "network.api_interval_s",
                Kind.SECONDS,
                tr("Delay between requests"),
                tr("Between two requests to one platform, on average"),
            ),
            Setting("network.attempts", Kind.COUNT, tr("Attempts per file")),
            Setting(
                "network.longest_pause_s",
                Kind.SECONDS,
                tr("Longest pause"),
                tr("Longest pause accepted from a server"),
            ),
            Setting("network.timeout_s", Kind.SECONDS, tr("Read time-out")),
            Setting("network.connect_timeout_s", Kind.SECONDS, tr("Connection time-out")),
            Setting(
                "network.min_rate",
                Kind.SIZE,
                tr("Minimum speed per second"),
                tr("Slower transfers are restarted; 0 for no limit"),
            ),
        ),
    )


def _archiveorg() -> Group:
    return Group(
        tr("archive.org"),
        (
            Setting(
                "archiveorg.collection",
                Kind.TEXT,
                tr("Collection"),
                tr("Where new items go"),
                tr("Letters, digits, dots, hyphens and underscores only"),
            ),
            Setting(
                "archiveorg.test",
                Kind.FLAG,
                tr("Into the test collection"),
                tr("archive.org deletes such items after thirty days"),
            ),
            Setting(
                "archiveorg.by_rule",
                Kind.FLAG,
                tr("Send large datasets without asking"),
                tr("This publishes them; it needs your keys"),
            ),
        ),
    )


def _wayback() -> Group:
    return Group(
        tr("Wayback Machine"),
        (
            Setting("wayback.max_file_count", Kind.COUNT, tr("Maximum files per dataset")),
            Setting("wayback.poll_s", Kind.SECONDS, tr("Check a capture every")),
            Setting("wayback.patience_s", Kind.SECONDS, tr("Time-out per capture")),
        ),
    )


def _mementos() -> Group:
    return Group(
        tr("Mementos"),
        (
            Setting(
                "mementos.private_networks",
                Kind.FLAG,
                tr("Allow the live web inside your network"),
                tr("Otherwise only public addresses and this computer's own"),
            ),
        ),
    )
