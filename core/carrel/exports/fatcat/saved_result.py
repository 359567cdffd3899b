# SPDX-License-Identifier: AGPL-3.0-or-later
"""The parts of a result that fatcat's entities are made of, checked: it may come from anywhere."""

from typing import Annotated, Any

from carrel.model.ingest_strategy import IngestStrategy
from carrel.model.request import DATASET
from carrel.validation import BaseModel, ConfigDict, Field

_LARGEST = 2**63 - 1

Timestamp = Annotated[str, Field(pattern=r"^[0-9]{14}$")]
Text = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, defer_build=True)


class Observed(_Part):
    """What arrived of a file: size in bytes, and digests in lower-case hexadecimal digits."""

    size: int = Field(ge=0, le=_LARGEST)
    md5: str | None = Field(None, pattern=r"^[0-9a-f]{32}$")
    sha1: str | None = Field(None, pattern=r"^[0-9a-f]{40}$")
    sha256: str | None = Field(None, pattern=r"^[0-9a-f]{64}$")


class File(_Part):
    """An entry of the manifest."""

    path: Text
    status: str | None = None
    observed: Observed | None = None
    mimetype: str | None = None
    platform_url: str | None = None
    terminal_url: str | None = None
    terminal_dt: Timestamp | None = None
    message: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict)


class Terminal(_Part):
    """Where and when a capture was made."""

    terminal_url: Text
    terminal_dt: Timestamp


class Bundle(_Part):
    """The platform's ZIP: its capture, and its path in the item on archive.org."""

    terminal: Terminal | None = None
    archiveorg_bundle_path: Text | None = None


class Fatcat(_Part):
    """What fatcat said of the release when it made the request."""

    release_ident: str | None = None


class Request(_Part):
    """What was requested."""

    base_url: str
    ingest_type: str = DATASET
    link_source: str | None = None
    link_source_id: str | None = None
    ingest_request_source: str | None = None
    ext_ids: dict[str, Any] | None = None
    fatcat: Fatcat | None = None
    release_stage: str | None = None


class Finding(_Part):
    """What else is to be known of a result; here by its code alone."""

    code: str


class SavedResult(_Part):
    """A result of `carrel ingest`, as far as fatcat is concerned."""

    status: str
    request: Request
    hit: bool = False
    error_message: str | None = None
    ingest_id: str | None = None
    ingest_strategy: str | None = None
    hops: list[str] = Field(default_factory=list)
    doi: str | None = None
    platform_name: str | None = None
    platform_domain: str | None = None
    platform_id: str | None = None
    platform_bundle_url: str | None = None
    archiveorg_item_name: str | None = None
    terminal: Terminal | None = None
    fileset_bundle: Bundle | None = None
    findings: list[Finding] = Field(default_factory=list)
    manifest: list[File] | None = None

    @property
    def strategy(self) -> IngestStrategy:
        """How it was archived. Raises ValueError for what is no strategy."""
        return IngestStrategy(self.ingest_strategy or "")

    @property
    def landing_page(self) -> str:
        return self.hops[-1] if self.hops else self.request.base_url

    @property
    def files(self) -> list[File]:
        return self.manifest or []
