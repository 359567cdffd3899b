# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC, ARC and WACZ files as others wrote them: reading their records, and indexing them.

`reading.records` goes through a file and `opening.open_record` opens one record from its bytes,
wherever they come from; `indexing.index_files` writes CDXJ; `post.url_with_body` is how a request
that has a body is found again; `wacz.Wacz` is a WACZ. Everything in such a file is hostile until
checked: what is wrong with it ends as a `Problem` with an offset, never as a traceback, and never
takes more memory than a few pieces.
"""
