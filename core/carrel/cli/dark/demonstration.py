# SPDX-License-Identifier: AGPL-3.0-or-later
"""What `carrel demo` shows of the dark archive: three runs, a year in the life of some papers."""

import tempfile
from pathlib import Path

import click

from carrel.cli.dark.counts import count_name
from carrel.cli.terminal import say
from carrel.demo import DemoRepository
from carrel.demo.working_papers import MOMENTS, Moment
from carrel.engine import Engine
from carrel.model.dark_views import GatheringOrder, RunReport
from carrel.translation import tr


async def gather(archive: Path, repository: DemoRepository, *, as_json: bool) -> bool:
    """Gather each moment into the dark archive; say whether each run found what it should.

    An archive that was gathered into before, by an earlier demonstration, is left as it is.
    """
    is_right = True
    async with Engine.open(archive) as engine:
        if await engine.dark.runs():
            if not as_json:
                say(tr("The dark archive is unchanged since an earlier demonstration."))
            return True
        with tempfile.TemporaryDirectory(prefix="carrel-demo-") as folder:
            for moment in MOMENTS:
                report = await _run(engine, repository, moment, Path(folder))
                is_right = is_right and _is_as_expected(report, moment)
                if not as_json:
                    _print(report, moment)
    return is_right


async def _run(
    engine: Engine, repository: DemoRepository, moment: Moment, folder: Path
) -> RunReport:
    repository.moment = moment
    tarball = folder / moment.tarball_name
    tarball.write_bytes(moment.tarball(repository.origin))
    config = folder / "gathering.conf"
    config.write_text("private_networks = yes\n")  # the sample repository is on this machine
    try:
        return await engine.dark.run(
            GatheringOrder(config=config, tarball=tarball), lambda told: None
        )
    finally:
        tarball.unlink()


def _is_as_expected(report: RunReport, moment: Moment) -> bool:
    found = {name: report.counts.get(name, 0) for name in moment.expected}
    return report.scope_ok and found == dict(moment.expected)


def _print(report: RunReport, moment: Moment) -> None:
    is_right = _is_as_expected(report, moment)
    mark = click.style("✓", fg="green") if is_right else click.style("✗", fg="red")
    found = ", ".join(
        f"{count_name(name)} {report.counts.get(name, 0)}" for name in moment.expected
    )
    click.echo(
        tr(
            "{mark} {archive:24} RePEc as of {date}",
            mark=mark,
            archive=tr("dark archive"),
            date=moment.date,
        )
    )
    say(f"    {found}")
    if not is_right:
        wanted = ", ".join(f"{name} {count}" for name, count in moment.expected.items())
        say(f"    Expected: {wanted}.")
