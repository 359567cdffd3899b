# SPDX-License-Identifier: AGPL-3.0-or-later
"""What Carrel is made of: the packages that it needs, as they are installed here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_OWN = "carrel"
_OF_REPORTS = ("Issues", "Bug Tracker", "Tracker")
_OF_PEOPLE = ("Maintainer-email", "Author-email")
_EXTRA = "desktop"
_LONGEST_LICENSE = 60  # letters; beyond, a field holds the text of a licence, not its name


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package; `license` is "" where it names none."""

    name: str
    version: str
    license: str


def packages() -> list[Package]:
    """Return the packages that Carrel needs, and those that they need, by name."""
    found: dict[str, Package] = {}
    waiting = [_OWN]
    while waiting:
        name = waiting.pop()
        if _key(name) not in found and (installed := _installed(name)):
            found[_key(name)] = _package(installed)
            waiting += _needed(installed)
    found.pop(_OWN, None)
    return sorted(found.values(), key=lambda package: package.name.casefold())


def reports_go_to() -> str:
    """Return the address for reports of problems that the package names, else that of its
    developers, "" where it names neither.
    """
    installed = _installed(_OWN)
    if installed is None:
        return ""
    metadata = installed.metadata
    addresses = dict(each.split(", ", 1) for each in metadata.get_all("Project-URL") or ())
    people = [each for name in _OF_PEOPLE for each in metadata.get_all(name) or ()]
    trackers = [addresses[name] for name in _OF_REPORTS if name in addresses]
    return next(iter([*trackers, *people]), "")


def _installed(name: str) -> Distribution | None:
    """Return a distribution; None for one that only other systems need."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needed(installed: Distribution) -> Iterator[str]:
    """Yield the names of what a distribution requires, of optional parts only Carrel's window."""
    for requirement in installed.requires or ():
        name, _, marker = requirement.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", marker)
        is_window = _key(installed.name) == _OWN and extra is not None and extra[1] == _EXTRA
        if extra is None or is_window:
            yield re.split(r"[^A-Za-z0-9._-]", name.strip(), maxsplit=1)[0]


def _package(installed: Distribution) -> Package:
    return Package(installed.name, installed.version, _license(installed))


def _license(installed: Distribution) -> str:
    """Return the licence as the package names it: by expression, by field, by classifier."""
    metadata = installed.metadata
    for name in ("License-Expression", "License"):
        text = "".join(metadata.get_all(name) or ()).strip()
        if text and len(text) <= _LONGEST_LICENSE and "\n" not in text:
            return text
    classifiers = metadata.get_all("Classifier") or []
    names = [each.rsplit(" :: ", 1)[-1] for each in classifiers if each.startswith("License ::")]
    return ", ".join(names)


def _key(name: str) -> str:
    """Return a name as packages are compared by (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
