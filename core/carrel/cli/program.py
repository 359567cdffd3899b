# SPDX-License-Identifier: AGPL-3.0-or-later
"""The command `carrel` and what holds for all its subcommands.

Exit status: 0 when all that was asked succeeded, 1 when some of it did not, 2 when the call was
wrong, 69 when Kafka or Postgres did not answer, 75 when a worker has to be started again. Results
go to standard output, progress and words about trouble to standard error.
"""

import gc
import importlib
import io
import logging
import os
import sys
from keyword import iskeyword
from pathlib import Path

import click

from carrel import __version__
from carrel.cli.arguments import Group, with_translated_help
from carrel.cli.blanks import refuse_blanks
from carrel.cli.standard_output import close_output, guard_output, lost_output
from carrel.cli.terminal import complain
from carrel.errors import ArchiveLocked, CarrelError, DisplayLost, NotReachable, Stuck
from carrel.model.log_lines import Formatter
from carrel.process_end import INTERRUPTED, hand_over
from carrel.translation import tr

log = logging.getLogger("carrel")

UNAVAILABLE, TRY_AGAIN = 69, 75  # EX_UNAVAILABLE and EX_TEMPFAIL of sysexits.h


SUMMARIES = {
    "preview": tr("Show what is behind each URL, DOI, Handle or ARK."),
    "ingest": tr("Archive the dataset behind each URL, DOI, Handle or ARK."),
    "batch": tr("Queue lists of datasets, run them, and list the results."),
    "status": tr("Show what is held, how well, and what needs attention."),
    "results": tr("List what is archived."),
    "verify": tr("Read every record again and compare every known digest."),
    "formats": tr("Identify the formats of what is held, and list them."),
    "certificate": tr("Write what is held of a dataset, and how far it is proven, as a document."),
    "fixity": tr("Write a report of what was verified in a period, for auditors."),
    "mementos": tr("List the captures of a URL or DOI, local and remote."),
    "get": tr("Save the capture of a URL closest to a given time."),
    "save": tr("Save files of a dataset that is archived, each verified."),
    "export": tr("Write holdings as files, bags, RO-Crates or WACZ, for others."),
    "import": tr("Make WARC and WACZ files from elsewhere part of the archive."),
    "rebuild": tr("Make the ledger again from the journal and the WARCs."),
    "replicate": tr("Bring a second copy of the archive up to date."),
    "repair": tr("Repair damaged WARCs from a second copy."),
    "archive": tr("Pack the small WARC files of an archive, or merge archives."),
    "index": tr("Write the CDXJ index of WARC and ARC files."),
    "serve": tr("Serve the collections on this machine."),
    "dark": tr("Keep the history of what RePEc, or a list, names."),
    "schedule": tr("Verify, check and archive at set times."),
    "worker": tr("Archive what a topic of Kafka requests, as one of several machines."),
    "persist": tr("Store the results of a fleet in Postgres."),
    "fleet": tr("Submit lists to a fleet of machines, and see how it stands."),
    "fatcat": tr("Put what was archived into the catalogue fatcat."),
    "platforms": tr(
        "List the data platforms that Carrel knows: hosts, evidence, limits and tokens."
    ),
    "credentials": tr("Store keys and tokens in the keyring of this system."),
    "settings": tr("Show the settings of an archive, and decide on its requests."),
    "demo": tr("Archive the datasets of the built-in sample repository."),
    "desktop": tr("Open the window on an archive."),
}


class Commands(Group):
    """The subcommands, each a module of its own that is loaded when it is requested.

    To list them, none is loaded: what each is for stands in SUMMARIES.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUMMARIES:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"carrel.cli.{name}")
        command: click.Command = getattr(module, name)
        return with_translated_help(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            refuse_blanks(ctx, command, rest)
        return name, command, rest


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    "is_version_asked",
    is_flag=True,
    help=tr("Show the version and exit; with --verbose, all that a report of a problem needs."),
)
@click.option(
    "--verbose", is_flag=True, help=tr("With --version: also libraries, system, folders.")
)
@click.option(
    "--log", "log_level", default="WARNING", help=tr("Log level: DEBUG, INFO, WARNING or ERROR.")
)
@click.pass_context
def carrel(context: click.Context, is_version_asked: bool, verbose: bool, log_level: str) -> None:
    """Archive datasets: preview, archive, verify and find them again.

    Without a command, Carrel opens its window if there is a display.
    """
    if is_version_asked:
        _show_version(verbose)
        context.exit(0)
    if verbose:
        raise click.UsageError(tr("--verbose goes with --version; see --log for more words."))
    _set_up_logging(log_level)
    _collect_garbage()  # the command is loaded by now
    is_window = context.invoked_subcommand in (None, "desktop")
    if not is_window:  # which sees to it when it is there
        hand_over()
    if context.invoked_subcommand is not None:
        return
    from carrel.cli.desktop import can_show_windows, open_desktop  # most calls are for a command
    from carrel.cli.options import default_archive, is_archive_named

    if not can_show_windows():
        click.echo(context.get_help())
        return
    context.exit(open_desktop(default_archive(), is_demo=False, is_named=is_archive_named()))


def _show_version(verbose: bool) -> None:
    if not verbose:
        short = f"carrel, version {__version__}"
        click.echo(short)
        return
    from carrel.cli.about import about  # for reports alone

    for line in about():
        click.echo(line)


def run() -> None:
    """Run the command that was called, and end the program with its exit status."""
    gc.disable()  # until what is requested is loaded
    if sys.stdin is None:  # closed, as daemons have it
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - for all the time
    guard_output()
    try:
        code = _run()
        if sys.stdout is not None:  # closed, as above
            sys.stdout.flush()  # while it can still be said that this fails
    except Exception as error:
        _explain(error)
        code = 1
    finally:
        _collect_garbage()  # also where no command came to run
    sys.exit(code or 0)


def _run() -> int | None:
    """Run the command that is requested; say what its errors are, and return the exit status."""
    try:
        code: int | None = carrel.main(standalone_mode=False)
    except click.ClickException as error:
        _refuse(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        complain("Stopped.")
        return INTERRUPTED
    except (ArchiveLocked, DisplayLost) as error:
        complain(f"carrel: {error}")
        return 1
    except NotReachable as error:
        complain(f"carrel: {error}")
        return UNAVAILABLE
    except Stuck as error:
        complain(f"carrel: {error}")
        return TRY_AGAIN
    except CarrelError as error:
        complain(f"carrel: {error}")
        return 2
    return code


def _refuse(error: click.ClickException) -> None:
    """Say what is wrong with a call, as click has it; what was given is in its words as it came."""
    words = io.StringIO()
    error.show(file=words)
    for line in words.getvalue().splitlines():
        complain(line)


def _explain(error: Exception) -> None:
    """Say what no one expected: an output that cannot be written, else a fault of Carrel's."""
    lost = lost_output(error)
    if lost is None:
        log.debug("a bug in Carrel", exc_info=True)
        words = tr("This is a bug in Carrel; run it again with --log DEBUG and report the output.")
        complain(f"carrel: {type(error).__name__}: {error}. {words}")
        return
    close_output(sys.stdout)
    if isinstance(lost, BrokenPipeError):  # a reader that has had enough
        return
    words = tr(
        "The output cannot be written: {strerror}. What was done before remains.",
        strerror=lost.strerror,
    )
    try:
        complain(f"carrel: {words}")
    except OSError:
        close_output(sys.stderr)  # no one can be told


def _collect_garbage() -> None:
    """Have garbage looked for from now on, but never among what is loaded: all of that stays.

    To look through it while it is loaded, and once more at the end, is a fifth of a small ingest.
    """
    if not gc.isenabled():  # it is where the commands are run by others than `main`
        gc.freeze()
        gc.enable()


def _set_up_logging(level: str) -> None:
    numeric = logging.getLevelNamesMapping().get(level.upper())
    if numeric is None:
        raise click.BadParameter(
            tr("{level} is not a log level: DEBUG, INFO, WARNING or ERROR", level=level)
        )
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=numeric, handlers=[handler])
    # The client names each address at INFO, with whatever stands in its query.
    logging.getLogger("httpx").setLevel(max(numeric, logging.WARNING))
    logging.getLogger("httpcore").setLevel(max(numeric, logging.WARNING))
