# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where a command writes to: never silently over what is there."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from carrel.errors import UsageError
from carrel.own_parts import refuse_own_part
from carrel.translation import tr

F = TypeVar("F", bound=Callable[..., Any])
STANDARD_OUTPUT = Path("-")


def force_option(command: F) -> F:
    return click.option("--force", is_flag=True, help=tr("Overwrite the output if it exists."))(
        command
    )


def check_output(output: Path, inputs: Iterable[Path], *, force: bool) -> None:
    """Raise UsageError for an output that is an input or part of an archive, or is there and not to
    be replaced.

    A device, a pipe or a socket never is: a file that takes its place would take it from all who
    use it.
    """
    if output == STANDARD_OUTPUT:
        return
    refuse_own_part(output)
    if not output.exists():
        return
    if not output.is_file():
        raise UsageError(
            tr(
                "{output} is not a regular file and was not changed. Choose another name.",
                output=output,
            )
        )
    if any(each.exists() and output.samefile(each) for each in inputs):
        raise UsageError(
            tr("{output} is also the input; choose another name for the output.", output=output)
        )
    if not force:
        raise UsageError(
            tr("{output} already exists. Choose another name, or use --force.", output=output)
        )
