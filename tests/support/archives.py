# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives, ingests and command lines for tests, with settings that never wait."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.engine import Engine, IngestOptions
from carrel.model import IngestFilesetResult, IngestRequest
from carrel.model.events import Event

SETTINGS = """\
[network]
attempts = 1
timeout_s = 20
"""
CORE = str(Path(__file__).parents[2] / "core")


def new_archive(path: Path, settings: str = SETTINGS) -> Path:
    """Return an empty archive folder with settings."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "settings.toml").write_text(settings)
    return path


def ingest(
    archive: Path,
    *urls: str,
    options: IngestOptions | None = None,
    emit: Callable[[Event], None] = lambda event: None,
) -> list[IngestFilesetResult]:
    """Archive addresses one after the other in one engine."""

    async def run() -> list[IngestFilesetResult]:
        async with Engine.open(archive) as engine:
            asked = options or IngestOptions()
            return [await engine.ingest(IngestRequest(url), asked, emit) for url in urls]

    return asyncio.run(run())


def environment(**extra: str) -> dict[str, str]:
    """Return an environment in which the program runs as in a new shell, with no proxy."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if "proxy" not in name.lower() and name not in ("CARREL_ARCHIVE", "DISPLAY")
    }
    return {**kept, "PYTHONPATH": CORE, "PYTHONWARNINGS": "error", "COLUMNS": "100", **extra}


# What Qt's plugin for a screen that nobody sees says of itself, before the window has its log.
_OF_THE_PLUGIN = "This plugin does not support propagateSizeHints()"


def own_words(err: str) -> list[str]:
    """Return the lines of standard error that the program itself wrote."""
    return [line for line in err.splitlines() if line != _OF_THE_PLUGIN]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "carrel", *map(str, arguments)]


def carrel(
    *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Ran:
    """Run the command line in a process of its own, perhaps in another folder."""
    ran = subprocess.run(
        command(*arguments),
        env=environment(**(env or {})),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)
