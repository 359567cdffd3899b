# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether windows can be shown here. Qt would end the program where they cannot. No Qt here."""

import ctypes
import importlib.util
import os
import re
import sys
from pathlib import Path

# On Debian; packaging/system-libraries sees to the same ones.
PACKAGES = (
    "libglib2.0-0 libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 "
    "libgssapi-krb5-2 libxkbcommon-x11-0 "
    "libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-shape0 "
    "libwayland-cursor0 libwayland-egl1"
)


def hindrance() -> str:
    """Return in words why Qt can show no windows under X, "" if it can, or is to do something else.

    Raises OSError, with what is lacking, where a library of the system is not installed.
    """
    if not _is_under_x():
        return ""
    found = importlib.util.find_spec("PySide6")
    for folder in (found and found.submodule_search_locations) or ():
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.exists():
            ctypes.CDLL(str(plugin))
    return "" if _lets_in() else f"the display {os.environ.get('DISPLAY', '')} refuses connections"


def _is_under_x() -> bool:
    named = re.split("[:;]", os.environ.get("QT_QPA_PLATFORM") or "xcb")[0]
    return sys.platform == "linux" and named == "xcb" and not os.environ.get("WAYLAND_DISPLAY")


def _lets_in() -> bool:
    """Say whether the display that the environment names takes a connection."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    for function in (xcb.xcb_connection_has_error, xcb.xcb_disconnect):
        function.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)  # never null (xcb.h)
    has_error = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not has_error
