# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a holding and a file of its manifest to the file's proven bytes: access copies (OAIS).

What is handed over was read from its record, compared with every digest that is known of it, and
written whole or not at all. `holding_files` finds the record, `proof` reads it, `bundles` reads
members, `copies` is the private folder of a session, `saving` writes where a person wants it.
`renditions` looks into a copy, in a process of its own.
"""
