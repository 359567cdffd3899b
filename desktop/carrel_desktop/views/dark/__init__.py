# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page."""
