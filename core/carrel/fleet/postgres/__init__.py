# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results in Postgres: sandcrawler's tables, the proposal's, and every attempt beside them.

`sql` has the numbered files that make the tables, `migrations` applies them, `adoption` compares a
database that is there already, `rows` reads a result, `cleaning` makes texts that Postgres takes,
`precedence` says which of several attempts a row shows, `store` writes, `faults` says whose fault
an error is.
"""
