# SPDX-License-Identifier: AGPL-3.0-or-later
"""Options that several commands share, and the reading of their values."""

import os
import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs

from carrel.errors import UsageError
from carrel.model import Destination, IngestOptions, IngestRequest, IngestStrategy
from carrel.model.prose import shown
from carrel.translation import tr

ENVIRONMENT_VARIABLE = "CARREL_ARCHIVE"
_BOTH = "both"
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
# What databases hold.
_LARGEST = 2**63 - 1
_BINARY_UNITS = {"ki": 1024, "mi": 1024**2, "gi": 1024**3, "ti": 1024**4}


def default_archive() -> Path:
    """Return where the archive is if no one says otherwise on the command line."""
    if (named := os.environ.get(ENVIRONMENT_VARIABLE)) and named.strip():
        return Path(named)
    return Path(platformdirs.user_documents_path()) / "Carrel"


def is_archive_named() -> bool:
    """Say whether the environment names the archive, so that it is not just the usual one."""
    return bool(os.environ.get(ENVIRONMENT_VARIABLE, "").strip())


class Size(click.ParamType[int]):
    """A size in bytes: 500, 64MiB, 1.5 GB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", value, re.IGNORECASE)
        if match is None:
            self.fail(
                tr("“{value}” is not a size; write 500, 64MiB or 1.5GB.", value=value), param, ctx
            )
        unit = (match[2] or "").lower()
        size = Decimal(match[1]) * {**_UNITS, **_BINARY_UNITS}[unit]
        if size > _LARGEST:
            self.fail(tr("“{value}” is larger than any file system.", value=value[:60]), param, ctx)
        return int(size)


def _asked_about(context: click.Context, parameter: click.Parameter, archive: Path) -> Path:
    """Return the archive; ask first about what it asks for, if it does."""
    if os.path.isdir(archive) and not context.resilient_parsing:
        from carrel.cli.requests import ask_about  # most folders have nothing to ask for

        ask_about(archive)
    return archive


_ARCHIVE: dict[str, Any] = {
    "type": click.Path(path_type=Path, file_okay=False),
    "default": default_archive,
    "envvar": ENVIRONMENT_VARIABLE,
    "show_default": tr("Carrel in your documents"),
    "show_envvar": True,
    "help": tr("The archive folder."),
}
archive_option = click.option("--archive", callback=_asked_about, **_ARCHIVE)
# For those who ask the person themselves.
own_archive_option = click.option("--archive", **_ARCHIVE)
json_option = click.option(
    "--json", "as_json", is_flag=True, help=tr("Print one JSON object per line on standard output.")
)
F = TypeVar("F", bound=Callable[..., Any])


def overruling(command: F) -> F:
    """Give a command the options by which a person overrules the engine (see `overruled`)."""
    strategies = click.Choice([each.value for each in IngestStrategy])
    destinations = click.Choice([*(each.value for each in Destination), _BOTH])
    for option in (
        click.option(
            "--item-name",
            help=tr("Name of the archive.org item (default: derived from the dataset)."),
        ),
        click.option(
            "--fetch-missing/--no-fetch-missing",
            default=True,
            show_default=True,
            help=tr("Fetch files that a bundle lacks individually."),
        ),
        click.option(
            "--to",
            type=destinations,
            default=Destination.ARCHIVE.value,
            show_default=True,
            help=tr("Where captures go: this archive, the Wayback Machine, or both."),
        ),
        click.option(
            "--max-file-count",
            type=click.IntRange(1),
            help=tr("Maximum number of files per dataset (200)."),
        ),
        click.option("--max-total-size", type=Size(), help=tr("Maximum dataset size (64GiB).")),
        click.option(
            "--strategy", type=strategies, help=tr("Use this strategy, not the chosen one.")
        ),
    ):
        command = option(command)
    return command


def page_link_options(command: F) -> F:
    """Give a command the options by which a person chooses links of a page (`page_links.py`)."""
    for option in (
        click.option(
            "--link",
            "links",
            multiple=True,
            metavar="URL",
            help=tr("Archive this link of the page; repeat it for each."),
        ),
        click.option(
            "--page-links",
            is_flag=True,
            help=tr("Show which links of the page look like data, to choose from by --link."),
        ),
    ):
        command = option(command)
    return command


def overruled(
    *,
    strategy: str | None,
    max_total_size: int | None,
    max_file_count: int | None,
    to: str,
    fetch_missing: bool,
    item_name: str | None,
    links: Sequence[str] = (),
) -> IngestOptions:
    """Return the values of the options that `overruling` gives."""
    return IngestOptions(
        strategy=IngestStrategy(strategy) if strategy else None,
        max_total_size=max_total_size,
        max_file_count=max_file_count,
        to=tuple(Destination) if to == _BOTH else (Destination(to),),
        fetch_missing=fetch_missing,
        item_name=item_name,
        page_links=tuple(links),
    )


def refuse_contradictions(options: IngestOptions) -> None:
    """Raise UsageError for options that no dataset can be archived with.

    A list is better refused at once than queued to fail one dataset after the other.
    """
    from carrel.engine.requests import unheeded  # as below

    if why := unheeded(options):
        raise UsageError(tr("Nothing was queued. {why}", why=why))


def requests_in(texts: Sequence[str]) -> tuple[list[IngestRequest], list[str]]:
    """Return a request for each identifier in the arguments, and the arguments without any."""
    # The engine takes half of the start; every command has these options, and not all need it.
    from carrel.engine.identifiers import find
    from carrel.engine.requests import request_for

    requests: list[IngestRequest] = []
    without: list[str] = []
    for text in texts:
        found = find(text).identifiers
        requests += [request_for(each) for each in found]
        if not found:
            without.append(text)
    return requests, without


def day_in(text: str | None) -> str:
    """Return a day in ISO 8601, "" for none. Raises UsageError for what is no day."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise UsageError(
            tr("“{text}” is not a day; write it as 2026-03-01.", text=shown(text or ""))
        ) from None
