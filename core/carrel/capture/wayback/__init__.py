# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Wayback Machine: its index, its raw captures, and Save Page Now.

Nothing here judges whether a capture is the file that was published; the strategies do.
"""
