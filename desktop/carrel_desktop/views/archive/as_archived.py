# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dataset as it was archived, in place of its preview: it may have changed meanwhile."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carrel.model import Finding, FindingLevel, IngestFilesetResult, PlatformItem, StrategyChoice
from carrel.model.manifest import ManifestFile, files_of
from carrel.translation import tr
from carrel_desktop import words


def as_archived(previewed: IngestFilesetResult, stored: Mapping[str, Any]) -> IngestFilesetResult:
    """Return a preview with what the stored result of an ingest says of the same dataset.

    A finding says so where the platform had changed it since the preview.
    """
    files = tuple(files_of(stored))
    item = previewed.item
    if item is None or not files:
        return previewed
    archived = replace(
        item,
        manifest=files,
        platform_version=stored.get("platform_version"),
        title=stored.get("title"),
        creators=tuple(stored.get("creators") or ()),
        license=stored.get("license"),
        published=stored.get("published"),
        doi=stored.get("doi"),
    )
    told = [Finding.from_json(each) for each in stored.get("findings") or ()]
    return replace(
        previewed,
        item=archived,
        manifest=files,
        findings=(*_changed(item, archived), *told),
        choice=_choice(previewed.choice, stored),
    )


def _changed(previewed: PlatformItem, archived: PlatformItem) -> list[Finding]:
    """Say that another state of the dataset was archived than was previewed, if it was."""
    before, after = previewed.platform_version, archived.platform_version
    if before != after and before and after:
        text = tr(
            "The dataset changed after its preview: {after} was archived, {before} was previewed.",
            before=words.version(before),
            after=words.version(after),
        )
    elif _listed(previewed.manifest) != _listed(archived.manifest):
        text = tr("The dataset changed after its preview: other files were archived.")
    else:
        return []
    return [Finding("changed-since-preview", text, FindingLevel.WARNING)]


def _listed(files: tuple[ManifestFile, ...]) -> set[tuple[object, ...]]:
    known = ((file.path, file.declared) for file in files)
    return {(path, told.size, *sorted(told.digests.items())) for path, told in known}


def _choice(choice: StrategyChoice | None, stored: Mapping[str, Any]) -> StrategyChoice | None:
    """Return the suggested strategy with the reason that counted in the end, if it was used."""
    if choice is None or stored.get("ingest_strategy") != choice.strategy:
        return choice
    return replace(choice, reason=stored.get("strategy_reason") or choice.reason)
