# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WACZ where it lies: every file in it, every record, its index, and its signature.

Nothing is unpacked. A WARC in it is read twice: as the file that datapackage.json lists, and record
by record.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from carrel.archive import Archive
from carrel.engine.verification.attention import Attention
from carrel.engine.verification.known import KnownRecords
from carrel.engine.verification.paths import failure, shown
from carrel.engine.verification.wacz_index import IndexCheck
from carrel.engine.verification.warc_check import Source, WarcCheck
from carrel.errors import NotLoaded
from carrel.exports.evidence.wacz import attestation_of
from carrel.mementos.warc.wacz import Wacz
from carrel.model import Evidence, Fate, RecordCheck
from carrel.model.evidence import Standing
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr

_DESCRIPTION, _DIGEST = "datapackage.json", "datapackage-digest.json"
_MOST_DESCRIPTION_BYTES = 256 * MEBIBYTE


def wacz_checks(archive: Archive | None, path: Path, attention: Attention) -> Iterator[RecordCheck]:
    """Yield what became of every file, record and index line of a WACZ. Raises ArchiveError."""
    try:
        wacz = Wacz(path)
        yield from _Checking(archive, wacz, attention).checks()
    except NotLoaded as error:
        yield failure(path, Fate.UNREADABLE, str(error))


@dataclass(frozen=True, slots=True)
class _Listed:
    """What datapackage.json says of a file: "" and None for what it does not say."""

    algorithm: str
    digest: str
    size: int | None


class _Checking:
    """The check of one WACZ."""

    def __init__(self, archive: Archive | None, wacz: Wacz, attention: Attention) -> None:
        self._archive, self._wacz, self._attention = archive, wacz, attention
        sizes = {name: wacz.member(name).size for name in wacz.names}
        attention.expect(sum(sizes.values()) + sum(sizes[name] for name in wacz.warc_names))

    def checks(self) -> Iterator[RecordCheck]:
        """Raises NotLoaded for what is no WACZ."""
        yield from self._file_checks()
        with TemporaryDirectory(prefix="carrel-wacz-") as scratch:
            index = IndexCheck(self._wacz, Path(scratch))
            for name in self._wacz.warc_names:
                yield from self._record_checks(name, index)
            for warc, offset, fault in index.faults():
                yield self._of_index(warc, offset, fault)

    def _record_checks(self, name: str, index: IndexCheck) -> Iterator[RecordCheck]:
        place = f"{shown(self._wacz.path)}!{shown(name)}"
        source = Source(shown(name), place, self._wacz.member(name).opened)
        known = KnownRecords(self._archive, self._wacz.path, "")
        heed = index.heeding(name)
        yield from WarcCheck(source, known, self._attention.attend, heed).checks()

    def _file_checks(self) -> Iterator[RecordCheck]:
        content = self._content(_DESCRIPTION)
        if content is None:
            yield self._of_file(_DESCRIPTION, Fate.MISSING, tr("There is none in the WACZ."))
            return
        yield from self._description_checks(content)
        try:
            listed = _listed_in(content)
        except (ValueError, TypeError, AttributeError, RecursionError):
            words = tr("It does not list the files of the WACZ.")
            yield self._of_file(_DESCRIPTION, Fate.DAMAGED, words)
            return
        for name in self._wacz.names:
            if name not in (_DESCRIPTION, _DIGEST):
                yield self._resource_check(name, listed.get(name))
        for name in sorted(listed.keys() - {*self._wacz.names}):
            words = tr("{list} lists it, and it is not there.", list=_DESCRIPTION)
            yield self._of_file(name, Fate.MISSING, words)

    def _resource_check(self, name: str, listed: _Listed | None) -> RecordCheck:
        if listed is None:
            words = tr("{list} does not list it.", list=_DESCRIPTION)
            return self._of_file(name, Fate.UNEXPECTED, words)
        if not listed.algorithm:
            words = tr("{list} has no digest of it that Carrel knows.", list=_DESCRIPTION)
            return self._of_file(name, Fate.DAMAGED, words)
        digest, size = hashlib.new(listed.algorithm), 0
        try:
            for piece in self._wacz.member(name).pieces(0):
                digest.update(piece)
                size += len(piece)
                self._attention.attend(len(piece))
        except NotLoaded as error:
            return self._of_file(name, Fate.DAMAGED, str(error))
        faults = []
        if listed.size not in (None, size):
            faults.append(
                tr("It has {found} bytes instead of {size}.", found=size, size=listed.size)
            )
        if digest.hexdigest() != listed.digest:
            faults.append(
                tr(
                    "Its {algorithm} is {found} instead of {digest}.",
                    algorithm=listed.algorithm,
                    found=digest.hexdigest(),
                    digest=listed.digest[:160],
                )
            )
        fate = Fate.DAMAGED if faults else Fate.INTACT
        return self._of_file(name, fate, " ".join(faults), size, Evidence.DATA_PACKAGE)

    def _description_checks(self, content: bytes) -> Iterator[RecordCheck]:
        """Yield what datapackage-digest.json says of datapackage.json, and whether it is signed."""
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        said = self._content(_DIGEST)
        if said is None:
            words = tr(
                "{path} has no {name}: nothing says whether its list of files is as it was.",
                path=shown(self._wacz.path),
                name=_DIGEST,
            )
            self._attention.remark(words)
            return
        try:
            named = json.loads(said)
            is_same = named["hash"] == digest
            signed = named.get("signedData")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            words = tr("It does not say the digest of {name}.", name=_DESCRIPTION)
            yield self._of_file(_DIGEST, Fate.DAMAGED, words)
            return
        if not is_same:
            words = tr("It has another digest than {name} says.", name=_DIGEST)
            yield self._of_file(_DESCRIPTION, Fate.DAMAGED, words)
        else:
            evidence = Evidence.DATA_PACKAGE
            yield self._of_file(_DESCRIPTION, Fate.INTACT, "", len(content), evidence)
        if signed is not None:
            yield self._signature_check(signed, content)

    def _signature_check(self, signed: Any, content: bytes) -> RecordCheck:
        """Return how the signature stands; what is known of its maker is a remark."""
        if not isinstance(signed, dict):
            return self._of_file(_DIGEST, Fate.DAMAGED, tr("Its signature is not valid."))
        try:
            found = attestation_of(signed, content)
        except ImportError:
            words = tr("It is signed. To verify that, install Carrel with “carrel[signatures]”.")
            self._attention.remark(f"{shown(self._wacz.path)}: {words}")
            return self._of_file(_DIGEST, Fate.INTACT, "")
        if found.standing is Standing.INVALID:
            words = tr("Its signature is not valid: {why}.", why=found.message)
            return self._of_file(_DIGEST, Fate.DAMAGED, words)
        key = found.signer.key_sha256 if found.signer else ""
        self._attention.remark(f"{shown(self._wacz.path)}: {_signer(found.message, key)}")
        evidence = [Evidence.SIGNATURE] if key else []
        return self._of_file(_DIGEST, Fate.INTACT, "", 0, *evidence)

    def _content(self, name: str) -> bytes | None:
        if name not in self._wacz.names or self._wacz.member(name).size > _MOST_DESCRIPTION_BYTES:
            return None
        content = b"".join(self._wacz.member(name).pieces(0))
        self._attention.attend(len(content))
        return content

    def _of_index(self, warc: str, offset: int, fault: str) -> RecordCheck:
        place = f"{shown(self._wacz.path)}!{shown(warc)}"
        name, evidence = shown(warc), (Evidence.INDEX,)
        return RecordCheck(
            "", name, offset, 0, Fate.DAMAGED, fault, path=place, compared_with=evidence,
            is_file=True,
        )  # fmt: skip

    def _of_file(
        self, name: str, fate: Fate, words: str, size: int = 0, *evidence: Evidence
    ) -> RecordCheck:
        place = f"{shown(self._wacz.path)}!{shown(name)}"
        has_records = name in self._wacz.warc_names
        return RecordCheck(
            "", shown(name), 0, size, fate, words, path=place, compared_with=evidence,
            is_file=True, has_records=has_records,
        )  # fmt: skip


def _listed_in(content: bytes) -> Mapping[str, _Listed]:
    listed = {}
    for each in json.loads(content)["resources"]:
        algorithm, _, digest = str(each.get("hash", "")).partition(":")
        size = each.get("bytes")
        is_known = algorithm in ("sha256", "sha512", "sha1", "md5")
        listed[str(each["path"])] = _Listed(
            algorithm if is_known else "",
            digest.lower(),
            size if isinstance(size, int) else None,
        )
    return listed


def _signer(reason: str, key: str) -> str:
    if not key:
        return f"{reason[:1].upper()}{reason[1:]}."
    return tr("Signed by the key with the SHA-256 {key}: {reason}.", key=key, reason=reason)
