# SPDX-License-Identifier: AGPL-3.0-or-later
"""Make one folder of libraries for several versions of Python out of one for each.

    python packaging/debian/environment.py FOLDER 3.11 3.12 3.13

In FOLDER stands lib/pythonX.Y/site-packages for each version. A package that is the same for all of
them (one wheel, pure or of the stable ABI) goes to lib/common, where each version finds it by a
file common.pth (https://docs.python.org/3/library/site.html). What nobody runs is left out.
"""

import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import PathDistribution
from pathlib import Path

# Scripts of the libraries, and the tools of Qt's developers; QML draws nothing here.
_LEFT_OUT = (
    "bin",
    "PySide6/*.pyi",
    "PySide6/assistant",
    "PySide6/designer",
    "PySide6/doc",
    "PySide6/glue",
    "PySide6/include",
    "PySide6/linguist",
    "PySide6/lrelease",
    "PySide6/lupdate",
    "PySide6/qmlformat",
    "PySide6/qmllint",
    "PySide6/qmlls",
    "PySide6/scripts",
    "PySide6/support",
    "PySide6/svgtoqml",
    "PySide6/typesystems",
    "PySide6/QtDesigner*.so",
    "PySide6/QtHelp*.so",
    "PySide6/QtQml*.so",
    "PySide6/QtQuick*.so",
    "PySide6/QtUiTools*.so",
    "PySide6/QtTest*.so",
    "PySide6/Qt/libexec",
    "PySide6/Qt/metatypes",
    "PySide6/Qt/qml",
    "PySide6/Qt/translations/[adl]*",
    "PySide6/Qt/plugins/designer",
    "PySide6/Qt/plugins/qmllint",
    "PySide6/Qt/plugins/qmlls",
    "PySide6/Qt/plugins/qmltooling",
    "PySide6/Qt/plugins/sqldrivers",
    "PySide6/Qt/plugins/vectorimageformats",
    "PySide6/Qt/lib/libQt6Designer*",
    "PySide6/Qt/lib/libQt6Help*",
    "PySide6/Qt/lib/libQt6Labs*",
    "PySide6/Qt/lib/libQt6Lottie*",
    "PySide6/Qt/lib/libQt6Qml*",
    "PySide6/Qt/lib/libQt6Quick*",
    "PySide6/Qt/lib/libQt6UiTools*",
    "PySide6/Qt/lib/libQt6Test*",
    "PySide6/Qt/lib/libQt6WaylandCompositor*",
    "PySide6/Qt/lib/libQt6WaylandEglCompositor*",
    "PySide6/Qt/plugins/wayland-graphics-integration-server",
    "PySide6/libpyside6qml.*",
    "*.dist-info/RECORD",  # names files that are not here
    # Where, and when, the wheel lay that it was installed from.
    "*.dist-info/direct_url.json",
    "*.dist-info/uv_cache.json",
)


def share(folder: Path, versions: Sequence[str]) -> None:
    """Move what is the same for all versions to lib/common, and leave out what nobody runs."""
    places = [folder / "lib" / f"python{each}" / "site-packages" for each in versions]
    common = folder / "lib" / "common"
    common.mkdir()
    first, *others = places
    for info in sorted(first.glob("*.dist-info")):
        if all(_is_same(info, other / info.name) for other in others):
            for name in _top_level(info):
                shutil.move(first / name, common / name)
                for other in others:
                    _remove(other / name)
    for place in (common, *places):
        for pattern in _LEFT_OUT:
            for path in list(place.glob(pattern)):
                _remove(path)
    for place in places:
        (place / "common.pth").write_text("../../common\n", encoding="ascii")


def _is_same(info: Path, other: Path) -> bool:
    """Say whether two installed packages came from one wheel: they have the same files."""
    records = [each / "RECORD" for each in (info, other)]
    return all(each.exists() for each in records) and len({_files(each) for each in records}) == 1


def _files(record: Path) -> frozenset[str]:
    lines = record.read_text(encoding="utf-8").splitlines()
    # Scripts name the interpreter that they were installed for.
    return frozenset(line for line in lines if not line.startswith(("bin/", "../")))


def _top_level(info: Path) -> Sequence[str]:
    """Return the names, in site-packages, of all that belongs to a package."""
    files = PathDistribution(info).files or ()
    names = {path.parts[0] for path in files} - {"..", "bin"}
    return sorted(name for name in names if (info.parent / name).exists())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    share(Path(sys.argv[1]), sys.argv[2:])
