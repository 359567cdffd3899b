# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a person would write with warcio: fetch these addresses into a compressed WARC."""

import sys

from warcio.capture_http import capture_http

import requests  # isort: skip  # warcio wants to be first

with capture_http("out.warc.gz"):
    session = requests.Session()
    for url in sys.argv[1:]:
        with session.get(url, stream=True, timeout=600) as response:
            for _ in response.iter_content(1024 * 1024):
                pass
