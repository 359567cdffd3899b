# SPDX-License-Identifier: AGPL-3.0-or-later
"""Two decisions of the window, measured (docs/decisions.md): where rows are sorted, and where the
engine runs.

usage: QT_QPA_PLATFORM=offscreen window.py [--rows N] [--seconds S]
"""

import argparse
import asyncio
import hashlib
import random
import threading
import time
from collections.abc import Callable

from isal import isal_zlib
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

_BLOCK = random.Random(1).randbytes(1024 * 1024) * 4
_TICK_S = 0.010
_Index = QModelIndex | QPersistentModelIndex


class Rows(QAbstractTableModel):
    """Rows of two numbers, as any model of this project holds them: in a list."""

    def __init__(self, count: int) -> None:
        super().__init__()
        noise = random.Random(1)  # the same in every run
        self.rows = [(number, noise.random()) for number in range(count)]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as above
        return 0 if parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return (
            self.rows[index.row()][index.column()] if role == Qt.ItemDataRole.DisplayRole else None
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.layoutAboutToBeChanged.emit()
        is_reversed = order == Qt.SortOrder.DescendingOrder
        self.rows.sort(key=lambda row: row[column], reverse=is_reversed)
        self.layoutChanged.emit()


def took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def sorting(count: int) -> None:
    """Print how long a click on a column's header takes in both ways."""
    model = Rows(count)
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(model)
    by_proxy = took(lambda: proxy.sort(1))
    proxy.setSourceModel(Rows(0))
    by_model = took(lambda: model.sort(1))
    print(
        f"{count} rows sorted: by a proxy {by_proxy:.2f} s, in the model {by_model * 1000:.0f} ms"
    )


async def archiving(until: float) -> None:
    """Do with block after block what the engine does, and let others go on in between."""
    while time.monotonic() < until:
        for name in ("md5", "sha1", "sha256"):
            hashlib.new(name, _BLOCK)
        isal_zlib.compress(_BLOCK, 1)
        await asyncio.sleep(0)


async def lateness(seconds: float) -> float:
    """Return by how much a timer of the window is late, in 99 of 100 cases no more, in ms."""
    late: list[float] = []
    last = time.perf_counter()

    def tick() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append((now - last - _TICK_S) * 1000)
        last = now

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(int(_TICK_S * 1000))
    timer.timeout.connect(tick)
    timer.start()
    await asyncio.sleep(seconds)
    timer.stop()
    return sorted(late)[int(len(late) * 0.99)]


async def waiting(seconds: float) -> None:
    """Print how late the window is beside an engine in its own loop, and beside one elsewhere."""
    idle = await lateness(seconds)
    busy = asyncio.ensure_future(archiving(time.monotonic() + seconds))
    together = await lateness(seconds)
    await busy
    until = time.monotonic() + seconds
    thread = threading.Thread(target=lambda: asyncio.run(archiving(until)))
    thread.start()
    apart = await lateness(seconds)
    thread.join()
    print(
        f"the window is late (p99) by {idle:.0f} ms alone, {together:.0f} ms with the engine in its"
        f" loop, {apart:.0f} ms with the engine on a thread of its own"
    )


def main() -> None:
    """Run both and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    given = parser.parse_args()
    app = QApplication([])
    sorting(given.rows)
    with QEventLoop(app) as loop:
        loop.run_until_complete(waiting(given.seconds))


if __name__ == "__main__":
    main()
