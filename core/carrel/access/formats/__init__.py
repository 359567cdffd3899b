# SPDX-License-Identifier: AGPL-3.0-or-later
"""Format identification of archived files by PRONOM, in a process that a hostile file may end.

`identifying` reads what is needed of each file, `ends` keeps it, `apart` is the way to the process,
and `__main__` is that process.
"""
