# SPDX-License-Identifier: AGPL-3.0-or-later
"""A screen reader listens, and a walk that fails tells both sides of what was not the same."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtGui import QAccessible

pytest.register_assert_rewrite("desktop.any_use")


@pytest.fixture(autouse=True)
def _is_listened_to() -> Iterator[None]:
    """Have Qt tell of what changes: where no one listens, it speaks of tables as they once were."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture(autouse=True)
def _own_readers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have no thread left that reads indexes: of a process they are there until its end."""
    with ThreadPoolExecutor() as readers:
        monkeypatch.setattr("carrel.mementos.reader_threads._THREADS", readers)
        yield
