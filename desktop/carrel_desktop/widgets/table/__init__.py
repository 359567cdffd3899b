# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tables of any rows: a page declares its columns, all else is here."""
