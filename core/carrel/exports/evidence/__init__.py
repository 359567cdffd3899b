# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures and time stamps over what is handed on, and their checks without a network.

`keys` has who signs, `cms` the signature itself, `timestamps` what an authority says of when,
`attesting` both over one manifest or document, under the names that bag-nabit gives them. `trust`
leads a certificate to a root, and `checking` verifies what lies in a folder. Libraries for all
this are an extra; they are imported where they are needed.
"""
