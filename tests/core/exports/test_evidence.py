# SPDX-License-Identifier: AGPL-3.0-or-later
"""Signatures and time stamps of exports: openssl verifies them, and so does Carrel, offline."""

import socket
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bagit
import pytest
from cryptography.hazmat.primitives import serialization

from carrel.archive import Archive
from carrel.engine.evidence.checking import checked_evidence
from carrel.errors import UsageError
from carrel.model.evidence import KEYRING, EvidenceReport, Signing, Standing
from carrel.model.exports import ExportForm
from support.authorities import Institution, Issued, TimeAuthority, openssl
from support.exports import exported, only, tree
from support.held import hold
from support.keyrings import SERVICE, LockedKeyring, MemoryKeyring, Swapped
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000, "empty": b""}
OPENS = "open sesame"
FORMS = {
    ExportForm.FILES: "manifest-sha256.txt",
    ExportForm.ROCRATE: "manifest-sha256.txt",
    ExportForm.BAGIT: "tagmanifest-sha256.txt",
}


@pytest.fixture(autouse=True)
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture(scope="module")
def institution(tmp_path_factory: pytest.TempPathFactory) -> Institution:
    return Institution(tmp_path_factory.mktemp("institution"))


@pytest.fixture(scope="module")
def issued(institution: Institution) -> Issued:
    return institution.issued("Archive of Harbour")


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[TimeAuthority]:
    with TimeAuthority(Institution(tmp_path / "authority", "Clock")) as running:
        yield running


@pytest.fixture
def held(server: WireServer, archive: Archive) -> Archive:
    hold(archive, server, FILES)
    return archive


def of_institution(issued: Issued, authority: TimeAuthority | None = None) -> Signing:
    url = authority.url if authority else ""
    return Signing(str(issued.key), str(issued.certificate), authority=url)


def check(path: Path, *trusted: Path) -> EvidenceReport:
    (report,) = checked_evidence([path], [str(each) for each in trusted], lambda done, total: None)
    return report


def signed(held: Archive, folder: Path, form: ExportForm, signing: Signing) -> Path:
    return only(exported(held, form, folder, signing=signing))[1]


@pytest.mark.parametrize("form", FORMS)
def test_openssl_verifies_the_signature_and_the_time_stamp_of_every_form(
    held: Archive,
    tmp_path: Path,
    form: ExportForm,
    institution: Institution,
    issued: Issued,
    authority: TimeAuthority,
) -> None:
    path = signed(held, tmp_path / "out", form, of_institution(issued, authority))

    manifest, signature = FORMS[form], f"signatures/{FORMS[form]}.p7s"
    openssl(
        *("cms", "-verify", "-binary", "-inform", "PEM", "-in", signature, "-content", manifest),
        *("-CAfile", institution.root, "-cades", "-out", "content"),
        cwd=path,
    )
    openssl(
        *("ts", "-verify", "-data", signature, "-in", f"{signature}.tsr"),
        *("-CAfile", authority.root),
        cwd=path,
    )
    assert (path / "content").read_bytes() == (path / manifest).read_bytes()


@pytest.mark.parametrize("form", FORMS)
def test_all_files_of_a_signed_export_are_checked_and_told_who_signed_when(
    held: Archive,
    tmp_path: Path,
    form: ExportForm,
    institution: Institution,
    issued: Issued,
    authority: TimeAuthority,
) -> None:
    path = signed(held, tmp_path / "out", form, of_institution(issued, authority))

    report = check(path, institution.root, authority.root)

    signature, stamp = report.attestations
    assert report.is_sound
    assert [each.standing for each in report.attestations] == [Standing.VALID] * 2
    assert signature.signer is not None
    assert signature.signer.subject == "CN=Archive of Harbour"
    assert signature.root == "CN=Harbour Institute Root"
    assert (stamp.root, stamp.of) == ("CN=Clock Root", f"signatures/{FORMS[form]}.p7s")
    assert stamp.moment.startswith("20")
    beside = {"signatures", FORMS[form]}
    attested = {name for name in tree(path) if name.partition("/")[0] not in beside}
    assert report.files >= len(attested) > 3


def test_a_signed_bag_is_a_valid_bag_whose_signatures_are_in_no_list(
    held: Archive, tmp_path: Path, issued: Issued
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.BAGIT, of_institution(issued))

    assert bagit.Bag(str(path)).validate()
    assert b"signatures/" not in (path / "tagmanifest-sha256.txt").read_bytes()


def test_the_key_of_the_keyring_signs_by_a_certificate_that_stays_the_same(
    held: Archive, tmp_path: Path, ring: MemoryKeyring
) -> None:
    first = signed(held, tmp_path / "first", ExportForm.FILES, Signing(KEYRING))
    second = signed(held, tmp_path / "second", ExportForm.FILES, Signing(KEYRING))

    name = "signatures/manifest-sha256.txt.p7s"
    openssl(
        *("cms", "-verify", "-binary", "-inform", "PEM", "-in", name),
        *("-content", "manifest-sha256.txt", "-CAfile", second / f"{name}.crt", "-out", "content"),
        cwd=first,
    )
    assert check(second, first / f"{name}.crt").is_sound


def test_a_key_that_was_made_anew_gets_a_certificate_of_its_own(
    held: Archive, tmp_path: Path, ring: MemoryKeyring
) -> None:
    first = signed(held, tmp_path / "first", ExportForm.FILES, Signing(KEYRING))
    ring.delete_password(SERVICE, "signing-key")

    second = signed(held, tmp_path / "second", ExportForm.FILES, Signing(KEYRING))

    assert not check(second, first / "signatures/manifest-sha256.txt.p7s.crt").is_sound
    assert check(second, second / "signatures/manifest-sha256.txt.p7s.crt").is_sound


def test_without_what_is_trusted_no_one_is_said_to_have_signed(
    held: Archive, tmp_path: Path, authority: TimeAuthority
) -> None:
    signing = Signing(KEYRING, authority=authority.url)
    path = signed(held, tmp_path / "out", ExportForm.BAGIT, signing)

    report = check(path)

    assert report.is_sound
    assert {each.standing for each in report.attestations} == {Standing.UNTRUSTED}
    assert {each.root for each in report.attestations} == {""}


def test_another_institution_is_not_taken_for_the_trusted_one(
    held: Archive, tmp_path: Path, issued: Issued
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.FILES, of_institution(issued))
    other = Institution(tmp_path / "other")  # by the same name

    report = check(path, other.root)

    assert not report.is_sound
    assert "none that is trusted" in report.attestations[0].message


@pytest.mark.parametrize(
    ("name", "fate"),
    [
        ("data/README.txt", "changed"),
        ("data/empty", "missing"),
        ("metadata/result.json", "changed"),
        ("more.txt", "unlisted"),
    ],
)
def test_each_file_that_is_not_as_it_was_signed_is_named(
    held: Archive, tmp_path: Path, issued: Issued, name: str, fate: str
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.FILES, of_institution(issued))
    if fate == "missing":
        (path / name).unlink()
    else:
        (path / name).write_bytes(b"other")

    report = check(path)

    assert [(each.file, each.fate) for each in report.faults] == [(name, fate)]
    assert not report.is_sound


def test_a_file_that_several_lists_have_counts_once(
    held: Archive, tmp_path: Path, issued: Issued
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.BAGIT, of_institution(issued))
    file = next(each for each in (path / "data").rglob("*") if each.is_file())
    file.write_bytes(b"other")

    report = check(path)

    assert len(report.faults) == 2  # by SHA-256, and by SHA-512
    assert report.fault_count == 1


def test_a_list_that_was_changed_is_not_the_one_that_was_signed(
    held: Archive, tmp_path: Path, issued: Issued
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.FILES, of_institution(issued))
    with (path / "manifest-sha256.txt").open("ab") as file:
        file.write(b"0" * 64 + b"  data/more.txt\n")

    (signature,) = check(path).attestations

    assert signature.standing is Standing.INVALID
    assert "changed since" in signature.message


def test_a_list_that_leads_out_of_its_folder_reads_nothing_there(
    held: Archive, tmp_path: Path, issued: Issued
) -> None:
    path = signed(held, tmp_path / "out", ExportForm.FILES, of_institution(issued))
    (path.parent / "secret").write_bytes(b"secret")
    with (path / "manifest-sha256.txt").open("ab") as file:
        file.write(b"0" * 64 + b"  ../secret\n" + b"0" * 64 + b"  /etc/passwd\n")

    fates = {each.file: each.fate for each in check(path).faults}

    assert (fates["../secret"], fates["/etc/passwd"]) == ("missing", "missing")


@pytest.mark.parametrize(
    ("spoiled", "why"),
    [
        (lambda answer: answer[:-1] + bytes([answer[-1] ^ 1]), "not valid|cannot be read"),
        (lambda answer: b"no stamp", "no time stamp"),
        (lambda answer: bytes.fromhex("30053003020102"), "refused|no time stamp"),
    ],
)
def test_what_is_no_time_stamp_of_this_is_not_taken_and_nothing_is_there(
    held: Archive, tmp_path: Path, authority: TimeAuthority, spoiled: object, why: str
) -> None:
    authority.spoiled = spoiled  # type: ignore[assignment]
    signing = Signing(KEYRING, authority=authority.url)

    (one,) = exported(held, ExportForm.FILES, tmp_path / "out", signing=signing).holdings

    assert any(words in one.refusal for words in why.split("|")), one.refusal
    assert [each for each in (tmp_path / "out").iterdir() if not each.name.startswith(".")] == []


def test_an_authority_that_is_not_there_is_told_in_words(held: Archive, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

    signing = Signing(authority=url)
    (one,) = exported(held, ExportForm.FILES, tmp_path / "out", signing=signing).holdings

    assert f"{url} gave no time stamp: Connection refused" in one.refusal
    assert "Errno" not in one.refusal


def test_a_stamp_for_another_request_is_not_taken(
    held: Archive, tmp_path: Path, authority: TimeAuthority
) -> None:
    old: list[bytes] = []

    def replayed(answer: bytes) -> bytes:
        old.append(answer)
        return old[0]

    authority.spoiled = replayed
    signing = Signing(authority=authority.url)
    signed(held, tmp_path / "first", ExportForm.FILES, signing)

    (one,) = exported(held, ExportForm.FILES, tmp_path / "second", signing=signing).holdings

    assert "answers another request" in one.refusal


def test_the_authority_gets_a_digest_and_no_token_over_plain_http(
    held: Archive, tmp_path: Path, authority: TimeAuthority
) -> None:
    signed(held, tmp_path / "out", ExportForm.FILES, Signing(authority=authority.url))

    ((path, query, headers),) = authority.asked
    assert (path, headers["content-type"]) == ("/stamp", "application/timestamp-query")
    assert "authorization" not in headers
    assert len(query) < 100


def test_a_stamp_from_elsewhere_than_the_given_root_is_not_taken(
    held: Archive, tmp_path: Path, authority: TimeAuthority, institution: Institution
) -> None:
    signing = Signing(authority=authority.url, authority_certificates=str(institution.root))

    (one,) = exported(held, ExportForm.FILES, tmp_path / "out", signing=signing).holdings

    assert "none of the trusted certificates" in one.refusal


def test_the_root_that_was_given_lies_beside_the_stamp(
    held: Archive, tmp_path: Path, authority: TimeAuthority
) -> None:
    signing = Signing(authority=authority.url, authority_certificates=str(authority.root))
    path = signed(held, tmp_path / "out", ExportForm.FILES, signing)

    openssl(
        *("ts", "-verify", "-data", "manifest-sha256.txt"),
        *("-in", "signatures/manifest-sha256.txt.tsr"),
        *("-CAfile", "signatures/manifest-sha256.txt.tsr.crt"),
        cwd=path,
    )


def test_a_signature_by_an_expired_certificate_counts_if_it_was_stamped_before(
    held: Archive,
    tmp_path: Path,
    institution: Institution,
    authority: TimeAuthority,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from datetime import UTC, datetime, timedelta

    from carrel.exports.evidence import checking

    short = institution.issued("Short", days="1")
    stamped = signed(held, tmp_path / "1", ExportForm.FILES, of_institution(short, authority))
    alone = signed(held, tmp_path / "2", ExportForm.FILES, of_institution(short))

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Later":
            return cls.fromtimestamp((datetime.now(UTC) + timedelta(days=9)).timestamp(), UTC)

    monkeypatch.setattr(checking, "datetime", Later)
    assert check(stamped, institution.root, authority.root).is_sound
    assert not check(alone, institution.root).is_sound


def test_an_export_that_is_there_unsigned_is_not_said_to_be_signed(
    held: Archive, tmp_path: Path
) -> None:
    only(exported(held, ExportForm.BAGIT, tmp_path))

    (one,) = exported(held, ExportForm.BAGIT, tmp_path, signing=Signing(KEYRING)).holdings

    assert "without signatures/tagmanifest-sha256.txt.p7s" in one.refusal


@pytest.mark.parametrize("curve", ["P-256", "P-384", "P-521"])
def test_keys_on_these_curves_sign(
    held: Archive, tmp_path: Path, institution: Institution, curve: str
) -> None:
    issued = institution.issued(curve, curve=curve)

    path = signed(held, tmp_path / "out", ExportForm.FILES, of_institution(issued))

    assert check(path, institution.root).is_sound


def protected(issued: Issued, folder: Path) -> Path:
    """Return a file with the key under a passphrase, and its certificate."""
    key = serialization.load_pem_private_key(issued.key.read_bytes(), None)
    path = folder / "protected.pem"
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(OPENS.encode()),
    )
    path.write_bytes(pem + issued.certificate.read_bytes())
    return path


def test_a_passphrase_is_asked_for_or_comes_from_environment_or_keyring_and_is_stored_nowhere(
    held: Archive,
    tmp_path: Path,
    issued: Issued,
    ring: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = str(protected(issued, tmp_path))
    with pytest.raises(UsageError, match="CARREL_SIGNING_PASSPHRASE"):
        exported(held, ExportForm.FILES, tmp_path / "0", signing=Signing(key))

    signed(held, tmp_path / "1", ExportForm.FILES, Signing(key, passphrase=OPENS))
    assert ring.kept == {}
    ring.set_password(SERVICE, "signing-passphrase", OPENS)
    signed(held, tmp_path / "2", ExportForm.FILES, Signing(key))
    monkeypatch.setenv("CARREL_SIGNING_PASSPHRASE", "another")
    with pytest.raises(UsageError, match="passphrase is another"):
        exported(held, ExportForm.FILES, tmp_path / "3", signing=Signing(key))


def test_a_passphrase_is_in_no_words_about_the_options() -> None:
    assert "sesame" not in repr(Signing("key.pem", passphrase=OPENS))


def test_a_certificate_of_another_key_is_refused(
    held: Archive, tmp_path: Path, issued: Issued, institution: Institution
) -> None:
    signing = Signing(str(issued.key), str(institution.root))

    with pytest.raises(UsageError, match="no certificate of the key"):
        exported(held, ExportForm.FILES, tmp_path / "out", signing=signing)


def test_an_institutions_key_signs_a_wacz_only_on_the_curve_that_players_know(
    held: Archive, tmp_path: Path, issued: Issued, institution: Institution
) -> None:
    other = institution.issued("Players", curve="P-384")
    with pytest.raises(UsageError, match="P-384"):
        exported(held, ExportForm.WACZ, tmp_path / "1", signing=of_institution(issued))

    report = exported(held, ExportForm.WACZ, tmp_path / "2", signing=of_institution(other))

    assert report.is_whole
    assert report.signer


def test_what_has_no_signature_is_not_sound(held: Archive, tmp_path: Path) -> None:
    path = only(exported(held, ExportForm.FILES, tmp_path))[1]

    report = check(path)

    assert (report.is_sound, report.trouble) == (False, "There is no signature and no time stamp.")


def test_a_signature_of_openssl_is_checked_as_well(
    tmp_path: Path, institution: Institution, issued: Issued
) -> None:
    document = tmp_path / "tides.html"
    document.write_bytes(b"<p>The tide came late.\r\n")
    openssl(
        *("cms", "-sign", "-binary", "-md", "sha256", "-in", document, "-inkey", issued.key),
        *("-signer", issued.certificate, "-outform", "PEM", "-nosmimecap", "-cades"),
        *("-out", f"{document}.p7s"),
    )

    report = check(document, institution.root)
    assert (report.is_sound, report.attestations[0].root) == (True, "CN=Harbour Institute Root")
    document.write_bytes(b"<p>The tide came early.\r\n")
    assert not check(document, institution.root).is_sound


def test_where_there_is_no_keyring_a_key_signs_one_export_alone(
    held: Archive, tmp_path: Path
) -> None:
    with Swapped(LockedKeyring()):
        report = exported(held, ExportForm.FILES, tmp_path, signing=Signing(KEYRING))

    assert not report.has_lasting_key
    assert check(only(report)[1]).is_sound


def test_sha256sum_checks_every_file_of_a_signed_export_but_its_signatures(
    held: Archive, tmp_path: Path
) -> None:
    path = signed(held, tmp_path, ExportForm.ROCRATE, Signing(KEYRING))

    ran = subprocess.run(
        ["sha256sum", "-c", "manifest-sha256.txt"], cwd=path, capture_output=True, text=True
    )

    assert ran.returncode == 0
    assert ran.stdout.count(": OK") == len(tree(path)) - 3


def test_a_signed_wacz_is_checked_with_every_file_in_it(held: Archive, tmp_path: Path) -> None:
    report = exported(held, ExportForm.WACZ, tmp_path, signing=Signing(KEYRING))
    path = only(report)[1]

    found = check(path)

    assert found.is_sound
    assert found.attestations[0].signer is not None
    assert found.attestations[0].signer.key_sha256 == report.signer
    assert found.files > 3


@pytest.mark.parametrize("name", ["datapackage.json", "pages/pages.jsonl"])
def test_a_wacz_in_which_something_was_changed_is_not_sound(
    held: Archive, tmp_path: Path, name: str
) -> None:
    path = signed(held, tmp_path, ExportForm.WACZ, Signing(KEYRING))
    other = tmp_path / "other.wacz"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(other, "w") as changed:
        for each in package.infolist():
            content = package.read(each)
            changed.writestr(each, content + b" " if each.filename == name else content)

    assert not check(other).is_sound


def test_an_unsigned_wacz_is_not_sound(held: Archive, tmp_path: Path) -> None:
    path = only(exported(held, ExportForm.WACZ, tmp_path))[1]

    assert check(path).trouble == "There is no signature and no time stamp."


def test_a_bag_in_a_tar_is_checked_where_it_is(
    held: Archive, tmp_path: Path, institution: Institution, issued: Issued
) -> None:
    info = (("Source-Organization", "Harbour"), ("Access", "Institution"))
    options: dict[str, Any] = {"profile": "aptrust", "bag_info": info}
    signing = of_institution(issued)
    path = only(exported(held, ExportForm.BAGIT, tmp_path, signing=signing, **options))[1]

    report = check(path, institution.root)

    assert path.suffix == ".tar"
    assert report.is_sound, (report.faults, report.trouble)
    assert report.files > 3
