# SPDX-License-Identifier: AGPL-3.0-or-later
"""Brokers for the tests of the fleet."""

from collections.abc import Iterator

import pytest

from carrel.fleet.settings import FleetSettings
from support.kafka_brokers import MockBroker, mock_broker, settings_for


@pytest.fixture
def broker() -> Iterator[MockBroker]:
    with mock_broker() as running:
        yield running


@pytest.fixture
def fleet(broker: MockBroker) -> FleetSettings:
    """The settings of a fleet whose topics are there, on a mock cluster."""
    settings = settings_for(broker.addresses)
    broker.make_topics(settings)
    return settings
