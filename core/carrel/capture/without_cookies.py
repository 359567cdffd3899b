# SPDX-License-Identifier: AGPL-3.0-or-later
"""Cookies for clients that have none."""

import httpx


class NoCookies(httpx.Cookies):
    """Takes none, and does not look for any: that is a tenth of the work for a small file."""

    def extract_cookies(self, response: httpx.Response) -> None: ...
