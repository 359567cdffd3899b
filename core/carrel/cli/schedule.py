# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel schedule`: what is done by itself, and the timer that does it."""

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.arguments import Destination, Group
from carrel.cli.interruption import stopped_by_signals
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, printable, say
from carrel.cli.waits import Waits
from carrel.engine.schedule import read_state
from carrel.engine.schedule.installation import NoTimers, install, is_installed, remove
from carrel.engine.schedule.units import instructions
from carrel.errors import ArchiveCopied, ArchiveLocked
from carrel.model.copies import LONGEST_DAYS
from carrel.model.copy_words import copy_words
from carrel.model.counts import counted
from carrel.model.events import Event, ScheduleChanged
from carrel.model.schedule import Ending, Planned, ScheduledRun, ScheduleState, Task
from carrel.model.sizes import in_words
from carrel.settings import SETTINGS_NAME
from carrel.settings.copies import change_copy, copies_of, forget_copy
from carrel.translation import tr

_TITLES = {
    Task.WATCH: tr("Check watched datasets"),
    Task.VERIFY: tr("Verify holdings"),
    Task.ARCHIVE: tr("Archive in the set hours"),
    Task.COPY: tr("Second copies"),
}
_NOUNS = {Task.COPY: "copy"}
_NO_TIMER = tr(
    "No timer runs it: “carrel schedule install” makes one; a window does what is due while it is "
    "open."
)
_ENDINGS = {
    Ending.DONE: tr("done"),
    Ending.FOUND: tr("done"),  # and how many there are with findings
    Ending.FAILED: tr("failed"),
    Ending.STOPPED: tr("stopped"),
    Ending.INTERRUPTED: tr("interrupted"),
}


@click.group(cls=Group)
def schedule() -> None:
    """Verify, check, archive and copy at set times, without a window.

    What is done stands in the section [schedule] of the settings: verify_days, watch_days, hours;
    second copies are set with "carrel schedule copy".
    """


@schedule.command()
@archive_option
@json_option
@click.pass_context
def run(context: click.Context, archive: Path, as_json: bool) -> None:
    """Do what is due now, and end.

    Exit status 0 means that all of it was done and nothing is wrong; 1 that something was damaged,
    failed, could not be checked, or changed since that was last told. If a window has the archive
    open, it does what is due by itself: that is said, and the exit status is 0. Ctrl+C stops
    cleanly; the rest is due next time.
    """
    state = _state(archive)
    held = [each for each in state.tasks if each.due and each.waits]
    for task in held:
        complain(f"{_TITLES[task.task]}: {_due(task)}. {task.waits}")
    if not state.is_due:
        if not held:
            complain(tr("Nothing is due."))
        return
    try:
        ran = asyncio.run(_run(archive))
    except ArchiveCopied:
        raise  # nothing is due there, now or later
    except ArchiveLocked as error:
        complain(tr("{error} Due tasks run there, or next time.", error=error))
        return
    for each in ran:
        _show_run(each, as_json=as_json)
    context.exit(0 if all(each.ending is Ending.DONE for each in ran) else 1)


@schedule.command("install")
@archive_option
@click.pass_context
def install_timer(context: click.Context, archive: Path) -> None:
    """Have this system run “carrel schedule run” for the archive every hour.

    It writes a service and a timer for your own systemd; no root is needed. Where there is none,
    it says what to enter elsewhere, and the exit status is 1.
    """
    state = _state(archive)
    try:
        made = install(archive)
    except NoTimers as error:
        complain(str(error))
        for line in instructions(archive):
            click.echo(printable(line) if line else "")
        context.exit(1)
    for file in made.files:
        say(tr("Written: {file}", file=file))
    say(tr("Its log: {log}", log=made.log))
    say(tr("It runs while you are logged in; “loginctl enable-linger” lets it run at all times."))
    if not any(each.is_on for each in state.tasks):
        complain(_nothing_on(archive))


@schedule.command("copy")
@click.argument("destination", metavar="DESTINATION", type=Destination())
@click.option(
    "--every",
    "every_days",
    type=click.IntRange(0, LONGEST_DAYS),
    metavar="DAYS",
    required=True,
    help=tr("Days between two copies; 0 to end that, and to forget the copy."),
)
@archive_option
def schedule_copy(destination: str, every_days: int, archive: Path) -> None:
    """Bring the second copy in DESTINATION up to date every so many days.

    DESTINATION is as for "carrel replicate". It is remembered in your own configuration, for this
    archive. How each copy ended is in "carrel schedule list", "carrel status" and the journal.
    """
    Archive.open_for_reading(archive).close()  # there must be one
    if not every_days:
        if not forget_copy(archive, destination):
            complain(tr("No copy in {destination} is known.", destination=destination))
        return
    from carrel.engine.replication import store_at  # which reads and writes copies

    store_at(destination, archive).close()  # and a place for its copy
    copy = change_copy(archive, destination, every_days=every_days)
    say(f"{copy.destination}: {copy_words(copy)}")
    if not is_installed(archive):
        complain(_NO_TIMER)


@schedule.command("remove")
@archive_option
def remove_timer(archive: Path) -> None:
    """Take the archive's timer away; what was done stays known."""
    removed = remove(archive)
    for file in removed:
        say(tr("Removed: {file}", file=file))
    if not removed:
        complain(tr("There is no timer for {archive}.", archive=archive))


@schedule.command("list")
@archive_option
@json_option
def list_tasks(archive: Path, as_json: bool) -> None:
    """Show what is due, when each task last ran, and how it ended."""
    state, has_timer = _state(archive), is_installed(archive)
    if as_json:
        for each in state.tasks:
            print_json({**each.to_json(), "timer": has_timer})
        return
    for each in state.tasks:
        _say(each, archive)
    if not any(each.is_on for each in state.tasks):
        complain(_nothing_on(archive))
    elif not has_timer:
        complain(_NO_TIMER)


def _state(archive: Path) -> ScheduleState:
    with Archive.open_for_reading(archive) as opened:
        return read_state(opened, datetime.now(UTC))


async def _run(archive: Path) -> Sequence[ScheduledRun]:
    from carrel.engine import Engine  # only where something is due

    waits = Waits()

    def show(event: Event) -> None:
        waits.show(event)
        if isinstance(event, ScheduleChanged) and event.words:
            complain(f"{event.words} ({event.run.done} / {event.run.total})")

    async with Engine.open(archive, show) as engine:
        with stopped_by_signals(engine.schedule.stop):
            return await engine.schedule.run()


def _nothing_on(archive: Path) -> str:
    return tr(
        "Nothing is scheduled. For instance, “verify_days = 90” under [schedule] in {file} "
        "verifies all holdings once in 90 days.",
        file=archive / SETTINGS_NAME,
    )


def _say(planned: Planned, archive: Path) -> None:
    say(_TITLES[planned.task], bold=True)
    if not planned.is_on:
        say(f"  {tr('off')}")
    else:
        say(f"  {_due(planned)}")
    if planned.waits:
        say(f"  {planned.waits}")
    if planned.last is not None:
        say(f"  {_last(planned.last)}")
    if planned.task is Task.COPY:
        for each in copies_of(archive):
            say(f"  {each.destination}: {copy_words(each)}")


def _due(planned: Planned) -> str:
    if not planned.due:
        if planned.next is None:
            return tr("Nothing is due.")
        return tr("Nothing is due before {moment:%Y-%m-%d %H:%M} UTC.", moment=_utc(planned.next))
    count = counted(planned.due, _NOUNS.get(planned.task, "dataset"))
    if not planned.due_bytes:
        return tr("{count} due", count=count)
    return tr("{count} due, {size}", count=count, size=in_words(planned.due_bytes))


def _last(last: ScheduledRun) -> str:
    started = last.started
    with contextlib.suppress(ValueError):  # a moment in a stranger's ledger may be none
        moment = _utc(datetime.fromisoformat(started))
        started = tr("{moment:%Y-%m-%d %H:%M} UTC", moment=moment)
    ending = _ENDINGS[last.ending] if last.ending else tr("running")
    done = tr(
        "{done} of {total}",
        done=f"{last.done:,}",
        total=counted(last.total, _NOUNS.get(last.task, "dataset")),
    )
    words = tr("Last: {started}, {ending}, {done}", started=started, ending=ending, done=done)
    if last.found and last.task is not Task.WATCH:  # whose message counts what changed apart
        words = tr("{words}, {found:,} with findings", words=words, found=last.found)
    return f"{words}. {last.message}" if last.message else words


def _show_run(ran: ScheduledRun, *, as_json: bool) -> None:
    if as_json:
        print_json(ran.to_json())
        return
    say(_TITLES[ran.task], bold=True)
    say(f"  {_last(ran)}")


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
