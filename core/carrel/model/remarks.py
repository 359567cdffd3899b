# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run remarked, each about a file or an address; what differs in nothing else is one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from carrel.translation import tr

_ANY = "…"


@dataclass(frozen=True, slots=True)
class Remark:
    """A whole sentence, and what it is about: the file or address that it names, "" for none."""

    sentence: str
    about: str = ""


def remark_on(url: str, outcome: str, detail: str | None) -> Remark:
    """Return what is to be said of a full text that did not come: with its address, of which what
    is said of its host alone has nothing."""
    said = detail or f"{outcome}."
    return Remark(said if url in said else f"{url}: {said}", url)


@dataclass(frozen=True, slots=True)
class RunRemarks:
    """What a run remarked; `unlisted` counts remarks of which it kept no sentence."""

    remarks: Sequence[Remark] = ()
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class RemarkGroup:
    """Remarks that differ only in what they are about: `sentence` has “…” in its place where there
    are several. `count` is how many there were."""

    sentence: str
    count: int
    about: Sequence[str]


def together(remarks: Iterable[Remark]) -> Sequence[RemarkGroup]:
    """Return remarks by what they say, in the order in which each was said first."""
    groups: dict[str, list[Remark]] = {}
    for each in remarks:
        groups.setdefault(_said_of_any(each), []).append(each)
    return [_group(said, members) for said, members in groups.items()]


def lines_of(said: RunRemarks) -> Iterator[str]:
    """Yield remarks a line each, those that are one with what they are about below."""
    for group in together(said.remarks):
        yield group.sentence
        if len(group.about) > 1:
            yield from (f"    {each}" for each in group.about)
    if said.unlisted:
        yield tr("… and {unlisted} more.", unlisted=said.unlisted)


def _said_of_any(remark: Remark) -> str:
    return remark.sentence.replace(remark.about, _ANY) if remark.about else remark.sentence


def _group(said: str, members: Sequence[Remark]) -> RemarkGroup:
    about = tuple(dict.fromkeys(each.about for each in members if each.about))
    is_one = len(about) <= 1
    return RemarkGroup(members[0].sentence if is_one else said, len(members), about)
