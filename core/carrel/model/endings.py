# SPDX-License-Identifier: AGPL-3.0-or-later
"""What files with records of web archives are called, in lower case."""

WARC_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
# A WACZ has WARCs in it, and their index.
RECORD_ENDINGS = (*WARC_ENDINGS, ".wacz")
