# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the frozen program begins: `carrel`, or `carrel-desktop` if it is called by that name.

Files from outside are read by processes of their own, which are begun as `python -P -B -m MODULE`:
the frozen program does this as Python does, for modules of Carrel's alone.
"""

import os
import sys

from carrel.entry import main, main_of_window

match [each for each in sys.argv[1:] if each not in ("-P", "-B")]:
    case ["-m", module] if module.startswith("carrel."):
        import runpy  # it takes longer to load than what the program itself needs of Python

        runpy.run_module(module, run_name="__main__", alter_sys=True)
    case _ if os.path.basename(sys.argv[0]).startswith("carrel-desktop"):
        main_of_window()
    case _:
        main()
