# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sources of mementos, one module a kind, all read alike."""
