# SPDX-License-Identifier: AGPL-3.0-or-later
"""The machines of the fleet: workers and a persist worker as processes that come back."""

import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError, URLError

from acceptance.hosts import contact_of
from support.archives import command, environment, new_archive
from support.fleet import ENDS_WITHIN_S

_SETTINGS = """\
[network]
timeout_s = 20
"""
# Started again after these, as the unit of systemd has it; by whom it was killed is the test's.
_COMES_BACK = (69, 75, -signal.SIGKILL)


@dataclass
class Machine:
    """A command that runs as a process; `process` is None while it is stopped on purpose."""

    name: str
    log: Path
    arguments: Sequence[str | Path]
    environment: Mapping[str, str]
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0
    address: str = ""
    ended_at: list[float] = field(default_factory=list)

    def start(self) -> None:
        self.address = _free_address()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command("--log", "INFO", *self.arguments, "--metrics", self.address),
                env=environment(**self.environment),
                stdout=log,
                stderr=log,
            )
        self.starts += 1

    def mind(self) -> None:
        """Start it again if it ended by itself."""
        if self.process is not None and (code := self.process.poll()) is not None:
            if code not in _COMES_BACK:
                raise AssertionError(f"{self.name} ended with {code}: {self.last_words()}")
            self.ended_at.append(time.time())
            self.start()

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it; return its exit status."""
        if self.process is None:
            return 0
        self.ended_at.append(time.time())
        self.process.send_signal(how)
        code = self.process.wait(ENDS_WITHIN_S)
        self.process = None
        return code

    def is_well(self, within_s: float) -> bool:
        """Say whether it says so itself, within a time."""
        until = time.monotonic() + within_s
        while self.asked("/healthz")[0] != 200:
            if time.monotonic() > until:
                return False
            time.sleep(0.5)
        return True

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-1500:]

    def asked(self, path: str) -> tuple[int, str]:
        """Return what it answers at its address for metrics; 0 if nothing."""
        try:
            with urllib.request.urlopen(f"http://{self.address}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()
        except (URLError, OSError):
            return 0, ""


def worker(folder: Path, name: str, config: Path, archive: Path | None = None) -> Machine:
    """Return a worker of three that share what all ask, with an archive of its own."""
    archive = archive or folder / name
    new_archive(archive, _SETTINGS)
    said = ("--archive", archive, "--name", name, "--config", config, "--from", "earliest")
    more = ("--share", "1/3", "--json-log")
    return Machine(
        name, folder / f"{name}.log", ("worker", *said, *more), own_settings(folder, name)
    )


def persist(folder: Path, name: str, config: Path, db: str) -> Machine:
    """Return a persist worker of a database."""
    said = ("--db", db, "--name", name, "--config", config, "--json-log")
    return Machine(name, folder / f"{name}.log", ("persist", *said), {})


def own_settings(folder: Path, name: str) -> Mapping[str, str]:
    """Have a machine's own settings say who it is to hosts; return the environment for that."""
    home = folder / f"{name}-settings"
    (home / "carrel").mkdir(parents=True)
    (home / "carrel/settings.toml").write_text(f'[network]\ncontact = "{contact_of(name)}"\n')
    return {"XDG_CONFIG_HOME": str(home)}


def _free_address() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{listener.getsockname()[1]}"
