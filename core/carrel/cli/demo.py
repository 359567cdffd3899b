# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel demo`: the whole thing on a sample repository, no network needed."""

import asyncio
import threading
from pathlib import Path

import click
from click.core import ParameterSource

from carrel.cli.dark.demonstration import gather
from carrel.cli.options import ENVIRONMENT_VARIABLE, json_option
from carrel.cli.presentation import print_result_json
from carrel.cli.progress import progress_bars
from carrel.cli.terminal import say
from carrel.demo import DemoDataset, DemoRepository
from carrel.engine import Engine
from carrel.errors import UsageError
from carrel.model import IngestFilesetResult, IngestRequest
from carrel.translation import tr


@click.command()
@click.option(
    "--archive",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-archive"),
    envvar=ENVIRONMENT_VARIABLE,
    show_default=True,
    help=tr("The archive folder."),
)
@click.option("--serve", is_flag=True, help=tr("Serve the sample repository until stopped."))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help=tr("Port to serve it on; 0 for any free port."),
)
@json_option
@click.pass_context
def demo(context: click.Context, archive: Path, serve: bool, port: int, as_json: bool) -> None:
    """Archive every sample dataset, including the faulty ones, and show the status of each.

    Then harvest a RePEc archive of working papers, at three times of its history, into the dark
    archive. Exit status 0 means that each ended as expected.
    """
    if serve and (as_json or _is_named(context, "archive")):
        raise UsageError(tr("With --serve nothing is archived: omit --archive and --json."))
    with _repository(port) as repository:
        if serve:
            _serve(repository)
            return
        outcomes = asyncio.run(_archive(archive, repository, as_json=as_json))
        is_gathered = asyncio.run(gather(archive, repository, as_json=as_json))
    if not as_json:
        click.echo(tr("\n✓ means: it ended as expected, including expected failures."))
        click.echo(
            tr(
                "The archive is {resolve}; its README.txt says how to read it.",
                resolve=archive.resolve(),
            )
        )
    is_right = all(result.status is dataset.expected for dataset, result in outcomes)
    context.exit(0 if is_right and is_gathered else 1)


def _is_named(context: click.Context, option: str) -> bool:
    return context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def _repository(port: int) -> DemoRepository:
    try:
        return DemoRepository(port=port)
    except OSError as error:
        raise UsageError(
            tr("Port {port} cannot be used: {strerror}.", port=port, strerror=error.strerror)
        ) from error


async def _archive(
    path: Path, repository: DemoRepository, *, as_json: bool
) -> list[tuple[DemoDataset, IngestFilesetResult]]:
    outcomes = []
    async with Engine.open(path) as engine:
        for dataset in repository.datasets:
            request = IngestRequest(dataset.url(repository), ingest_request_source="carrel-demo")
            with progress_bars() as show:
                result = await engine.ingest(request, emit=show)
            outcomes.append((dataset, result))
            if as_json:
                print_result_json(result)
            else:
                _print(dataset, result)
    return outcomes


def _print(dataset: DemoDataset, result: IngestFilesetResult) -> None:
    is_right = result.status is dataset.expected
    mark = click.style("✓", fg="green") if is_right else click.style("✗", fg="red")
    click.echo(f"{mark} {result.status:24} {dataset.title}")
    say(f"    {dataset.shows}")
    if not result.hit:
        say(f"    {result.error_message}")
        say(f"    {result.advice}")
    if not is_right:
        say(f"    Expected: {dataset.expected}.")


def _serve(repository: DemoRepository) -> None:
    click.echo(
        tr(
            "The sample repository is at {origin} until you press Ctrl+C.\n",
            origin=repository.origin,
        )
    )
    for dataset in repository.datasets:
        click.echo(f"{dataset.url(repository)}\n    {dataset.title}: {dataset.shows}")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
