# SPDX-License-Identifier: AGPL-3.0-or-later
"""WACZ 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/): WARC records to replay, with their index.

`records` chooses and copies them, `members` makes records of the files of a bundle, `shares` says
what goes into which of several files, `package` writes one around the records by `zip_file`,
`pages` says what a reader opens, `signing` signs, `packing` puts it all in its place.
"""
