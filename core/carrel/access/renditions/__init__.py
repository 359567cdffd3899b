# SPDX-License-Identifier: AGPL-3.0-or-later
"""What there is to see of a file, whatever is in it, read by a process that may die of it.

`apart` starts that process, waits for so long, and believes nothing of its answer before it is
checked. `__main__` is the process: it gives up all that it does not need (`confinement`), finds out
what the file is (`kinds`), and reads it, a module for each kind. Nothing is executed, nothing
fetched, nothing written.
"""
