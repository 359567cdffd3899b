# SPDX-License-Identifier: AGPL-3.0-or-later
"""Draw the pictures of the README from the window itself, on a screen that is not shown."""

import asyncio
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = {
    "window-light.png": ("overview-full", "light"),
    "window-dark.png": ("holdings-full", "dark"),
}


def main() -> None:
    """Write each picture into docs/images."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("FONTCONFIG_FILE", str(ROOT / "tests" / "support" / "fonts.conf"))
    sys.path.insert(0, str(ROOT / "tests"))
    from PySide6.QtCore import QLocale

    from carrel_desktop.app import make_app

    app = make_app()
    QLocale.setDefault(QLocale("en_GB"))
    import qasync

    from carrel_desktop.theme import Mode, Theme
    from support.poses import LARGE, take

    async def draw() -> None:
        theme = Theme(app)
        for name, (pose, mode) in PICTURES.items():
            theme.set_mode(Mode(mode))
            await take(theme, pose, LARGE, ROOT / "docs" / "images" / name)

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(draw())


if __name__ == "__main__":
    main()
