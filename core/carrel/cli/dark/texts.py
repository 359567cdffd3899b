# SPDX-License-Identifier: AGPL-3.0-or-later
"""The texts of templates, which are public: printed, or two of them compared."""

from collections.abc import Sequence
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path

from carrel.cli.dark.dates import when
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.dark import Questions, identified, stored_text
from carrel.errors import UsageError
from carrel.model.dark import ObiKind
from carrel.model.dark_views import Life, VersionRow
from carrel.translation import tr


def wanted_versions(
    questions: Questions, life: Life, current: VersionRow | None, at: int | None, *, is_diff: bool
) -> Sequence[VersionRow]:
    """Return the version to print, or the two to compare; says so, where there are none.

    Raises UsageError for a full text.
    """
    if life.kind is not ObiKind.TOBI:
        raise UsageError(
            tr(
                "Only texts of templates are shown. A full text is dark: “carrel dark open ID "
                "--reason WHY” opens it and records the reason."
            )
        )
    if current is None:
        by_then = tr(" by {when}", when=when(at)) if at is not None else ""
        complain(
            tr("No version of {ident} was recorded{by_then}.", ident=life.ident, by_then=by_then)
        )
        return ()
    if not is_diff:
        return [current]
    before = _before(questions, life, current)
    if before is None:
        complain(tr("{ident} had no version before that.", ident=life.ident))
        return ()
    return [before, current]


def _before(questions: Questions, life: Life, current: VersionRow) -> VersionRow | None:
    """Return the version before another; if there was none, the last that older data added."""
    before = questions.version_at(life.kind, identified(life.ident)[1], current.tist - 1)
    added = [each for each in life.versions if each.tist > current.tist]
    older = [each for each in added if _data_of(each) < current.tist]
    return before or max(older, key=_data_of, default=None)


def _data_of(version: VersionRow) -> int:
    """Return the date of a version's data, or when it was recorded; 0 is a date."""
    return version.tist if version.source_tist is None else version.source_tist


def print_text(archive: Path, life: Life, version: VersionRow, *, as_json: bool) -> None:
    text = stored_text(archive, version)
    if as_json:
        print_json({"ident": life.ident, **version_fields(version), "text": text})
    else:
        _say_lines(text.splitlines())


def print_difference(
    archive: Path, life: Life, before: VersionRow, now: VersionRow, *, as_json: bool
) -> None:
    lines = list(
        unified_diff(
            stored_text(archive, before).splitlines(),
            stored_text(archive, now).splitlines(),
            f"{life.ident} {when(before.tist)}",
            f"{life.ident} {when(now.tist)}",
            lineterm="",
        )
    )
    if as_json:
        told = {"ident": life.ident, "before": before.tist, "tist": now.tist}
        print_json({**told, "diff": "\n".join(lines)})
    else:
        _say_lines(lines)


def _say_lines(lines: Sequence[str]) -> None:
    for line in lines:
        say(line.expandtabs(), is_whole=True)


def version_fields(version: VersionRow) -> dict[str, object]:
    return {
        **asdict(version),
        "when": when(version.tist),
        "source_when": when(version.source_tist),
        "purged_when": when(version.purged),
    }
