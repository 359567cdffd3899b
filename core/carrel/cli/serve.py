# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel serve`: index and resource API, Memento, and replay, on this machine alone."""

import asyncio
from pathlib import Path

import click

from carrel.cli.memento_options import looking, open_mementos
from carrel.cli.terminal import complain
from carrel.translation import tr


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help=tr("Port on 127.0.0.1; 0 for any free port."),
)
@looking
def serve(port: int, archive: Path, config: Path | None, opened: tuple[Path, ...]) -> None:
    """Serve the collections to this machine until you press Ctrl+C."""

    async def run() -> None:
        async with open_mementos(archive, config, opened) as held:
            for warning in held.warnings:
                complain(f"carrel: {warning}")
            origin = await held.server.start(port)
            click.echo(
                tr("The collections are at {origin}/ until you press Ctrl+C.", origin=origin)
            )
            for each in held.collections():
                click.echo(f"  {origin}/{each.name}/")
            for problem in await held.problems():
                complain(f"carrel: {problem}")
            await held.server.wait()

    asyncio.run(run())
