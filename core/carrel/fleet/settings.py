# SPDX-License-Identifier: AGPL-3.0-or-later
"""The settings that the machines of a fleet share, in a file of their own: `fleet.toml`.

Many archives share them, so they belong to none. What stands in [kafka] goes to librdkafka as it
is (its CONFIGURATION.md has the names); secrets are refused there.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from carrel.errors import SettingsError
from carrel.translation import tr
from carrel.validation import BaseModel, ConfigDict, Field, ValidationError, field_validator

_ENVIRONMENT = r"[a-z0-9]+(?:-[a-z0-9]+)*"
# A topic's name (Kafka: Topic.LEGAL_CHARS, at most 249); with both "." and "_" metrics collide.
_TOPIC = r"[a-zA-Z0-9.-]{1,249}"
_SECRET = re.compile(r"password|secret|key\.pem|keystore|credentials|token", re.IGNORECASE)
_LARGEST_FILE = 1024 * 1024


class Topics(BaseModel):
    """The names of the topics; "{env}" stands for the environment (dev, qa, prod)."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    requests: str = "sandcrawler-{env}.ingest-fileset-requests"
    priority: str = "sandcrawler-{env}.ingest-fileset-requests-priority"
    results: str = "sandcrawler-{env}.ingest-fileset-results"
    file_results: str = "sandcrawler-{env}.ingest-file-results"
    rejects: str = "sandcrawler-{env}.ingest-fileset-rejects"


class Groups(BaseModel):
    """The names of the consumer groups."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    worker: str = "sandcrawler-{env}-ingest-fileset"
    persist: str = "sandcrawler-{env}-persist-ingest-fileset"
    fatcat: str = "fatcat-{env}-ingest-fileset-result"
    rejects: str = "sandcrawler-{env}-ingest-fileset-rejects"


Names = TypeVar("Names", Topics, Groups)


class FleetSettings(BaseModel):
    """What all machines of a fleet have in common.

    `kafka` goes to librdkafka unchanged, beside what Carrel sets; `brokers` are host:port, with
    commas.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    env: str = Field(default="dev", pattern=f"^{_ENVIRONMENT}$")
    brokers: str = "localhost:9092"
    topics: Topics = Topics()
    groups: Groups = Groups()
    kafka: Mapping[str, str | int | float | bool] = Field(default_factory=dict)

    @field_validator("kafka", mode="before")
    @classmethod
    def _dotted(cls, said: object) -> object:
        """Take `security.protocol = "SSL"`, which TOML reads as a table within a table."""
        return dict(_flat(said)) if isinstance(said, dict) else said

    def named(self) -> "FleetSettings":
        """Return the settings with the environment in the names of topics and groups.

        Raises SettingsError for a name that Kafka does not take.
        """
        return self.model_copy(
            update={
                "topics": _named(self.topics, self.env),
                "groups": _named(self.groups, self.env),
            }
        )


def load_fleet(
    path: Path | None, *, brokers: str | None = None, env: str | None = None
) -> FleetSettings:
    """Return the settings in a file, the defaults without one, named.

    `brokers` and `env` overrule what it says. Raises SettingsError with the file and the key.
    """
    overruled = {
        key: value for key, value in (("brokers", brokers), ("env", env)) if value is not None
    }
    return _checked(path or Path("fleet.toml"), {**(_read(path) if path else {}), **overruled})


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE)
        return tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(tr("{path} cannot be read: {what}.", path=path, what=reason)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(
            tr("{path} is not valid TOML: {error}.", path=path, error=error)
        ) from error


def _checked(path: Path, said_there: dict[str, Any]) -> FleetSettings:
    try:
        said = FleetSettings.model_validate(said_there)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            tr("{path}: {key}: {reason}.", path=path, key=key, reason=first["msg"])
        ) from error
    for name in filter(_SECRET.search, said.kafka):
        raise SettingsError(
            tr(
                "{path}: “{name}” under [kafka] is a secret. Store it in the keyring instead, or "
                "in a file of the service manager.",
                path=path,
                name=name,
            )
        )
    return said.named()


def _flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _named(names: Names, env: str) -> Names:
    filled = {key: value.replace("{env}", env) for key, value in names.model_dump().items()}
    for key, name in filled.items():
        if not re.fullmatch(_TOPIC, name):
            raise SettingsError(
                tr("“{name}” ({key}) cannot be the name of a topic or group.", name=name, key=key)
            )
    return names.model_copy(update=filled)
