# SPDX-License-Identifier: AGPL-3.0-or-later
"""The first page: how much is held, how well, what runs, and what needs the archivist."""
