# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where to look for mementos: the collections file, read strictly, edited with its comments."""
