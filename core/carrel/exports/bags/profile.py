# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a recipient of bags requires of them (BagIt Profiles 1.4), held against a bag beforehand.

https://bagit-profiles.github.io/bagit-profiles-specification/
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase

from carrel.errors import UsageError
from carrel.translation import tr

USUAL = ("sha256", "sha512")
POSSIBLE = ("md5", "sha1", "sha256", "sha512")
"""What bags may have lists of, as all tools know them (RFC 8493, 2.4)."""
VERSIONS = ("1.0", "0.97")
"""Those that Carrel writes, the usual one first."""
APTRUST_INFO = "aptrust-info.txt"
_TARS = frozenset({"application/tar", "application/x-tar"})
# Where the value of a tag comes from that people set once.
_SETTINGS = {"Source-Organization": "warc.operator", "Contact-Email": "network.contact"}
_MOST_VALUES = 12

Fields = Sequence[tuple[str, str]]


class Serialization(StrEnum):
    """Whether a bag is one file, as a profile has it."""

    FORBIDDEN = "forbidden"
    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Tag:
    """What is required of the values of one tag; without `values` any will do."""

    is_required: bool = False
    is_repeatable: bool = True
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lists:
    """Which algorithms must and may have lists; without `allowed`, all may."""

    required: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    def fit(self, algorithm: str) -> bool:
        return not self.allowed or algorithm in self.allowed


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile by its `name` for people. `tags` are those of bag-info.txt, `aptrust` those of
    aptrust-info.txt, which no other recipient knows."""

    name: str
    identifier: str
    tags: Mapping[str, Tag] = field(default_factory=dict)
    aptrust: Mapping[str, Tag] = field(default_factory=dict)
    manifests: Lists = Lists()
    tag_manifests: Lists = Lists()
    tag_files_required: tuple[str, ...] = ()
    tag_files_allowed: tuple[str, ...] = ("*",)
    versions: tuple[str, ...] = VERSIONS
    serialization: Serialization = Serialization.OPTIONAL
    accepted: tuple[str, ...] = ()
    may_fetch: bool = True
    must_fetch: bool = False

    @property
    def is_tar(self) -> bool:
        """Whether a bag has to be one file."""
        return self.serialization is Serialization.REQUIRED

    def algorithms(self, wanted: Sequence[str]) -> Sequence[str]:
        """Return those of the lists: what is wanted, or the usual ones as far as they are allowed,
        with all that are required. Raises UsageError for what the profile does not allow."""
        for each in wanted:
            if not self.manifests.fit(each):
                raise UsageError(
                    tr(
                        "The profile {name} allows no lists by {algorithm}.",
                        name=self.name,
                        algorithm=each,
                    )
                )
        chosen = wanted or [each for each in USUAL if self.manifests.fit(each)]
        every = {*chosen, *self.manifests.required} or {*self.manifests.allowed}
        return [each for each in POSSIBLE if each in every]

    def tag_algorithms(self, algorithms: Sequence[str]) -> Sequence[str]:
        """Return those of the lists of tag files."""
        every = {each for each in algorithms if self.tag_manifests.fit(each)}
        return [each for each in POSSIBLE if each in {*every, *self.tag_manifests.required}]

    def check(self, *, is_holey: bool) -> None:
        """Raise UsageError where no bag that Carrel writes could be of this profile."""
        faults = list(self._impossible(is_holey=is_holey))
        if faults:
            words = tr("No bag of the profile {name} can be made.", name=self.name)
            raise UsageError(f"{words} {' '.join(faults)}")

    def faults(self, info: Fields, aptrust: Fields, tag_files: Sequence[str]) -> Sequence[str]:
        """Return what a bag lacks, or has that it may not have, in sentences."""
        faults = [*_faults(self.tags, info), *_faults(self.aptrust, aptrust)]
        for each in self.tag_files_required:
            if each not in tag_files:
                faults.append(tr("It requires the file {file}.", file=each))
        for each in tag_files:
            if not any(fnmatchcase(each, allowed) for allowed in self.tag_files_allowed):
                faults.append(tr("It does not allow the file {file}.", file=each))
        return faults

    def _impossible(self, *, is_holey: bool) -> Iterator[str]:
        required = {*self.manifests.required, *self.tag_manifests.required}
        for each in sorted(required - {*POSSIBLE}):
            yield tr("It requires lists by {algorithm}.", algorithm=each)
        if not self.algorithms(()):
            yield tr("It allows no lists by an algorithm that Carrel writes.")
        if not {*self.versions} & {*VERSIONS}:
            yield tr("It requires BagIt {versions}.", versions=", ".join(self.versions))
        if self.is_tar and not _TARS & {*self.accepted}:
            yield tr("It requires the form {forms}.", forms=", ".join(self.accepted))
        if is_holey and not self.may_fetch:
            yield tr("It allows no fetch.txt: omit --holey.")
        if self.must_fetch and not is_holey:
            yield tr("It requires a fetch.txt: use --holey.")


ANY = Profile("", "")
"""What is required where no profile is named: nothing."""


def chosen(tags: Mapping[str, Tag], fields: Fields) -> Fields:
    """Return fields with one value each where a profile allows no more: the first."""
    taken: set[str] = set()
    fit = []
    for name, value in fields:
        if value and (name not in taken or tags.get(name, Tag()).is_repeatable):
            fit.append((name, value))
            taken.add(name)
    return fit


def _faults(tags: Mapping[str, Tag], fields: Fields) -> Iterator[str]:
    values: dict[str, list[str]] = {}
    for name, value in fields:
        values.setdefault(name, []).append(value)
    for name, tag in tags.items():
        if tag.is_required and name not in values:
            yield f"{tr('It requires {tag}.', tag=name)} {_way(name, tag)}"
        for value in values.get(name, ()):
            if tag.values and value not in tag.values:
                yield f"{tr('{tag} cannot be “{value}”.', tag=name, value=value)} {_way(name, tag)}"


def _way(name: str, tag: Tag) -> str:
    """Return how a tag gets a value that will do."""
    given = f'--bag-info "{name}: …"'
    if setting := _SETTINGS.get(name):
        way = tr("Set {setting} in the settings, or use {option}.", setting=setting, option=given)
    else:
        way = tr("Use {option}.", option=given)
    if not tag.values:
        return way
    values = ", ".join(tag.values[:_MOST_VALUES]) + (", …" if tag.values[_MOST_VALUES:] else "")
    return f"{way} {tr('Possible values: {values}.', values=values)}"
