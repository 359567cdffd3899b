# SPDX-License-Identifier: AGPL-3.0-or-later
"""Byte work: the HTTP client, digests, WARC records, reading them back. Knows no platform."""
