# SPDX-License-Identifier: AGPL-3.0-or-later
"""Small widgets that more than one page uses."""
