# SPDX-License-Identifier: AGPL-3.0-or-later
"""Options that several commands share, and the reading of their values."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs

from carrel.engine import Engine, IngestOptions
from carrel.model import Identifier, IngestRequest, IngestStrategy, Scheme

ENVIRONMENT_VARIABLE = "CARREL_ARCHIVE"
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}
_BINARY_UNITS = {"ki": 1024, "mi": 1024**2, "gi": 1024**3, "ti": 1024**4}


def default_archive() -> Path:
    """Return where the archive is if nobody says otherwise on the command line."""
    if named := os.environ.get(ENVIRONMENT_VARIABLE):
        return Path(named)
    return Path(platformdirs.user_documents_path()) / "Carrel"


class Size(click.ParamType[int]):
    """A size in bytes: 500, 64MiB, 1.5 GB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", value, re.IGNORECASE)
        if match is None:
            self.fail(f"“{value}” is no size; write 500, 64MiB or 1.5GB.", param, ctx)
        unit = (match[2] or "").lower()
        return int(float(match[1]) * {**_UNITS, **_BINARY_UNITS}[unit])


archive_option = click.option(
    "--archive",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_archive,
    envvar=ENVIRONMENT_VARIABLE,
    show_default="Carrel in your documents",
    show_envvar=True,
    help="The archive folder.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line on standard output."
)
F = TypeVar("F", bound=Callable[..., Any])


def overruling(command: F) -> F:
    """Give a command the options by which a person overrules the engine (see `overruled`)."""
    strategies = click.Choice([each.value for each in IngestStrategy])
    for option in (
        click.option("--max-file-count", type=click.IntRange(1), help="Refuse more files (200)."),
        click.option("--max-total-size", type=Size(), help="Refuse larger datasets (64GiB)."),
        click.option("--strategy", type=strategies, help="Overrule the choice of strategy."),
    ):
        command = option(command)
    return command


def overruled(
    strategy: str | None, max_total_size: int | None, max_file_count: int | None
) -> IngestOptions:
    """Return the values of the options that `overruling` gives."""
    asked = IngestStrategy(strategy) if strategy else None
    return IngestOptions(asked, max_total_size, max_file_count)


def requests_in(texts: Sequence[str]) -> tuple[list[IngestRequest], list[str]]:
    """Return a request for each identifier in the arguments, and the arguments without any."""
    requests: list[IngestRequest] = []
    without: list[str] = []
    for text in texts:
        found = Engine.understand(text).identifiers
        requests += [request_for(each) for each in found]
        if not found:
            without.append(text)
    return requests, without


def request_for(identifier: Identifier) -> IngestRequest:
    """Return the ingest request of an identifier."""
    is_doi = identifier.scheme is Scheme.DOI
    return IngestRequest(
        base_url=identifier.url,
        link_source=str(identifier.scheme) if identifier.scheme is not Scheme.URL else None,
        link_source_id=identifier.value if identifier.scheme is not Scheme.URL else None,
        ingest_request_source="carrel",
        ext_ids={"doi": identifier.value} if is_doi else {},
    )
