# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel desktop`: the window. It is the one place here that knows of it, and only by name."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from carrel import __version__
from carrel.cli.options import own_archive_option
from carrel.errors import UsageError
from carrel.process_end import INTERRUPTED
from carrel.translation import tr


@click.command()
@click.option(
    "--demo",
    "is_demo",
    is_flag=True,
    help=tr(
        "Try the sample repository, in an archive of its own that is deleted when you quit; "
        "--archive names one that stays."
    ),
)
@own_archive_option
@click.argument("items", nargs=-1)
@click.version_option(__version__, prog_name="carrel")
@click.pass_context
def desktop(context: click.Context, is_demo: bool, archive: Path, items: Sequence[str]) -> None:
    """Open the window on an archive.

    ITEMS are what to open in it: DOIs and addresses, which are previewed, or WARC and WACZ files,
    which are imported.
    """
    is_named = context.get_parameter_source("archive") is not ParameterSource.DEFAULT
    here = [str(Path(each).absolute()) if Path(each).exists() else each for each in items]
    context.exit(open_desktop(archive, is_demo=is_demo, is_named=is_named, items=here))


def can_show_windows() -> bool:
    """Say whether there is a display, and the window is installed."""
    return _has_display() and importlib.util.find_spec("PySide6") is not None


def _has_display() -> bool:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in names)


def open_desktop(archive: Path, *, is_demo: bool, is_named: bool, items: Sequence[str] = ()) -> int:
    """Open the window and return its exit status.

    Where no one named the archive, and the usual one is not there yet, it is a first start. The
    sample repository then has an archive that goes with the window, and never the usual one.
    Raises UsageError if it is not installed, or there is no display to show it on.
    """
    if not _has_display():
        raise UsageError(tr("There is no display to open the window on."))
    display = importlib.import_module("carrel_desktop.display")
    try:
        app = importlib.import_module("carrel_desktop.app")
        hindrance = display.hindrance()
    except ModuleNotFoundError as error:
        raise UsageError(
            tr(
                "The window cannot be opened: {error}. Carrel was installed without the window; "
                "install it with the extra “desktop”.",
                error=error,
            )
        ) from error
    except (ImportError, OSError) as error:
        advice = tr(" On Debian: sudo apt-get install {packages}", packages=display.PACKAGES)
        raise UsageError(
            tr(
                "The window cannot be opened: {error}.{advice}",
                error=error,
                advice=advice if "cannot open shared object" in str(error) else "",
            )
        ) from error
    if hindrance:
        raise UsageError(tr("The window cannot be opened: {hindrance}.", hindrance=hindrance))
    if is_demo and not is_named:
        status: int = app.try_samples()
    else:
        is_first = not is_named and not archive.exists()
        status = app.open_window(archive, demo=is_demo, is_first=is_first, items=items)
    if status == INTERRUPTED:
        click.echo("Stopped.", err=True)
    return status
