# SPDX-License-Identifier: AGPL-3.0-or-later
"""Folders that no one may write to, not even root, whom no permission binds."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def read_only(folder: Path) -> Iterator[Path]:
    """Have a folder, made if need be, refuse all that would be written in it: by its permissions,
    or for root as a read-only mount. Skips the test where root may not mount.
    """
    folder.mkdir(exist_ok=True)
    is_root = os.geteuid() == 0
    begin, end = (_mount, _unmount) if is_root else (_take_permission, _give_permission)
    begin(folder)
    try:
        yield folder
    finally:
        end(folder)


def _mount(folder: Path) -> None:
    ran = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False)
    if ran.returncode:
        pytest.skip("root may not mount here")
    subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", folder], check=True)


def _take_permission(folder: Path) -> None:
    folder.chmod(0o555)


def _give_permission(folder: Path) -> None:
    folder.chmod(0o755)
