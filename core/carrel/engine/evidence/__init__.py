# SPDX-License-Identifier: AGPL-3.0-or-later
"""Evidence: who attests what is handed on, and what was attested, checked without a network."""
