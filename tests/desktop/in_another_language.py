# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every page in the language that CARREL_LANGUAGE names: what is left in English, what is cut.

`test_other_languages.py` runs this as a program, since a process has one language:
`python tests/desktop/in_another_language.py [WORD...]` prints a JSON object a page.
"""

import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from carrel_desktop.main_window import MainWindow

_BRACKETS = re.compile(r"⟦[^⟦⟧]*⟧")
_ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")


def left_in_english(text: str) -> bool:
    """Say whether words of a text are in no text of the long language."""
    while (inner := _BRACKETS.sub("·", text)) != text:
        text = inner
    return bool(_ENGLISH.search(text))


def own_texts(window: "MainWindow") -> Iterator[str]:
    """Yield the texts of buttons, menus, fields and headings: they are never data."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QAbstractButton, QHeaderView, QLineEdit, QTabBar

    for action in window.findChildren(QAction):
        yield action.text()
        yield action.toolTip()
    for button in window.findChildren(QAbstractButton):
        yield button.text()
        yield button.accessibleName()
        yield button.accessibleDescription()
    for field in window.findChildren(QLineEdit):
        yield field.placeholderText()
        yield field.accessibleName()
    for bar in window.findChildren(QTabBar):
        yield from map(bar.tabText, range(bar.count()))
    for header in window.findChildren(QHeaderView):
        model = header.model()
        if model is not None and header.orientation() is Qt.Orientation.Horizontal:
            for column in range(model.columnCount()):
                yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")


async def look_at_all(app: "QApplication", words: list[str]) -> None:
    """Print what is wrong with every page that a word names."""
    from PySide6.QtWidgets import QLabel

    from carrel_desktop.theme import Mode, Theme
    from desktop.test_screenshots import cut_buttons, cut_labels, outside
    from support.poses import LARGE, POSES, take

    theme = Theme(app)
    theme.set_mode(Mode.LIGHT)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(os.environ.get("PICTURES", folder))
        for pose in POSES:
            if words and not any(word in pose for word in words):
                continue
            window = await take(theme, pose, LARGE, out / f"{pose}.png")
            found = {
                "pose": pose,
                "english": sorted({each for each in own_texts(window) if left_in_english(each)}),
                "labels": sorted(
                    {
                        label.text()
                        for label in window.findChildren(QLabel)
                        if left_in_english(label.text())
                    }
                ),
                "translated": sum("⟧" in each for each in own_texts(window)),
                "cut": cut_buttons(window) + cut_labels(window),
                "outside": outside(window),
                "direction": window.layoutDirection().name,
            }
            print(json.dumps(found), flush=True)
            window.deleteLater()


def main() -> None:
    """Look at the pages on a screen that nobody sees."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import qasync
    from PySide6.QtCore import QLocale

    from carrel_desktop.app import make_app

    app = make_app()
    QLocale.setDefault(QLocale("en_GB"))
    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(look_at_all(app, sys.argv[1:]))


if __name__ == "__main__":
    main()
