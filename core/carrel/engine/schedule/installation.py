# SPDX-License-Identifier: AGPL-3.0-or-later
"""A timer of the person's own systemd for each archive: written, listed and taken away again.

No root is needed for it, and nothing outside of the person's own configuration is touched.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from carrel.engine.schedule.units import service_text, timer_text, unit_name
from carrel.errors import UsageError
from carrel.translation import tr
from carrel.whole_file import replace_file

_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Installed:
    """The units of an archive: the files that were written, and how to see their log."""

    files: Sequence[Path]
    log: str


class NoTimers(UsageError):
    """The system has no systemd that this person could give timers to."""


def folder() -> Path:
    """Return where the person's own units are."""
    configuration = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(configuration) / "systemd" / "user"


def files_of(archive: Path) -> Sequence[Path]:
    """Return where the service and the timer of an archive are, or would be."""
    name = unit_name(archive)
    return [folder() / f"{name}.service", folder() / f"{name}.timer"]


def is_installed(archive: Path) -> bool:
    """Say whether an archive has a timer here."""
    return all(map(os.path.lexists, files_of(archive)))


def install(archive: Path) -> Installed:
    """Have systemd do every hour what is due in an archive; what was there is replaced.

    Raises NoTimers, with nothing written, UsageError with what systemd says, and OSError.
    """
    _systemctl("show-environment")
    service, timer = files_of(archive)
    service.parent.mkdir(parents=True, exist_ok=True)
    replace_file(service, service_text(archive).encode("utf-8", "surrogateescape"))
    replace_file(timer, timer_text(archive).encode("utf-8", "surrogateescape"))
    _systemctl("daemon-reload")
    _systemctl("enable", "--now", timer.name)
    return Installed((service, timer), f"journalctl --user -u {service.name}")


def remove(archive: Path) -> Sequence[Path]:
    """Take an archive's timer away; return the files that were removed, none if it had none.

    Raises UsageError with what systemd says, and OSError.
    """
    there = [each for each in files_of(archive) if os.path.lexists(each)]
    if not there:
        return []
    with suppress(NoTimers):  # then no one runs it either
        _systemctl("disable", "--now", files_of(archive)[1].name)
    for each in there:
        each.unlink(missing_ok=True)
    with suppress(NoTimers):
        _systemctl("daemon-reload")
    return there


def _systemctl(*arguments: str) -> None:
    """Tell the person's own systemd something. Raises NoTimers and UsageError."""
    program = shutil.which("systemctl")
    if program is None:
        raise NoTimers(tr("This system has no systemd (there is no systemctl)."))
    try:
        ran = subprocess.run(  # noqa: S603 - the words are ours, the names are digests
            [program, "--user", *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoTimers(tr("systemd does not answer: {error}.", error=error)) from error
    if ran.returncode == 0:
        return
    said = " ".join(ran.stderr.split())[:300]
    if arguments[0] == "show-environment" or "connect to bus" in said:
        raise NoTimers(tr("No systemd runs for you here: {said}", said=said))
    raise UsageError(tr("systemctl failed: {said}", said=said))
