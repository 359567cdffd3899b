# SPDX-License-Identifier: AGPL-3.0-or-later
"""Brokers for the tests of the fleet: what holds of one has to hold of the other."""

from collections.abc import Iterator

import pytest

from carrel.demo import DemoRepository
from carrel.fleet.settings import FleetSettings
from support.kafka_brokers import MockBroker, mock_broker, settings_for
from support.real_kafka import RealBroker, real_broker


@pytest.fixture
def broker() -> Iterator[MockBroker]:
    with mock_broker() as running:
        yield running


@pytest.fixture(scope="module")
def kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBroker]:
    """A real broker for the tests of a module."""
    with real_broker(tmp_path_factory.mktemp("kafka")) as running:
        yield running


@pytest.fixture
def fleet(broker: MockBroker) -> FleetSettings:
    """The settings of a fleet whose topics are there, on a mock cluster."""
    settings = settings_for(broker.addresses)
    broker.make_topics(settings)
    return settings


@pytest.fixture
def repository() -> Iterator[DemoRepository]:
    with DemoRepository() as running:
        yield running
