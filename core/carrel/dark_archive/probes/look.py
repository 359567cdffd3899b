# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked, and what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.model.dark import Redirect

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]


@dataclass(frozen=True, slots=True)
class Question:
    """An address to look at.

    `media` is the declared `File-Format`, as it stands in the template. `last_media` and
    `last_size` (bytes) are those of the version that is held; both None where none is.
    """

    url: str
    media: str | None = None
    last_media: str | None = None
    last_size: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether there is a version of it already."""
        return self.last_media is not None or self.last_size is not None


@dataclass(frozen=True, slots=True)
class Payload:
    """A file that was streamed to `path`, whole; not synced yet. `media` is None if not known."""

    path: Path
    size: int
    sha256: str
    md5: str
    media: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """What came of a look.

    `outcome` is "ok", or a word of `outcomes`. `is_evidence` says whether it speaks for a loss,
    `is_final` whether it needs no second look. `detail` is a sentence for people. `payload` is what
    the address gave, None unless the outcome is "ok"; `evidence` is what came in place of it, cut
    at 1 MiB. Both are files that belong to whoever asked. `exchange` is the head of the last
    request and its answer, None where no one answered (see `heads.told`).

    `flags` are remarks on a payload, or on what came in its place:
    - "landing-page": a page in HTML;
    - "likely-disguise": it may stand in for something that is gone, and a person should look;
    - "content-coded": the bytes are as they were transferred, in a content coding (RFC 9110, 8.4);
    - "likely-cut": a PDF without its end.
    """

    outcome: str
    is_evidence: bool
    is_final: bool
    detail: str
    redirects: tuple[Redirect, ...]
    final_url: str
    payload: Payload | None = None
    evidence: Payload | None = None
    exchange: Mapping[str, Json] | None = None
    flags: tuple[str, ...] = ()
