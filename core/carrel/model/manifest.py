# SPDX-License-Identifier: AGPL-3.0-or-later
"""The manifest: one entry per file of a dataset, with what was declared and what was observed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from carrel.model.status import Status
from carrel.model.user_information import bare_address, freed, shown

SEED_DIGESTS = ("md5", "sha1", "sha256")
UNNAMED: Mapping[str, Any] = {"is_unnamed": True}
"""What `extra` says of a file whose platform gives it no name."""


@dataclass(frozen=True, slots=True)
class Fixity:
    """A size in bytes and digests (algorithm name of hashlib → lower-case hex), each if known."""

    size: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        known = {} if self.size is None else {"size": self.size}
        return {**known, **self.digests}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Fixity":
        digests = {key: value for key, value in fields.items() if key != "size"}
        return cls(fields.get("size"), digests)


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One file of a dataset.

    `path` is the platform's own, byte for byte, with its folders. `declared` is what the platform
    says; `observed` is what arrived, None until something did. `platform_url` is the stable address
    to fetch it from; None if the platform gives none. `terminal_url` and `terminal_dt` (14 digits,
    UTC) say where and when the payload was captured. `message` tells why `status` is what it is.
    No address has a user name or password in it.
    """

    path: str
    platform_url: str | None = None
    declared: Fixity = Fixity()
    mimetype: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    status: Status | None = None
    observed: Fixity | None = None
    terminal_url: str | None = None
    terminal_dt: str | None = None
    message: str | None = None

    def __post_init__(self) -> None:
        for name in ("platform_url", "terminal_url"):
            if address := getattr(self, name):
                object.__setattr__(self, name, bare_address(address))
        if self.extra:
            object.__setattr__(self, "extra", freed(self.extra))
        if self.message:
            object.__setattr__(self, "message", shown(self.message))

    @property
    def size(self) -> int | None:
        """The declared size, else the size of what was verified, else None."""
        if self.declared.size is None and self.observed and self.is_kept:
            return self.observed.size
        return self.declared.size

    @property
    def is_named(self) -> bool:
        """Whether `path` is a name that the platform gives, and not merely how its address ends."""
        return not self.extra.get("is_unnamed")

    @property
    def is_kept(self) -> bool:
        return self.status is not None and self.status.is_success

    def digest(self, algorithm: str) -> str | None:
        """Return the declared digest, else that of what was verified, else None."""
        declared = self.declared.digests.get(algorithm)
        if declared is None and self.observed and self.is_kept:
            return self.observed.digests.get(algorithm)
        return declared

    def to_json(self) -> dict[str, Any]:
        """Return the seed's eleven fields, absent ones left out, and beside them what we add."""
        fields = {
            "path": self.path,
            "size": self.size,
            **{algorithm: self.digest(algorithm) for algorithm in SEED_DIGESTS},
            "mimetype": self.mimetype,
            "extra": dict(self.extra) or None,
            "status": self.status,
            "platform_url": self.platform_url,
            "terminal_url": self.terminal_url,
            "terminal_dt": self.terminal_dt,
            "message": self.message,
            "declared": self.declared.to_json() or None,
            "observed": self.observed.to_json() if self.observed else None,
        }
        return {key: value for key, value in fields.items() if value is not None}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "ManifestFile":
        """Return the entry that `to_json` wrote."""
        observed = fields.get("observed")
        return cls(
            path=fields["path"],
            platform_url=fields.get("platform_url"),
            declared=Fixity.from_json(fields.get("declared") or {}),
            mimetype=fields.get("mimetype"),
            extra=fields.get("extra") or {},
            status=Status(fields["status"]) if fields.get("status") else None,
            observed=None if observed is None else Fixity.from_json(observed),
            terminal_url=fields.get("terminal_url"),
            terminal_dt=fields.get("terminal_dt"),
            message=fields.get("message"),
        )


Manifest = Sequence[ManifestFile]

# SQLite's and everybody else's largest integer.
_LARGEST = 2**63 - 1


def total_size(manifest: Manifest) -> int:
    """Return the sum of the known sizes in bytes; a file of unknown size counts 0.

    What a platform claims may be beyond all numbers that databases hold: the largest stands then.
    """
    return min(sum(entry.size or 0 for entry in manifest), _LARGEST)


def unknown_sizes(manifest: Manifest) -> int:
    """Return how many files have no declared size."""
    return sum(entry.size is None for entry in manifest)


def files_of(fields: Mapping[str, Any]) -> list[ManifestFile]:
    """Return the files in a result object."""
    return [ManifestFile.from_json(entry) for entry in fields.get("manifest") or ()]
