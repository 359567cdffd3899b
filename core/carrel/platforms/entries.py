# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the platforms share in making manifest entries: digests, unique paths, findings on them."""

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.model import Finding, FindingLevel, Fixity, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import MOST_LISTED, and_more, shortlist, shown
from carrel.translation import tr

# Length of the hexadecimal form of each algorithm that hashlib always has.
_HEX_LENGTHS = {
    "md5": 32,
    "sha1": 40,
    "sha224": 56,
    "sha256": 64,
    "sha384": 96,
    "sha512": 128,
    "sha3_224": 56,
    "sha3_256": 64,
    "sha3_384": 96,
    "sha3_512": 128,
    "blake2b": 128,
    "blake2s": 64,
}
_HEX = re.compile(r"[0-9a-f]+")
# So much of a digest tells two apart.
_SHOWN_OF_DIGEST = 12


def algorithm_name(name: str) -> str:
    """Return hashlib's name of an algorithm however it is spelled ("SHA-256" → "sha256")."""
    plain = name.strip().lower().replace("_", "-")
    if plain.startswith("sha3-"):
        return plain.replace("-", "_")
    return plain.replace("-", "")


def digests(algorithm: str | None, value: str | None) -> dict[str, str]:
    """Return `{algorithm: hex}`; empty if the value is no hexadecimal digest of that algorithm."""
    name = algorithm_name(algorithm or "")
    text = (value or "").strip().lower()
    if len(text) == _HEX_LENGTHS.get(name, -1) and _HEX.fullmatch(text):
        return {name: text}
    return {}


def base64_digests(algorithm: str, value: str | None) -> dict[str, str]:
    """Return the digest in base64 ("7Qdih1MuhjZehB6Sv8UNjA==" for an MD5), empty if it is none."""
    try:
        raw = base64.b64decode((value or "").strip(), validate=True)
    except ValueError:
        return {}
    return digests(algorithm, raw.hex())


def prefixed_digests(checksum: str | None) -> dict[str, str]:
    """Return the digest in "md5:0123…"; 32 digits alone are an MD5, as old answers wrote it."""
    algorithm, colon, value = (checksum or "").strip().partition(":")
    return digests(algorithm, value) if colon else digests("md5", algorithm)


def unreadable_checksums(names: Sequence[str]) -> tuple[Finding, ...]:
    """Return a finding on files whose published checksum was none, nothing if there are none."""
    if not names:
        return ()
    message = tr(
        "The published checksum of {files} cannot be read and is not used: {names}.",
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("checksum-unreadable", message, FindingLevel.WARNING),)


def file_of_dataset(tail: str, whole: str) -> tuple[Finding, ...]:
    """Return a finding that an address names a part of what is described, nothing if `tail`, what
    it names of `whole`, is empty."""
    if not tail:
        return ()
    message = tr(
        "The address names {tail}; the whole of {whole} is described.",
        tail=shown(tail),
        whole=whole,
    )
    return (Finding("file-of-dataset", message),)


def derived_files(names: Sequence[str], maker: str) -> tuple[Finding, ...]:
    """Return a finding on files that are left out since the platform made them from the others,
    nothing if there are none."""
    if not names:
        return ()
    message = tr(
        "Left out, since {maker} made them from the others: {files} ({names}).",
        maker=maker,
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("derived-files-left-out", message),)


def joined(*told: Fixity) -> tuple[Fixity, tuple[str, ...]]:
    """Return what several places tell of one file, and in words where they contradict each other:
    there the first counts."""
    first = next(iter(told), Fixity())
    if all(one == first for one in told):
        return first, ()
    sizes = list(dict.fromkeys(one.size for one in told if one.size is not None))
    known: dict[str, dict[str, None]] = {}
    for one in told:
        for algorithm, digest in one.digests.items():
            known.setdefault(algorithm, {})[digest] = None
    short = {
        algorithm: [f"{digest[:_SHOWN_OF_DIGEST]}…" for digest in values]
        for algorithm, values in known.items()
    }
    differences = tuple(
        f"{what} {', also '.join(values[:MOST_LISTED])}"
        for what, values in {"size": list(map(str, sizes)), **short}.items()
        if len(values) > 1
    )
    firsts = {algorithm: next(iter(values)) for algorithm, values in known.items()}
    return Fixity(next(iter(sizes), None), firsts), differences


def contradictions(told: Sequence[tuple[str, Sequence[str]]]) -> tuple[Finding, ...]:
    """Return a finding on the files, by name, of which different things are told (`joined`),
    nothing if there are none."""
    told = [(name, differences) for name, differences in told if differences]
    if not told:
        return ()
    what = ", ".join(
        f"{shown(name)} ({'; '.join(ways[:MOST_LISTED])})" for name, ways in told[:MOST_LISTED]
    )
    message = tr(
        "There is contradictory information about {files}, and what arrives is "
        "compared with the first of them: {what}{and_more}.",
        files=count_of(told, "file"),
        what=what,
        and_more=and_more(told),
    )
    return (Finding("contradiction", message, FindingLevel.WARNING),)


def unique_paths(
    manifest: Iterable[tuple[ManifestFile, str]],
) -> tuple[tuple[ManifestFile, ...], tuple[Finding, ...]]:
    """Return the entries under paths that differ, and a finding if some had to be renamed.

    Each entry comes with a tag of its own, the platform's id of the file as a rule. The first of
    several with one path keeps it; each other gets its tag as a folder, and its own path stands in
    `extra` as `original_path`.
    """
    pairs = list(manifest)
    free = {entry.path for entry, _ in pairs}
    seen: set[str] = set()
    unique: list[ManifestFile] = []
    renamed: list[str] = []
    for entry, tag in pairs:
        path = entry.path
        if path in seen:
            path = _free_path(entry.path, tag, free)
            renamed.append(path)
            free.add(path)
            entry = replace(entry, path=path, extra={**entry.extra, "original_path": entry.path})
        seen.add(path)
        unique.append(entry)
    return tuple(unique), _renamed_finding(renamed)


def _free_path(path: str, tag: str, taken: set[str]) -> str:
    candidate, number = f"{tag}/{path}", 2
    while candidate in taken:
        candidate, number = f"{tag}-{number}/{path}", number + 1
    return candidate


def _renamed_finding(paths: Sequence[str]) -> tuple[Finding, ...]:
    if not paths:
        return ()
    message = tr(
        "Several files have the same name; each but the first is in a folder of its own, which the "
        "platform does not have: {paths}.",
        paths=shortlist(paths),
    )
    return (Finding("duplicate-names", message),)
