# SPDX-License-Identifier: AGPL-3.0-or-later
"""Pictures of every page in every state, for eyes: `python tests/desktop/screenshots.py [WORD...]`.

They are written to test-output/screenshots/; words choose among their names. With
QT_SCALE_FACTOR=2 they are made at twice the size.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "test-output" / "screenshots"


async def take_all(app: "QApplication", words: list[str]) -> None:
    """Write every picture that a word names, light and dark, in two sizes."""
    from carrel_desktop.theme import Mode, Theme
    from support.poses import LARGE, POSES, SMALL, take

    theme = Theme(app)
    scale = os.environ.get("QT_SCALE_FACTOR", "1")
    for mode in (Mode.LIGHT, Mode.DARK):
        theme.set_mode(mode)
        for pose in POSES:
            for size in (SMALL, LARGE):
                name = f"{pose}-{mode}-{size[0]}x{size[1]}@{scale}.png"
                if not words or any(word in name for word in words):
                    await take(theme, pose, size, OUTPUT / name)
                    print(name)


def main() -> None:
    """Take the pictures on a screen that nobody sees."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path.insert(0, str(ROOT / "tests"))
    from PySide6.QtCore import QLocale

    from carrel_desktop.app import make_app

    app = make_app()
    QLocale.setDefault(QLocale("en_GB"))
    import qasync

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(take_all(app, sys.argv[1:]))


if __name__ == "__main__":
    main()
