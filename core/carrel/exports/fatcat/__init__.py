# SPDX-License-Identifier: AGPL-3.0-or-later
"""Datasets as entities of fatcat: pure, from a result to a fileset or file, or why it is none."""
