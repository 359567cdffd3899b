# SPDX-License-Identifier: AGPL-3.0-or-later
"""More than one machine: requests and results over Kafka, results into Postgres, fatcat.

The same engine, the same archive folder, the same result schema as on one machine. What is
needed beside them is `carrel[fleet]`; nothing outside this room imports it.
"""
