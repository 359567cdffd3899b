# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that are there and cannot be read, also by root, whom no permission binds."""

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def forbid(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Have the system refuse to open a file, as where its permission was taken away."""

    def guarded(opening: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, *args: Any, **kwargs: Any) -> Any:
            if not isinstance(file, int) and os.fspath(file) == str(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return opening(file, *args, **kwargs)

        return opened

    monkeypatch.setattr(io, "FileIO", guarded(io.FileIO))
    monkeypatch.setattr(io, "open", guarded(io.open))


class Failing(io.BytesIO):
    """A file whose disk gives nothing back from byte `failing` on."""

    def __init__(self, content: bytes, failing: int) -> None:
        super().__init__(content)
        self._failing = failing

    def read(self, size: int | None = -1) -> bytes:
        wanted = len(self.getvalue()) if size is None or size < 0 else size
        if self.tell() + wanted > self._failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)
