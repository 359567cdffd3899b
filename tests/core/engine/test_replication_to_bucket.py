# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy in a bucket of a real S3-compatible server."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.credentials import Credentials, Keys
from carrel.engine.copying import bring_up_to_date
from support.archives import carrel
from support.copied import archive_of_tides, warc_of
from support.keyrings import MemoryKeyring, Swapped
from support.object_store import ObjectStore, object_store

COPY = "s3://copies/desk/one"


@pytest.fixture(scope="module")
def bucket() -> Iterator[ObjectStore]:
    with object_store() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def test_a_copy_in_a_bucket_is_made_compared_and_repaired_from(
    archive: Path, bucket: ObjectStore
) -> None:
    env = bucket.variables
    made = carrel("replicate", COPY, "--archive", archive, env=env)
    assert made.code == 0, made.out + made.err
    listed = bucket.get("desk/one/copy-sha256.txt").decode().splitlines()
    for line in listed:
        digest, _, name = line.partition("  ")
        assert hashlib.sha256(bucket.get(f"desk/one/{name}")).hexdigest() == digest
    assert (
        "Nothing had to be copied" in carrel("replicate", COPY, "--archive", archive, env=env).out
    )
    assert carrel("verify", "--copy", COPY, "--archive", archive, env=env).code == 0

    sound = warc_of(archive).read_bytes()
    warc_of(archive).write_bytes(sound[:-200] + b"?" * 200)
    name = warc_of(archive).relative_to(archive).as_posix()
    found = carrel("verify", "--copy", COPY, "--archive", archive, "--json", env=env)
    (told,) = found.lines
    assert [(each["name"], each["difference"]) for each in told["differing"]] == [
        (name, "damaged-here")
    ]
    repaired = carrel("repair", "--from", COPY, "--archive", archive, env=env)
    assert repaired.code == 0, repaired.out + repaired.err
    assert warc_of(archive).read_bytes() == sound

    bucket.put(f"desk/one/{name}", sound[:100] + b"!" + sound[101:])
    found = carrel("verify", "--copy", COPY, "--archive", archive, "--json", env=env)
    assert [each["difference"] for each in found.lines[0]["differing"]] == ["damaged-in-copy"]
    bucket.delete(f"desk/one/{name}")
    found = carrel("verify", "--copy", COPY, "--archive", archive, "--json", env=env)
    assert [each["difference"] for each in found.lines[0]["differing"]] == ["missing-in-copy"]
    again = carrel("replicate", COPY, "--archive", archive, env=env)
    assert again.code == 0, again.out
    assert bucket.get(f"desk/one/{name}") == sound


def test_a_bucket_that_is_not_there_is_named(archive: Path, bucket: ObjectStore) -> None:
    told = carrel("replicate", "s3://nothing-here/x", "--archive", archive, env=bucket.variables)
    assert told.code == 2
    assert "s3://nothing-here/x" in told.err
    assert "secret-of-the-test" not in told.err
    assert "<?xml" not in told.err


def test_without_a_key_nothing_is_asked(archive: Path) -> None:
    told = carrel("replicate", COPY, "--archive", archive, env={"AWS_ACCESS_KEY_ID": ""})
    assert told.code == 2
    assert "AWS_SECRET_ACCESS_KEY" in told.err


def test_keys_may_be_in_the_keyring(
    archive: Path, bucket: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = bucket.variables
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", env["AWS_ENDPOINT_URL"])
    with Swapped(MemoryKeyring()):
        Credentials().set("s3://copies", Keys("key-in-the-ring", "secret-in-the-ring"))
        with Archive.open_for_reading(archive) as opened:
            done = bring_up_to_date(opened, "s3://copies/ring", lambda done, total: None)
    assert done.not_copied == []
    assert b"carrel.sqlite" in bucket.get("ring/copy-sha256.txt")


def test_a_key_is_not_sent_in_the_clear(archive: Path, bucket: ObjectStore) -> None:
    env = {**bucket.variables, "AWS_ENDPOINT_URL": "http://store.example.org"}
    told = carrel("replicate", COPY, "--archive", archive, env=env)
    assert told.code == 2
    assert "not encrypted" in told.err


@pytest.mark.parametrize("address", ["s3://", "s3://B/x", "s3://a/x?y", "s3://copies:80/x"])
def test_addresses_that_name_no_bucket_are_refused(archive: Path, address: str) -> None:
    told = carrel("replicate", address, "--archive", archive)
    assert told.code == 2
    assert "s3://BUCKET/PREFIX" in told.err
