# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words in which systems are told to run a command every hour: systemd, cron, launchd, Windows.

Nothing here is written or run.
"""

import hashlib
import os
import plistlib
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from carrel.model.user_information import shown
from carrel.translation import tr

_SERVICE = """\
[Unit]
Description={description}
Documentation=man:carrel(1)

[Service]
Type=oneshot
ExecStart={command}
# It is not to be in the way of anyone who works here.
Nice=10
IOSchedulingClass=idle
TimeoutStartSec=infinity
"""
_TIMER = """\
[Unit]
Description={description}

[Timer]
OnCalendar=hourly
RandomizedDelaySec=15min
# What was missed while the computer was off is done when it is on again.
Persistent=true

[Install]
WantedBy=timers.target
"""
_DIGITS = 12


def unit_name(archive: Path) -> str:
    """Return the name of an archive's units without its ending; one name for one folder."""
    place = os.fsencode(os.path.realpath(archive))
    return f"carrel-{hashlib.sha256(place).hexdigest()[:_DIGITS]}"


def command_for(archive: Path) -> list[str]:
    """Return the command that does what is due in an archive."""
    program = (
        [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "carrel"]
    )
    return [*program, "schedule", "run", "--archive", os.path.realpath(archive)]


def service_text(archive: Path) -> str:
    """Return the systemd service of an archive (systemd.service(5))."""
    command = " ".join(map(_quoted, command_for(archive)))
    return _SERVICE.format(description=_description(archive), command=command)


def timer_text(archive: Path) -> str:
    """Return the systemd timer of an archive (systemd.timer(5))."""
    return _TIMER.format(description=_description(archive))


def cron_line(archive: Path) -> str:
    """Return the line of a crontab (crontab(5), where an unescaped % ends the command)."""
    minute = int(unit_name(archive)[-4:], 16) % 60
    return f"{minute} * * * * {shlex.join(command_for(archive))}".replace("%", r"\%")


def launchd_text(archive: Path) -> str:
    """Return the property list of a launch agent (launchd.plist(5))."""
    return plistlib.dumps(
        {
            "Label": f"org.carrel.{unit_name(archive)}",
            "ProgramArguments": command_for(archive),
            "StartInterval": 3600,
            "ProcessType": "Background",
            "LowPriorityIO": True,
        }
    ).decode("utf-8")


def windows_line(archive: Path) -> str:
    """Return the command that has the Task Scheduler of Windows do it."""
    run = subprocess.list2cmdline(command_for(archive))
    asked = ["schtasks", "/Create", "/F", "/SC", "HOURLY", "/TN", unit_name(archive), "/TR", run]
    return subprocess.list2cmdline(asked)


def instructions(archive: Path, platform: str = sys.platform) -> Sequence[str]:
    """Return, line by line, what a person does where there is no systemd of theirs."""
    if platform == "win32":
        return [tr("Run this in a terminal, once:"), "", windows_line(archive)]
    if platform == "darwin":
        place = f"~/Library/LaunchAgents/org.carrel.{unit_name(archive)}.plist"
        load = f"launchctl bootstrap gui/$(id -u) {place}"
        return [
            tr("Save this as {place}:", place=place),
            "",
            *launchd_text(archive).splitlines(),
            "",
            tr("and run this in a terminal, once:"),
            "",
            load,
        ]
    return [
        tr("Add this line to your crontab (“crontab -e”), or run the command from elsewhere:"),
        "",
        cron_line(archive),
    ]


def _description(archive: Path) -> str:
    """Return a line that people know the unit by; what would end the line is not in it."""
    name = "".join(each if each.isprintable() else "?" for each in shown(str(archive)))
    return f"Carrel: scheduled work on {name}".replace("%", "%%")


def _quoted(argument: str) -> str:
    """Return an argument as a unit has it: quoted, nothing in it expanded, any byte possible."""
    escaped = []
    for character in argument:
        code = ord(character)
        if character in '\\"':
            escaped.append(f"\\{character}")
        elif character in "%$":
            escaped.append(character * 2)
        elif code < 32 or code == 127 or 0xDC80 <= code <= 0xDCFF:
            escaped += [f"\\x{byte:02x}" for byte in os.fsencode(character)]
        else:
            escaped.append(character)
    return f'"{"".join(escaped)}"'
