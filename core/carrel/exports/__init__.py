# SPDX-License-Identifier: AGPL-3.0-or-later
"""From an archive to files for others: read from the ledger and the WARCs, nothing is fetched.

`holding` is what is exported, `payload` its files as they are copied and proven, `folder` the
folder that is there when it is whole. `plain`, `bags` and `crate` say what else is in it by its
form; `wacz` packs the WARC records. `options` says what can be asked of an export, `exporting` is
the way in.
"""
