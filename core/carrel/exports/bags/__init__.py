# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags: `bag` writes one, `profile` says what a recipient requires of it, `known_profiles` has
those that Carrel knows by name, `profile_file` reads any other, `fetching` says which files a bag
may name instead of having them, `tar` makes one file of it.
"""
