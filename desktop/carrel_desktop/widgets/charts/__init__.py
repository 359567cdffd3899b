# SPDX-License-Identifier: AGPL-3.0-or-later
"""Pictures of figures: bars, columns over time, parts of a whole. Each is a table as well."""
