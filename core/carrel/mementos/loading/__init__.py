# SPDX-License-Identifier: AGPL-3.0-or-later
"""Loading: from the row of an index to the record it stands for, and from there to its bytes."""
