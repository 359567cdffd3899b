# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of every copy of a URL, here and in the world's archives."""
