# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every setting with its default, and whose it is.

What touches secrets, publication or other people's hosts is *personal*: an archive folder can come
from anyone, and may only ask for it. Everything else has effects on this machine alone, and is
the archive's, so that an archive behaves alike wherever it is opened.
"""

from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import Any

from carrel.model.hours import PATTERN as HOURS
from carrel.model.sizes import GIBIBYTE, MEBIBYTE
from carrel.settings.request import Request, Value
from carrel.translation import tr

# What each pattern means, as the end of a sentence.
IS_ORIGIN = tr(
    "it must be http:// or https:// and a host, with nothing behind it, as in https://web.archive.org"
)
IS_CONTACT = tr("it must be an e-mail address or a web page, in ASCII")
IS_NAME = tr("it may have letters, digits, dots, hyphens and underscores only")
IS_ADDRESS = tr("it must be an address with https or http")
IS_LINE = tr("it must be a single line")
IS_HOST = tr("it may have letters, digits, dots and hyphens only, up to 64")
IS_HOURS = tr(
    "it must be hours like 22:00-06:00, or Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00, that end at "
    "another time than they begin"
)

_PERSONAL, _GENTLER = "personal", "gentler"
# No name before the host, and no letters that look like others: what is read is what is asked.
_ORIGIN = r"https?://(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
_ADDRESS = rf"(?:{_ORIGIN}(?:/[\x21-\x7e]*)?)?"
_LINE = r"[^\x00-\x1f\x7f]*"
_HOST = r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}"

# Whoever runs a server finds someone there: an address of e-mail, or a page, perhaps with a name.
_CONTACT = r"(?:[\x20-\x7e]*(?:[^@\s]@[^@\s]+\.[^@\s]|https?://[^\s/]+\.[^\s/])[\x20-\x7e]*)?"


class Gentler(StrEnum):
    """In which direction a personal setting may be changed without harm to anyone.

    A number may get smaller, or larger; a permission may be taken back. What is done every so many
    days may be done RARER, where 0 is never; a limit may be SLOWER, where 0 is none.
    """

    LESS = "less"
    MORE = "more"
    OFF = "off"
    RARER = "rarer"
    SLOWER = "slower"


def personal(default: Any, gentler: Gentler | None = None, **metadata: Any) -> Any:
    """Return the declaration of a setting that is the person's to decide.

    A value that is `gentler` than the person's own is taken from an archive without a question.
    """
    return field(default=default, metadata={_PERSONAL: True, _GENTLER: gentler, **metadata})


def is_personal(declared: "Field[Any]") -> bool:
    """Say whether a setting is the person's to decide."""
    return _PERSONAL in declared.metadata


def is_gentler(declared: "Field[Any]", asked: Value, own: Value) -> bool:
    """Say whether a value asks less of everybody than another one of the same setting."""
    match declared.metadata.get(_GENTLER):
        case Gentler.LESS:
            return asked < own  # type: ignore[operator]  # both are numbers
        case Gentler.MORE:
            return asked > own  # type: ignore[operator]  # as above
        case Gentler.OFF:
            return not asked
        case Gentler.RARER:
            return bool(own) and (not asked or asked > own)  # type: ignore[operator]  # as above
        case Gentler.SLOWER:
            return bool(asked) and (not own or asked < own)  # type: ignore[operator]  # as above
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """What an ingest may not exceed; checked before anything is fetched (sandcrawler's values)."""

    max_total_size: int = 64 * GIBIBYTE
    max_file_count: int = 200


@dataclass(frozen=True, slots=True)
class Strategy:
    """Thresholds of the choice, in bytes and files.

    `web_file_max_size` is sandcrawler's 64 MiB; the other two are those of the ingest proposal
    (20 files, 1 GB). They decide between web and archive.org where both can be had. From
    `bundle_from_file_count` files on a platform's own bundle is taken, where it has one.
    """

    web_file_max_size: int = 64 * MEBIBYTE
    web_total_max_size: int = 1_000_000_000
    web_max_file_count: int = 20
    bundle_from_file_count: int = 1000


@dataclass(frozen=True, slots=True)
class Network:
    """`contact` (an address or a page of your institution) is sent to every server.

    Times are in seconds. `transfers` is how many files are fetched at once, `attempts` how often
    one is tried while trying again may help.

    `per_host` is how many files are fetched from one host at once, and how many questions its
    interface is asked beside them. Questions keep a distance of `api_interval_s` on average (0 for
    none; there is none on this machine). A pause that a server asks for is kept up to
    `longest_pause_s`; a longer one ends the transfer. One that brings less than `min_rate` bytes
    per second over `timeout_s` is broken off and tried again (0: only silence ends it). All
    transfers together bring no more than `max_rate` bytes per second (0 for no limit).
    """

    contact: str = personal("", pattern=_CONTACT, rule=IS_CONTACT)
    timeout_s: float = 60.0
    connect_timeout_s: float = 20.0
    transfers: int = personal(2, Gentler.LESS)
    attempts: int = personal(4, Gentler.LESS)
    ingests: int = personal(2, Gentler.LESS)
    per_host: int = personal(2, Gentler.LESS)
    api_interval_s: float = personal(1.0, Gentler.MORE, may_be_zero=True)
    longest_pause_s: float = 3600.0
    min_rate: int = field(default=1024, metadata={"may_be_zero": True})
    max_rate: int = personal(0, Gentler.SLOWER, may_be_zero=True)


@dataclass(frozen=True, slots=True)
class Wayback:
    """Save Page Now and the Wayback Machine's index, at `url`.

    `max_file_count` is how many files of one dataset are brought there (sandcrawler's 20);
    `poll_s` and `patience_s` are how often, in seconds, and how long a capture is asked after.
    """

    url: str = personal("https://web.archive.org", pattern=_ORIGIN, rule=IS_ORIGIN)
    max_file_count: int = personal(20, Gentler.LESS)
    poll_s: float = personal(3.0, Gentler.MORE)
    patience_s: float = personal(600.0, Gentler.LESS)


@dataclass(frozen=True, slots=True)
class ArchiveOrg:
    """archive.org, at `url`; its upload interface is at `s3_url`.

    `collection` is where items go; `test` puts them into the test collection instead, from which
    archive.org removes them after about thirty days. `by_rule` lets the chooser send large datasets
    there without being asked for each, once keys are stored.
    """

    url: str = personal("https://archive.org", pattern=_ORIGIN, rule=IS_ORIGIN)
    s3_url: str = personal("https://s3.us.archive.org", pattern=_ORIGIN, rule=IS_ORIGIN)
    collection: str = personal("opensource", pattern=r"[A-Za-z0-9_.-]+", rule=IS_NAME)
    test: bool = personal(False)
    by_rule: bool = personal(False, Gentler.OFF)


@dataclass(frozen=True, slots=True)
class Warc:
    """`max_size` in bytes is where a WARC is closed and the next begun; a larger record is alone.

    `operator` and `host` stand in each WARC's name and head; the machine's own name is not told.
    """

    max_size: int = 1 * GIBIBYTE
    operator: str = field(default="", metadata={"pattern": _LINE, "rule": IS_LINE})
    host: str = field(default="carrel", metadata={"pattern": _HOST, "rule": IS_HOST})


@dataclass(frozen=True, slots=True)
class Mementos:
    """`private_networks` lets captures of the live web be made inside the institution's network."""

    private_networks: bool = personal(False, Gentler.OFF)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is done by itself, by `carrel schedule run` and by an open window.

    All holdings are verified once in `verify_days`, a part each day; watched datasets are checked
    every `watch_days` (0 for neither). The queue archives in these `hours` alone: "22:00-06:00",
    "Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00"; always if there are none. `while_archiving` lets
    the window verify and check while it archives, too.
    """

    verify_days: int = field(default=0, metadata={"may_be_zero": True})
    watch_days: int = personal(0, Gentler.RARER, may_be_zero=True)
    hours: str = personal("", pattern=HOURS, rule=IS_HOURS)
    while_archiving: bool = False


@dataclass(frozen=True, slots=True)
class Signatures:
    """How the window signs what it hands on, if it is to.

    `key` is "keyring" or a file with a key, `certificates` a file with the key's. `authority` is
    the address of a time-stamp authority, `authority_certificates` a file with those of it.
    """

    key: str = personal("", pattern=_LINE, rule=IS_LINE)
    certificates: str = personal("", pattern=_LINE, rule=IS_LINE)
    authority: str = personal("", pattern=_ADDRESS, rule=IS_ADDRESS)
    authority_certificates: str = personal("", pattern=_LINE, rule=IS_LINE)


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections, as they hold.

    `own_thresholds` are those of the person, where the archive has others: only what exceeds both
    is published by rule. `undecided` is what the archive asks for and no one has answered yet.
    """

    limits: Limits = field(default_factory=Limits)
    strategy: Strategy = field(default_factory=Strategy)
    network: Network = field(default_factory=Network)
    warc: Warc = field(default_factory=Warc)
    wayback: Wayback = field(default_factory=Wayback)
    archiveorg: ArchiveOrg = field(default_factory=ArchiveOrg)
    mementos: Mementos = field(default_factory=Mementos)
    schedule: Schedule = field(default_factory=Schedule)
    signatures: Signatures = field(default_factory=Signatures)
    own_thresholds: Strategy | None = None
    undecided: tuple[Request, ...] = ()


SECTIONS: dict[str, type[Any]] = {
    "limits": Limits,
    "strategy": Strategy,
    "network": Network,
    "warc": Warc,
    "wayback": Wayback,
    "archiveorg": ArchiveOrg,
    "mementos": Mementos,
    "schedule": Schedule,
    "signatures": Signatures,
}


def declarations(section: str) -> dict[str, "Field[Any]"]:
    """Return how each key of a section is declared, by its name."""
    return {each.name: each for each in fields(SECTIONS[section])}
