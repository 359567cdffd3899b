# SPDX-License-Identifier: AGPL-3.0-or-later
"""Loading modules as Python does, where Qt for Python has put its own way in its place.

To know whether a module wants `from __feature__ import snake_case`, which none of Carrel's does, it
reads the source of each one that is loaded after it, and holds the text for ever: a ninth of the
window's memory. The usual way is kept beside it, for whoever wants it back (`feature.py` in
shibokensupport).
"""

import builtins
import linecache


def load_plainly() -> None:
    """Have modules loaded as Python does from now on; of use once Qt is loaded."""
    linecache.clearcache()  # what was read by now
    usual = getattr(builtins, "__orig_import__", None)
    if usual is not None:
        builtins.__import__ = usual
