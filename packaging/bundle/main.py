# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the frozen program begins: `carrel`, or `carrel-desktop` if it is called by that name."""

import sys
from pathlib import PurePath

from carrel.entry import main, main_of_window

if PurePath(sys.argv[0]).stem == "carrel-desktop":
    main_of_window()
else:
    main()
