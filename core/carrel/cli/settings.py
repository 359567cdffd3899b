# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel settings`: what holds for an archive, whose it is, and what the archive asks for."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from carrel.cli.arguments import Group
from carrel.cli.options import json_option, own_archive_option
from carrel.cli.presentation import print_json
from carrel.cli.requests import give, how_to_decide, say_requests, tell
from carrel.cli.terminal import say
from carrel.settings import SECTIONS, SETTINGS_NAME, Answer, InForce, Origin, Request, in_force
from carrel.settings.consequences import consequence, in_words, lines_about
from carrel.settings.links import FOLDERS
from carrel.settings.person import own_file
from carrel.settings.sections import declarations, is_personal
from carrel.translation import tr

_ORIGINS = {
    Origin.DEFAULT: "default",
    Origin.OWN: tr("your configuration"),
    Origin.ARCHIVE: tr("this archive"),
}


@click.group(cls=Group)
def settings() -> None:
    """Show the settings of an archive, and decide which of its requests to allow.

    Settings that affect your keys, publication or other people's hosts belong in your own
    configuration; an archive's settings.toml can only request them. All others belong to the
    archive.
    """


@settings.command()
@own_archive_option
@json_option
def show(archive: Path, as_json: bool) -> None:
    """Show every setting, its origin, and what the archive requests."""
    holds = in_force(archive)
    if holds.trouble:
        tell(holds.trouble)
    rows = [*_rows(holds), *_linked(holds)]
    if as_json:
        for row in rows:
            print_json(row)
        return
    say(tr("Your own configuration: {own_file}", own_file=own_file()))
    say(tr("This archive's:         {archive}", archive=archive / SETTINGS_NAME))
    say()
    for row in rows:
        if "value" in row:
            whose = "yours" if row["scope"] == "personal" else "archive's"
            origin = _origin(row)
            say(
                tr(
                    "{setting:32} {size:34} {origin} ({whose} to decide)",
                    setting=row["setting"],
                    size=in_words(row["value"]),
                    origin=origin,
                    whose=whose,
                )
            )
    _say_asked(archive, holds)


@settings.command()
@own_archive_option
@json_option
def accept(archive: Path, as_json: bool) -> None:
    """Allow what this archive requests, exactly as it is now."""
    _decide(archive, Answer.ACCEPTED, as_json=as_json)


@settings.command()
@own_archive_option
@json_option
def reject(archive: Path, as_json: bool) -> None:
    """Use your own settings in place of what this archive requests."""
    _decide(archive, Answer.REJECTED, as_json=as_json)


def _decide(archive: Path, answer: Answer, *, as_json: bool) -> None:
    holds = in_force(archive)
    if holds.trouble:
        tell(holds.trouble)
    if not holds.requests:
        tell(tr("The archive {archive} requests nothing that you need to allow.", archive=archive))
        return
    say_requests(archive, holds.requests)
    give(archive, holds, answer)
    if as_json:
        for each in holds.requests:
            print_json(_asked(each, answer))


def _rows(holds: InForce) -> Iterator[dict[str, Any]]:
    """Yield each setting as a JSON object, with what the archive asks for in its place."""
    requests = {each.name: each for each in holds.requests}
    for section in SECTIONS:
        for key, declared in declarations(section).items():
            name = f"{section}.{key}"
            request = requests.get(name)
            yield {
                "setting": name,
                "value": getattr(getattr(holds.settings, section), key),
                "origin": str(holds.origin(section, key)),
                "scope": "personal" if is_personal(declared) else "archive",
                **(_asked(request, holds.answer) if request else {}),
            }


def _origin(row: Mapping[str, Any]) -> str:
    """Return whose a value is; of the person's settings, an archive's is taken without a question
    where it asks less of others."""
    origin = Origin(row["origin"])
    if origin is Origin.ARCHIVE and row["scope"] == "personal" and "answer" not in row:
        return tr("this archive, which asks less of others")
    return _ORIGINS[origin]


def _linked(holds: InForce) -> Iterator[dict[str, Any]]:
    for each in holds.requests:
        if each.section == FOLDERS:
            yield {"scope": "personal", **_asked(each, holds.answer)}


def _asked(request: Request, answer: Answer | None) -> dict[str, Any]:
    return {
        "setting": request.name,
        "asked": request.asked,
        "own": request.own,
        "answer": str(answer) if answer else "undecided",
        "consequence": consequence(request),
    }


def _say_asked(archive: Path, holds: InForce) -> None:
    if not holds.requests:
        return
    said = (
        tr("You {answer} this", answer=holds.answer)
        if holds.answer
        else tr("You have not decided about this")
    )
    say()
    say(tr("{said}, which the archive requests:", said=said))
    for line in lines_about(holds.requests):
        say(f"  {line}")
    if holds.answer is None:
        say(tr("Decide with {how_to_decide}.", how_to_decide=how_to_decide(archive)))
