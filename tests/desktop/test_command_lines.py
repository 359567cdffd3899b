# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copied command does what the job did: the command line itself reads it back."""

import shlex

import pytest

from carrel.cli.ingest import ingest
from carrel.cli.options import overruled
from carrel.model import Destination, IngestOptions, IngestRequest, IngestStrategy
from carrel_desktop.command_lines import command

URL = "https://doi.org/10.5072/x"
OPTIONS = ("strategy", "max_total_size", "max_file_count", "to", "fetch_missing", "item_name")


@pytest.mark.parametrize(
    "options",
    [
        IngestOptions(),
        IngestOptions(strategy=IngestStrategy.WEB_FILE, max_file_count=5),
        IngestOptions(max_total_size=2**40, to=(Destination.WAYBACK,)),
        IngestOptions(to=tuple(Destination), fetch_missing=False),
        IngestOptions(item_name="a name; rm -rf ~"),
    ],
)
def test_the_command_line_reads_the_same_options(options: IngestOptions) -> None:
    words = shlex.split(command(IngestRequest(URL), options))

    context = ingest.make_context("ingest", words[2:])

    assert words[:2] == ["carrel", "ingest"]
    assert context.params["urls"] == (URL,)
    assert overruled(**{name: context.params[name] for name in OPTIONS}) == options


def test_an_address_that_looks_like_an_option_stays_an_address() -> None:
    words = shlex.split(command(IngestRequest("--dry-run")))

    context = ingest.make_context("ingest", words[2:])

    assert context.params["urls"] == ("--dry-run",)
