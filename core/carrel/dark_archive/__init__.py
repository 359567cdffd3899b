# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive in time of what RePEc, or a list, names: what came, changed, went and came back."""
