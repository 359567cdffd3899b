# SPDX-License-Identifier: AGPL-3.0-or-later
"""What runs here, for reports of problems: `carrel --version --verbose`.

English, for whoever reads the report. Of the environment only names, of folders the home as "~".
"""

import locale
import os
import platform
import re
import sqlite3
import ssl
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import platformdirs

from carrel import __version__, translation
from carrel.cli.options import default_archive
from carrel.settings.cache_folder import cache_folder
from carrel.settings.person import own_folder

_TELLING = re.compile(
    r"CARREL_|IA_|.*_proxy$|XDG_|QT_|SSL_CERT_|LANG|LC_|DISPLAY$|WAYLAND_DISPLAY$|PYTHON",
    re.IGNORECASE,
)
_WIDTH = 14


def about() -> Iterator[str]:
    """Yield the lines of the report, none of them with a secret or a name of the person's."""
    yield f"Carrel {__version__}"
    for name, text in (*_system(), *_folders()):
        yield f"{name + ':':{_WIDTH}}{_without_home(text)}"
    for name, version in sorted(_libraries().items()):
        yield f"  {name} {version}"


def _system() -> Iterator[tuple[str, str]]:
    yield "Installed", how_installed()
    yield "Python", f"{platform.python_version()}, {sys.executable}"
    libc = " ".join(platform.libc_ver()).strip()
    yield "System", ", ".join(filter(None, [_name_of_system(), platform.machine(), libc]))
    yield "Language", f"{translation.language() or 'en'}, {locale.getpreferredencoding(False)}"
    yield "SQLite", sqlite3.sqlite_version
    yield "TLS", ssl.OPENSSL_VERSION
    yield "Qt", _version_of("PySide6_Essentials") or "not installed"
    yield "Environment", ", ".join(sorted(filter(_TELLING.match, os.environ))) or "nothing of note"


def _folders() -> Iterator[tuple[str, str]]:
    yield "Settings", str(own_folder())
    yield "Cache", _cache()
    yield "Log", platformdirs.user_log_dir("carrel")
    yield "Archive", str(default_archive())


def _cache() -> str:
    try:
        return str(cache_folder())
    except OSError as error:
        return f"cannot be made: {error}"


def how_installed() -> str:
    """Return how this Carrel came here: package, frozen bundle, wheel or clone; and where it is."""
    place = Path(__file__).parents[1]
    if getattr(sys, "frozen", False):
        return f"frozen bundle, {Path(sys.executable).parent}"
    if str(place).startswith("/opt/carrel/"):
        return "Debian package, /opt/carrel"
    installed = _installed("carrel")
    if installed is None or not (Path(str(installed.locate_file("carrel"))) / "entry.py").exists():
        return f"from its sources, {place.parent}"
    by = (installed.read_text("INSTALLER") or "an unknown program").strip()
    return f"wheel, by {by}, {place.parent}"


def _name_of_system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
        return f"{name}, {platform.system()} {platform.release()}"
    except (OSError, KeyError):
        return platform.platform()


def _libraries() -> dict[str, str]:
    """Return the versions of what Carrel asks for, "not installed" for parts that are not here."""
    installed = _installed("carrel")
    needed = (installed.requires if installed else None) or ()
    names = {re.split(r"[^A-Za-z0-9._-]", each, maxsplit=1)[0] for each in needed}
    return {name: _version_of(name) or "not installed" for name in names}


def _version_of(name: str) -> str:
    installed = _installed(name)
    return installed.version if installed else ""


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _without_home(text: str) -> str:
    home = str(Path.home())
    return text if home == "/" else text.replace(home, "~")
