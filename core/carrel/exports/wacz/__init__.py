# SPDX-License-Identifier: AGPL-3.0-or-later
"""WACZ 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/): WARC records to replay, with their index.

`records` chooses and copies them, `members` makes records of the files of a bundle, `package`
writes the file around them by `zip_file`, `pages` says what a reader opens.
"""
