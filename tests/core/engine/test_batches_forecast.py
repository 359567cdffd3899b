# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a batch will ask of whom, before it is begun."""

import pytest

from carrel.engine.batches.forecast import forecast


@pytest.mark.parametrize(
    ("host", "calls", "has_token", "words"),
    [
        (
            "api.osf.io",
            1240,
            False,
            "1,240 requests to api.osf.io; 100 an hour without a token: 12.4",
        ),
        ("api.osf.io", 1240, False, "with a token 3.0 hours"),
        ("osf.io", 1240, True, "416 an hour with your token: 3.0 hours at least (OSF API guide"),
        ("zenodo.org", 3000, False, "2,000 an hour without a token: 1.5 hours at least"),
    ],
)
def test_what_exceeds_a_known_limit_is_told_with_the_time_it_takes(
    host: str, calls: int, has_token: bool, words: str
) -> None:
    (found,) = forecast([(host, calls)], lambda _: has_token)

    assert words in str(found)


@pytest.mark.parametrize(
    ("host", "calls", "words"),
    [
        ("zenodo.org", 2000, "2,000 requests to zenodo.org"),
        ("notzenodo.org", 9000, "9,000 requests to notzenodo.org"),
        ("data.example", 1, "1 request to data.example"),
    ],
)
def test_what_no_limit_concerns_is_only_counted(host: str, calls: int, words: str) -> None:
    assert str(forecast([(host, calls)])[0]) == words


def test_what_takes_longest_comes_first() -> None:
    found = forecast([("a.example", 9999), ("zenodo.org", 4000), ("osf.io", 4000)])

    assert [each.host for each in found] == ["osf.io", "zenodo.org", "a.example"]
