# SPDX-License-Identifier: AGPL-3.0-or-later
"""The exchanges of a preview, written to a folder and answered from there again."""
