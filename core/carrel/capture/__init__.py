# SPDX-License-Identifier: AGPL-3.0-or-later
"""Byte work: the HTTP client, digests, WARC records, reading them back. Knows no platform."""

import sys

# httpx loads a command line of its own where it can, and formatters with it: a tenth of a second
# at each start of ours, for nothing. What stands as None here cannot be imported.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # as the manual has it
