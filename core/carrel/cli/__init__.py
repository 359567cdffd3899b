# SPDX-License-Identifier: AGPL-3.0-or-later
"""The command line: arguments in, text or JSON out. It decides nothing."""
