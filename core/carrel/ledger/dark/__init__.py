# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive's part of the ledger: what its journal says, in tables that answer questions."""
