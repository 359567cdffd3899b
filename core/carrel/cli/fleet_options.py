# SPDX-License-Identifier: AGPL-3.0-or-later
"""Options that the commands of a fleet share: where its settings are, and what overrules them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.fleet.settings import FleetSettings

F = TypeVar("F", bound=Callable[..., Any])
metrics_option = click.option(
    "--metrics", metavar="HOST:PORT", help=tr("Serve /metrics and /healthz there.")
)
json_log_option = click.option(
    "--json-log", is_flag=True, help=tr("Write the log as one JSON object per line.")
)


@dataclass(frozen=True, slots=True)
class FleetCall:
    """What a call says of the fleet: its file, and what overrules that."""

    path: Path | None
    brokers: str | None
    env: str | None

    def settings(self) -> "FleetSettings":
        """Return the settings of the fleet. Raises SettingsError."""
        from carrel.fleet.settings import load_fleet

        return load_fleet(self.path, brokers=self.brokers, env=self.env)


def fleet_options(command: F) -> F:
    """Give a command the options of a fleet; it gets them as `fleet`."""

    @wraps(command)
    def called(
        *args: Any, config: Path | None, kafka: str | None, env: str | None, **more: Any
    ) -> Any:
        return command(*args, fleet=FleetCall(config, kafka, env), **more)

    options = (
        click.option("--env", help=tr("The environment in the names of topics: dev, qa, prod.")),
        click.option("--kafka", metavar="HOSTS", help=tr("Brokers of Kafka: k1:9092,k2:9092.")),
        click.option(
            "--config",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            envvar="CARREL_FLEET",
            show_envvar=True,
            help=tr("The settings of the fleet: fleet.toml."),
        ),
    )
    for option in options:
        called = option(called)
    return called  # type: ignore[return-value]  # the same command, with options
