# SPDX-License-Identifier: AGPL-3.0-or-later
"""The certificate of a holding, for people: what was declared, what arrived, what is proven.

`reading` takes the facts from the ledger, at one moment; `wording` says them in sentences; `html`
and `pdf` write these, `data` the facts themselves as JSON, whose digest stands in the other two.
"""
