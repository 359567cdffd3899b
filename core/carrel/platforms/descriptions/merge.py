# SPDX-License-Identifier: AGPL-3.0-or-later
"""One item from all that is said of a dataset: each file once, each contradiction told.

Files are the same whose address is. Where two descriptions tell different things, the first counts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from carrel.model import Finding, FindingLevel, ManifestFile, PlatformItem, Status
from carrel.model.licenses import short_license
from carrel.model.prose import shown
from carrel.platforms.descriptions.item import titled
from carrel.platforms.entries import contradictions, joined, unique_paths
from carrel.platforms.review import Closure, closed
from carrel.translation import tr


def merged(items: Sequence[PlatformItem]) -> PlatformItem:
    """Return these items of one dataset as one. The first that has files names it; one that is not
    to be had stays so, whatever others list."""
    whole = next((one for one in items if one.manifest), items[0])
    others = [one for one in items if one is not whole]
    told = [whole, *others]
    manifest, findings = _files(told)
    shortfalls = dict.fromkeys(one.shortfall for one in told if one.shortfall)
    item = replace(
        whole,
        manifest=manifest,
        title=next((one.title for one in told if one.title), None),
        creators=next((one.creators for one in told if one.creators), ()),
        license=next((one.license for one in told if one.license), None),
        published=next((one.published for one in told if one.published), None),
        publisher=next((one.publisher for one in told if one.publisher), None),
        doi=next((one.doi for one in told if one.doi), None),
        platform_version=next((it.platform_version for it in told if it.platform_version), None),
        findings=(*_all_findings(told), *findings, *_disagreements(told)),
        shortfall=" ".join(shortfalls) or None,
    )
    return closed(item, next(filter(None, map(_closure, told)), None))


def _closure(item: PlatformItem) -> Closure | None:
    if item.platform_status in (Status.SUCCESS, Status.EMPTY_MANIFEST):
        return None
    return Closure(item.platform_status, item.platform_message or "")


def _files(
    items: Sequence[PlatformItem],
) -> tuple[tuple[ManifestFile, ...], tuple[Finding, ...]]:
    """Return each file with all that is told of it, and findings on what is told differently."""
    by_address: dict[str, list[ManifestFile]] = {}
    for item in items:
        for entry in item.manifest:
            by_address.setdefault(entry.platform_url or f"path {entry.path}", []).append(entry)
    together = [_together(entries) for entries in by_address.values()]
    manifest, renamed = unique_paths(
        (entry, str(number)) for number, (entry, _) in enumerate(together, 1)
    )
    return manifest, (*renamed, *contradictions([(it.path, ways) for it, ways in together]))


def _together(entries: Sequence[ManifestFile]) -> tuple[ManifestFile, tuple[str, ...]]:
    declared, differences = joined(*(entry.declared for entry in entries))
    named = next((entry for entry in entries if entry.is_named), entries[0])
    kind = next((entry.mimetype for entry in entries if entry.mimetype), None)
    return replace(named, declared=declared, mimetype=kind), differences


def _all_findings(items: Sequence[PlatformItem]) -> list[Finding]:
    return list(dict.fromkeys(finding for item in items for finding in item.findings))


def _disagreements(items: Sequence[PlatformItem]) -> Iterator[Finding]:
    """Yield a finding on each thing of which two descriptions tell differently."""
    yield from _told_differently(tr("title"), items, lambda one: one.title, _plain)
    yield from _told_differently(tr("licence"), items, lambda one: one.license, short_license)
    yield from _told_differently(tr("version"), items, lambda one: one.platform_version, _plain)
    yield from _told_differently(tr("DOI"), items, lambda one: one.doi, _plain)
    yield from _told_differently(
        tr("year of publication"), items, lambda one: one.published, lambda text: text[:4]
    )
    listing = [one for one in items if one.manifest]
    if len({frozenset(entry.platform_url for entry in one.manifest) for one in listing}) > 1:
        counts = ", ".join(
            f"{''.join(titled([one.platform_name]))} {len(one.manifest):,}" for one in listing
        )
        message = tr(
            "The descriptions of the dataset do not name the same files ({counts}); all that any "
            "of them names are taken.",
            counts=counts,
        )
        yield Finding("descriptions-disagree", message, FindingLevel.WARNING)


def _told_differently(
    what: str,
    items: Sequence[PlatformItem],
    value: Callable[[PlatformItem], str | None],
    alike: Callable[[str], str],
) -> Iterator[Finding]:
    told = [(one.platform_name, text) for one in items if (text := value(one))]
    if len({_plain(alike(text)) for _, text in told}) > 1:
        ways = ", ".join(f"“{shown(text, 100)}” ({''.join(titled([name]))})" for name, text in told)
        message = tr(
            "The descriptions of the dataset tell different things as its {what}: {ways}. The "
            "first counts.",
            what=what,
            ways=ways,
        )
        yield Finding("descriptions-disagree", message, FindingLevel.WARNING)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
