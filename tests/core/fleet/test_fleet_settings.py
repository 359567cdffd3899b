# SPDX-License-Identifier: AGPL-3.0-or-later
"""The settings that the machines of a fleet share."""

from pathlib import Path

import pytest

from carrel.errors import SettingsError
from carrel.fleet.settings import load_fleet


def test_without_a_file_the_topics_are_those_of_the_ingest_proposal() -> None:
    settings = load_fleet(None)

    assert settings.topics.results == "sandcrawler-dev.ingest-fileset-results"
    assert settings.groups.persist == "sandcrawler-dev-persist-ingest-fileset"


def test_a_file_names_brokers_topics_and_what_goes_to_librdkafka(tmp_path: Path) -> None:
    path = tmp_path / "fleet.toml"
    path.write_text(
        'env = "qa"\nbrokers = "k1:9092,k2:9092"\n[topics]\nresults = "ours-{env}.results"\n'
        '[kafka]\nsecurity.protocol = "SSL"\n"linger.ms" = 5\n'
    )

    settings = load_fleet(path)

    assert settings.topics.results == "ours-qa.results"
    assert settings.topics.requests == "sandcrawler-qa.ingest-fileset-requests"
    assert settings.kafka == {"security.protocol": "SSL", "linger.ms": 5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('env = "Prod!"', "env"),
        ("broker = 1", "broker"),
        ('[topics]\nresults = "a b"', "a b"),
        ('[kafka]\nsasl.password = "x"', "secret"),
        ("env = ", "TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_key(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "fleet.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=said):
        load_fleet(path)
