# SPDX-License-Identifier: AGPL-3.0-or-later
"""Licences are shown in the form by which people know them."""

import pytest

from carrel.model.licenses import short_license


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("cc-by-4.0", "CC BY 4.0"),
        ("CC-BY-NC-SA-3.0", "CC BY-NC-SA 3.0"),
        ("cc0-1.0", "CC0 1.0"),
        ("Creative Commons Zero v1.0 Universal", "CC0 1.0"),
        ("Creative Commons Attribution 4.0 International", "CC BY 4.0"),
        ("Creative Commons Attribution-NonCommercial 4.0 International", "CC BY-NC 4.0"),
        ("Creative Commons Attribution Share Alike 4.0 International", "CC BY-SA 4.0"),
        ("https://creativecommons.org/licenses/by-nd/4.0/", "CC BY-ND 4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("OGL-Canada-2.0", "OGL-Canada-2.0"),
        ("CC BY", "CC BY"),
        ("Ask the depositor", "Ask the depositor"),
    ],
)
def test_a_licence_is_recognised_in_any_spelling(given: str, shown: str) -> None:
    assert short_license(given) == shown
