# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures of a WACZ, verified as a browser does; and by a server, as authsign answers."""

import base64
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from carrel.archive import Archive
from carrel.credentials import Credentials
from carrel.engine.evidence.attesting import attesting_by
from carrel.errors import UsageError
from carrel.model.evidence import KEYRING, Signing
from carrel.model.exports import ExportForm
from carrel.settings import Settings
from carrel.settings.sections import Signatures
from support.exports import exported, only, tree
from support.held import hold
from support.keyrings import SERVICE, LockedKeyring, MemoryKeyring, Swapped
from support.wire import WireServer, reply

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
OF_DOMAIN = {
    "domain": "archive.example",
    "domainCert": "-----BEGIN CERTIFICATE-----",
    "signature": "MEQ=",
    "timeSignature": "MIIB",
    "timestampCert": "-----BEGIN CERTIFICATE-----",
    "version": "0.1.0",
}
# As ReplayWeb.page does (wabac.js 2.27, src/wacz/util.ts).
BROWSER = """
const said = JSON.parse(process.argv[1]);
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const way = {name: "ECDSA", namedCurve: "P-384", hash: "SHA-256"};
const subtle = require("crypto").webcrypto.subtle;
subtle.importKey("spki", bytes(said.publicKey), way, true, ["verify"])
  .then((key) => subtle.verify(
    way, key, bytes(said.signature), new TextEncoder().encode(said.hash)))
  .then(console.log);
"""


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


def digest_in(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as package:
        found: dict[str, Any] = json.loads(package.read("datapackage-digest.json"))
        created = json.loads(package.read("datapackage.json"))["created"]
    assert found.get("signedData", {}).get("created", created) == created
    return found


def signed(archive: Archive, folder: Path, **options: Any) -> dict[str, Any]:
    options = options or {"signing": Signing(KEYRING)}
    return digest_in(only(exported(archive, ExportForm.WACZ, folder, **options))[1])


def is_verified(said: dict[str, str]) -> bool:
    key = load_der_public_key(base64.b64decode(said["publicKey"]))
    assert isinstance(key, ec.EllipticCurvePublicKey)
    raw = base64.b64decode(said["signature"])
    numbers = int.from_bytes(raw[:48], "big"), int.from_bytes(raw[48:], "big")
    signature = utils.encode_dss_signature(*numbers)
    try:
        key.verify(signature, said["hash"].encode(), ec.ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def test_a_signature_is_of_the_description_and_of_nothing_else(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    found = signed(archive, tmp_path / "out")

    said = found["signedData"]
    assert is_verified(said)
    assert sorted(said) == ["created", "hash", "publicKey", "signature", "software", "version"]
    assert said["hash"] == found["hash"]
    assert len(base64.b64decode(said["signature"])) == 96
    assert not is_verified({**said, "hash": "sha256:" + "0" * 64})


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_browser_verifies_it(server: WireServer, archive: Archive, tmp_path: Path) -> None:
    hold(archive, server, FILES)

    said = signed(archive, tmp_path / "out")["signedData"]

    ran = subprocess.run(
        ["node", "-e", BROWSER, json.dumps(said)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "true"


def test_the_key_stays_in_the_keyring_and_the_same_holding_is_the_same_bytes(
    server: WireServer, archive: Archive, tmp_path: Path, ring: MemoryKeyring
) -> None:
    hold(archive, server, FILES)

    for folder in ("first", "second"):
        report = exported(archive, ExportForm.WACZ, tmp_path / folder, signing=Signing(KEYRING))

    assert tree(tmp_path / "first") == tree(tmp_path / "second")
    assert {name for _, name in ring.kept} == {"signing-key", "signing-certificate"}
    assert report.has_lasting_key
    assert len(report.signer) == 64


def test_where_there_is_no_keyring_a_key_is_made_for_one_export(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)

    with Swapped(LockedKeyring()):
        report = exported(archive, ExportForm.WACZ, tmp_path / "out", signing=Signing(KEYRING))

    assert is_verified(digest_in(only(report)[1])["signedData"])
    assert not report.has_lasting_key


@pytest.mark.parametrize("key", ["x", "", "bm90IGEga2V5"])
def test_a_damaged_key_is_not_replaced_but_named(
    server: WireServer, archive: Archive, tmp_path: Path, ring: MemoryKeyring, key: str
) -> None:
    hold(archive, server, FILES)
    ring.set_password(SERVICE, "signing-key", key)

    with pytest.raises(UsageError, match="remove the entry"):
        exported(archive, ExportForm.WACZ, tmp_path / "out", signing=Signing(KEYRING))

    assert ring.kept == {(SERVICE, "signing-key"): key}


def test_each_of_several_packages_is_signed(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, {"later.txt": b"late" * 999}, "2")
    options: dict[str, Any] = {"one": "tides", "split_size": 3000, "signing": Signing(KEYRING)}

    exported(archive, ExportForm.WACZ, tmp_path / "out", "1", "2", **options)

    parts = sorted((tmp_path / "out/tides_wacz").glob("*.wacz"))
    said = [digest_in(part)["signedData"] for part in parts]
    assert len({each["hash"] for each in said}) == len(parts) > 1
    assert len([each for each in said if is_verified(each)]) == len(parts)


def test_a_server_signs_in_the_name_of_its_domain(
    server: WireServer, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, answer = at_server(server, archive, tmp_path)
    host = server.origin.partition("://")[2].replace(".", "_").replace(":", "_")
    monkeypatch.setenv(f"CARREL_TOKEN_{host}", "opensesame")

    found = signed(archive, tmp_path / "out", signing_url=url)

    (seen,) = [each for each in server.seen if each.target == "/sign"]
    assert found["signedData"] == answer
    assert seen.headers["authorization"] == "Bearer opensesame"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"hash": "sha256:0"}, "something else"),
        ({"domain": 1}, "no signature of a domain"),
        ({"more": "x"}, "no signature of a domain"),
    ],
)
def test_what_is_no_signature_is_not_taken_for_one(
    server: WireServer, archive: Archive, tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    url, _ = at_server(server, archive, tmp_path, **change)

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", signing_url=url).holdings

    assert why in one.refusal
    assert list((tmp_path / "out").iterdir()) == []


def test_a_server_that_refuses_is_told_with_its_words(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    hold(archive, server, FILES)
    url = server.serve("/sign", reply(b"", status="401 Unauthorized"))

    (one,) = exported(archive, ExportForm.WACZ, tmp_path / "out", signing_url=url).holdings

    assert "did not sign: 401 Unauthorized" in one.refusal
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("form", "options"),
    [
        (ExportForm.BAGIT, {"signing_url": "https://sign.example/"}),
        (ExportForm.WACZ, {"signing": Signing(authority="https://time.example/")}),
        (ExportForm.BAGIT, {"signing": Signing(authority="ftp://time.example/")}),
        (ExportForm.BAGIT, {"signing": Signing(authority="https://ada:key@time.example/")}),
        (ExportForm.BAGIT, {"signing": Signing(KEYRING, "certificate.pem")}),
        (ExportForm.BAGIT, {"signing": Signing(KEYRING, authority_certificates="roots.pem")}),
        (ExportForm.WACZ, {"signing": Signing(KEYRING), "signing_url": "https://sign.example/"}),
        (ExportForm.WACZ, {"signing_url": "http://sign.example/"}),
        (ExportForm.WACZ, {"signing_url": "https://ada:key@sign.example/"}),
        (ExportForm.WACZ, {"signing_url": "sign"}),
    ],
)
def test_what_cannot_be_signed_is_refused_beforehand(
    archive: Archive, tmp_path: Path, form: ExportForm, options: dict[str, Any]
) -> None:
    with pytest.raises(UsageError):
        exported(archive, form, tmp_path / "out", **options)


def at_server(
    server: WireServer, archive: Archive, folder: Path, **change: Any
) -> tuple[str, dict[str, Any]]:
    """Return the address of a server that signs what is held, and what it answers."""
    hold(archive, server, FILES)
    _, path = only(exported(archive, ExportForm.WACZ, folder / "unsigned"))
    with zipfile.ZipFile(path) as package:
        created = json.loads(package.read("datapackage.json"))["created"]
    digest = digest_in(path)["hash"]
    answer = {"hash": digest, "created": created, **OF_DOMAIN, **change}
    return server.serve("/sign", reply(json.dumps(answer).encode())), answer


@pytest.mark.parametrize("is_set", [True, False])
def test_a_key_file_that_is_gone_is_named_with_the_setting_that_names_it(
    tmp_path: Path, is_set: bool
) -> None:
    gone = str(tmp_path / "key.pem")
    settings = Settings(signatures=Signatures(key=gone if is_set else ""))

    with pytest.raises(UsageError) as raised:
        attesting_by(Signing(key=gone), Credentials(), settings)

    assert str(raised.value).startswith(f"{gone} cannot be read: No such file or directory.")
    named = "This file is named by the setting “Sign with” (signatures.key)."
    assert (named in str(raised.value)) is is_set
