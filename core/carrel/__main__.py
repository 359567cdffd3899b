# SPDX-License-Identifier: AGPL-3.0-or-later
"""`python -m carrel`: the command line, where the script is not on the path."""

from carrel.entry import main

main()
