# SPDX-License-Identifier: AGPL-3.0-or-later
"""The fixity report of an archive over a period, in the words in which auditors ask.

CoreTrustSeal Requirements 2023-2025, R07 (provenance and authenticity) and R14 (storage and
integrity); ISO 16363:2012, 4.4.1.2 (active monitoring of integrity) and 4.4.2 (contemporaneous
records of actions). `wording` says it as a document, `tables` has all of it as CSV.
"""
