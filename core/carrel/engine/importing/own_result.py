# SPDX-License-Identifier: AGPL-3.0-or-later
"""The result of an ingest in a package that Carrel exported, and how far the files bear it out."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from carrel.access.holding_files import elsewhere_of
from carrel.engine.importing.doubts import NO_RESULT, doubts_of
from carrel.engine.importing.not_kept import not_kept_in, only_address
from carrel.engine.packages import Fault, Package
from carrel.engine.packages.package import RESULT, Pointer
from carrel.exports.dataset import Dataset
from carrel.model import Fate, Finding, Fixity, IngestRequest, ManifestFile
from carrel.model.names import in_utf8
from carrel.translation import tr

# Ids become names of files.
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,79}(?:\.[0-9]{1,6})?")
_NEEDED = frozenset({"ingest_id", "request", "started", "finished", "hit", "status", "manifest"})
_TEXTS = (
    *("title", "published", "publisher", "doi", "license", "error_message"),
    *("platform_name", "platform_domain", "platform_id", "platform_version", "platform_base_url"),
)
_NESTED = ("fileset_bundle", "fileset_file", "proof", "file_meta", "terminal", "cdx", "revisit_cdx")
Key = tuple[str, int]


@dataclass(slots=True)
class OwnResult:
    """A result, its files, and which path of the package has the bytes of each, by its position.

    Of the files that it says were kept, `lacking` are not in the package, for the `reasons` by
    position, and `changed` have other bytes there; `strange` are paths of the package whose bytes
    it does not tell of. `pointed` are the paths that the package has only the addresses of;
    `doubts` is what in the result cannot be so.
    """

    ingest_id: str
    result: Mapping[str, Any]
    files: Sequence[ManifestFile]
    dataset: Dataset
    paths: dict[int, str] = field(default_factory=dict)
    lacking: list[int] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)
    pointed: set[str] = field(default_factory=set)
    doubts: list[str] = field(default_factory=list)

    @property
    def is_borne_out(self) -> bool:
        """Whether each file that it says was kept is here, and nothing else is."""
        return self.is_true and not self.lacking

    @property
    def is_true(self) -> bool:
        """Whether what is here is as it says, though there may be more that it says was kept."""
        return bool(self.paths) and not (self.strange or self.doubts)


def own_result(package: Package, found: Mapping[str, Fixity]) -> OwnResult | None:
    """Return the result in a package, compared with what its files are by path; None for none."""
    if RESULT not in package.tree.sizes:
        return None
    try:
        own = read_result(package.tree.content(RESULT))
    except (OSError, *NO_RESULT):
        package.remarks.append(tr("{name} is not the result of an ingest.", name=RESULT))
        return None
    _compare(own, package, found)
    return own


def dated_by(own: OwnResult) -> str:
    """Return whose word it is when the files were archived, or why that is not believed."""
    if own.doubts:
        return tr(
            "The package has the result of an ingest that cannot be as it says, and was imported "
            "without it: {why}",
            why=own.doubts[0],
        )
    at = str(own.result["finished"])
    return tr(
        "That it was archived on {day}, at {time} UTC, is what the result in the package says; "
        "there is no proof of it here.",
        day=at[:10],
        time=at[11:16],
    )


def read_result(content: bytes) -> OwnResult:
    """Return the result in a document, not compared with anything yet.

    Raises what reading raises of one that is none: ValueError, TypeError, KeyError, AttributeError,
    RecursionError.
    """
    result = json.loads(content)
    if not result.keys() >= _NEEDED or not _ID.fullmatch(result["ingest_id"]):
        raise ValueError("it has not the fields of a result")
    _check_types(result)
    files = [ManifestFile.from_json(entry) for entry in result["manifest"]]
    own = OwnResult(result["ingest_id"], result, files, Dataset.of_result(result))
    own.doubts += doubts_of(result, files)
    return own


def other_bytes(own: OwnResult, files: Sequence[ManifestFile]) -> Iterator[Fault]:
    """Yield the files of a package that are not among these, of the same ingest, by their bytes."""
    archived = {_key(file.observed) for file in files if file.is_kept and file.observed}
    for position in own.paths:
        file = own.files[position]
        if file.observed and _key(file.observed) not in archived:
            words = tr("It has other bytes than the archive's own result of this ingest says.")
            yield Fault(file.path, Fate.DAMAGED, words)


def _check_types(result: Mapping[str, Any]) -> None:
    """Raise what reading does for a document that has other things than a result in its fields."""
    IngestRequest.from_json(result["request"])
    for finding in result.get("findings") or ():
        Finding.from_json(finding)
    texts = [result[name] for name in ("started", "finished", "status")]
    texts += [result.get(name) or "" for name in _TEXTS]
    texts += [*(result.get("creators") or ()), *(result.get("hops") or ())]
    sizes: list[object] = []
    for entry in result["manifest"]:
        fixities = [entry.get(name) or {} for name in ("declared", "observed")]
        sizes += [each.get("size") for each in fixities]
        texts += [each[name] for each in fixities for name in each if name != "size"]
        texts += [entry["path"], entry.get("terminal_dt") or ""]
    nested = [entry.get("extra") or {} for entry in result["manifest"]]
    nested += [result.get(name) or {} for name in _NESTED]
    if not all(isinstance(each, Mapping) for each in nested):
        raise TypeError("fields")
    if not all(isinstance(each, str) for each in texts):
        raise TypeError("a text")
    if not all(each is None or type(each) is int for each in sizes):
        raise TypeError("a size")


def _compare(own: OwnResult, package: Package, found: Mapping[str, Fixity]) -> None:
    """Find the files by what they are: their names had to be such that any disk takes them."""
    places: dict[Key, list[str]] = {}
    for path in package.payload:
        places.setdefault(_key(found[path]), []).append(path)
    left = set(package.payload)
    for position, file in enumerate(own.files):
        if not file.is_kept:
            continue
        known = file.observed or Fixity()
        paths = places.get(_key(known), []) if "sha256" in known.digests else []
        if paths:
            own.paths[position] = paths[0] if len(paths) == 1 else paths.pop(0)
            left.discard(own.paths[position])
            if _is_otherwise(known, found[own.paths[position]]):
                words = tr("{path} has other checksums.", path=in_utf8(file.path))
                own.doubts.append(words)
        elif not elsewhere_of(file, own.result):
            own.lacking.append(position)
    own.strange += sorted(left)
    names = {in_utf8(package.name_of(path)) for path in left}
    own.changed += [position for position in own.lacking if own.files[position].path in names]
    own.lacking = [position for position in own.lacking if position not in own.changed]
    _give_reasons(own, package)


def _give_reasons(own: OwnResult, package: Package) -> None:
    """Say why each file is not there: as the package itself says, as far as it does."""
    said, pointers = not_kept_in(package), _pointers(own, package)
    for position in own.lacking:
        pointer = pointers.get(position)
        words = only_address(pointer) if pointer else tr("It is not in the package.")
        own.reasons[position] = said.get(own.files[position].path, words)


def _pointers(own: OwnResult, package: Package) -> Mapping[int, Pointer]:
    """Return which file of the result each is that a bag has only the address of; what is none of
    them is strange."""
    positions: dict[str, list[int]] = {}
    for position, file in enumerate(own.files):
        sha256 = file.observed.digests.get("sha256", "") if file.observed else ""
        for key in filter(None, (sha256, in_utf8(file.path))):
            positions.setdefault(key, []).append(position)
    found: dict[int, Pointer] = {}
    for each in package.to_fetch:
        sha256 = package.declared.get(each.path, {}).get("sha256", "")
        known = positions.get(sha256) or positions.get(in_utf8(package.name_of(each.path)), [])
        found.update(dict.fromkeys(known, each))
        (own.pointed.add if known else own.strange.append)(each.path)
    return found


def _is_otherwise(said: Fixity, found: Fixity) -> bool:
    """Say whether a file that has the SHA-256 that it is said to have has not the rest."""
    return any(found.digests.get(name, digest) != digest for name, digest in said.digests.items())


def _key(fixity: Fixity) -> Key:
    return fixity.digests.get("sha256", ""), fixity.size or 0
