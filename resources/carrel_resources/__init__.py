# SPDX-License-Identifier: AGPL-3.0-or-later
"""Icons and themes, read by `importlib.resources`."""
