# SPDX-License-Identifier: AGPL-3.0-or-later
"""A server of any bytes, and the command line within this process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.cli.program import run as main
from support.archives import Ran
from support.wire import WireServer

Carrel = Callable[..., Ran]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


@pytest.fixture
def carrel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Carrel:
    """The command line run within this process, which is ten times as fast."""
    monkeypatch.delenv("CARREL_ARCHIVE", raising=False)

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["carrel", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run
