# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page where one pastes, looks, and starts to archive."""
