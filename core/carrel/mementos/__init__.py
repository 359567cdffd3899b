# SPDX-License-Identifier: AGPL-3.0-or-later
"""Mementos: captures of an address, wherever they are, behind one index and one resource.

`config` says where to look, `sources` ask, `merging` and `lookup` bring together what they answer,
`loading` gets from a row to its record and from there to its bytes, `warc` reads and indexes WARC,
ARC and WACZ, and `server` gives all of it to programs and browsers of this machine. Beside them
stand what they share: questions (`query`), index files (`cdx_file`), and how the
archives of others are treated (`throttle`, `web`).
"""
