# SPDX-License-Identifier: AGPL-3.0-or-later
"""The command line: arguments in, text or JSON out. It decides nothing."""

from carrel.cli.main import main

__all__ = ["main"]
