# SPDX-License-Identifier: AGPL-3.0-or-later
"""A second copy on a real sshd, and on a server that is not what it should be."""

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.credentials import Credentials
from carrel.engine.replication.sftp import SftpStore
from carrel.errors import ArchiveError
from carrel.model.store_address import sftp_address
from support.archives import carrel, command, environment
from support.copied import archive_of_tides, warc_of
from support.sftp_server import SftpServer, sftp_server
from support.sftp_stand_in import PASSWORD, StandIn, stand_in


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SftpServer]:
    with sftp_server(tmp_path_factory.mktemp("sshd")) as server:
        yield server


@pytest.fixture(autouse=True)
def no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)


@pytest.fixture
def server(
    running: SftpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SftpServer]:
    """The server with a folder of this test's own, known to who runs it."""
    running.remote = tmp_path / "remote"
    running.remote.mkdir()
    running.let_in()
    running.make_known()
    for name, value in running.variables.items():
        monkeypatch.setenv(name, value)
    yield running
    running.stop()
    running.make_host_key()
    running.start()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return archive_of_tides(tmp_path)


def store_of(server: SftpServer | StandIn) -> SftpStore:
    address = sftp_address(server.address)
    assert address is not None
    return SftpStore(address, Credentials(), first_pause_s=0.05)


def pieces_of(content: bytes, size: int = 100_000) -> Callable[[], Iterator[bytes]]:
    return lambda: (content[at : at + size] for at in range(0, len(content), size))


def test_a_copy_on_a_server_is_made_compared_and_repaired_from(
    archive: Path, server: SftpServer
) -> None:
    made = carrel("replicate", server.address, "--archive", archive)
    assert made.code == 0, made.out + made.err
    listed = (server.remote / "copy-sha256.txt").read_text().splitlines()
    names = {line.partition("  ")[2] for line in listed}
    for line in listed:
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((server.remote / name).read_bytes()).hexdigest() == digest
    files = {each.relative_to(server.remote) for each in server.remote.rglob("*") if each.is_file()}
    assert files == {*map(Path, names), Path("copy-sha256.txt")}
    again = carrel("replicate", server.address, "--archive", archive)
    assert "Nothing had to be copied" in again.out
    assert carrel("verify", "--copy", server.address, "--archive", archive).code == 0

    sound = warc_of(archive).read_bytes()
    warc_of(archive).write_bytes(sound[:-200] + b"?" * 200)
    repaired = carrel("repair", "--from", server.address, "--archive", archive)
    assert repaired.code == 0, repaired.out + repaired.err
    assert warc_of(archive).read_bytes() == sound

    (server.remote / warc_of(archive).relative_to(archive)).write_bytes(
        sound[:100] + b"!" + sound[101:]
    )
    found = carrel("verify", "--copy", server.address, "--archive", archive, "--json")
    assert [each["difference"] for each in found.lines[0]["differing"]] == ["damaged-in-copy"]


def test_a_server_that_is_not_known_gets_nothing_until_its_key_is_accepted(
    archive: Path, server: SftpServer
) -> None:
    (server.home / ".ssh/known_hosts").unlink()
    told = carrel("replicate", server.address, "--archive", archive)
    assert told.code == 2
    assert server.fingerprint() in told.err
    assert f"carrel credentials accept-host {server.name}" in " ".join(told.err.split())
    assert list(server.remote.iterdir()) == []

    wrong = carrel("credentials", "accept-host", server.name, f"SHA256:{'x' * 43}")
    assert wrong.code == 2
    assert "Nothing was accepted" in wrong.err
    right = carrel("credentials", "accept-host", server.name, server.fingerprint())
    assert right.code == 0, right.err
    assert carrel("replicate", server.address, "--archive", archive).code == 0


def test_a_changed_host_key_gets_nothing(archive: Path, server: SftpServer) -> None:
    server.stop()
    server.make_host_key()
    server.start()
    told = carrel("replicate", server.address, "--archive", archive)
    assert told.code == 2
    assert "has changed" in told.err
    assert server.fingerprint() in told.err
    assert list(server.remote.iterdir()) == []
    accepted = carrel("credentials", "accept-host", server.name, server.fingerprint())
    assert accepted.code == 0
    # What the person's own OpenSSH says counts first, and still says otherwise.
    assert carrel("replicate", server.address, "--archive", archive).code == 2


def test_a_key_with_a_passphrase_is_opened_by_what_is_stored(
    archive: Path, server: SftpServer
) -> None:
    server.let_in("tide and surf")
    told = carrel("replicate", server.address, "--archive", archive)
    assert told.code == 2
    assert f"carrel credentials set {server.name}" in " ".join(told.err.split())
    env = {f"CARREL_PASSPHRASE_127_0_0_1_{server.port}": "tide and surf"}
    assert carrel("replicate", server.address, "--archive", archive, env=env).code == 0


def test_who_has_neither_key_nor_password_is_told_what_to_do(
    archive: Path, server: SftpServer
) -> None:
    (server.home / ".ssh/id_ed25519").unlink()
    for env in ({}, {f"CARREL_PASSWORD_127_0_0_1_{server.port}": "wrong-password"}):
        told = carrel("replicate", server.address, "--archive", archive, env=env)
        assert told.code == 2
        assert "does not let you in" in told.err
        assert "wrong-password" not in told.err
        assert "Traceback" not in told.err


def test_another_key_is_named_in_the_configuration_of_openssh(
    archive: Path, server: SftpServer
) -> None:
    ssh = server.home / ".ssh"
    (ssh / "id_ed25519").rename(ssh / "for-copies")
    config = (
        f"Host nas\n HostName 127.0.0.1\n Port {server.port}\n IdentityFile ~/.ssh/for-copies\n"
    )
    (ssh / "config").write_text(config)
    address = f"sftp://nas{server.remote}"
    try:
        told = carrel("replicate", address, "--archive", archive)
    finally:
        (ssh / "config").unlink()
    assert told.code == 0, told.err


@pytest.mark.parametrize(
    "address",
    [
        "sftp://",
        "sftp://host",
        "sftp://ada:secret@host/copies",
        "sftp://ada:@host/copies",
        "sftp://host/../copies",
        "sftp://host/copies?x",
        "sftp://host:99999/copies",
        "sftp://-oProxyCommand=x/copies",
        "sftp://a b@host/copies",
    ],
)
def test_addresses_that_name_no_folder_of_a_server_are_refused(archive: Path, address: str) -> None:
    told = carrel("replicate", address, "--archive", archive)
    assert told.code == 2
    assert "sftp://HOST/PATH" in told.err
    assert "secret" not in told.err


def test_a_cut_connection_is_made_anew_and_the_file_goes_on(server: SftpServer) -> None:
    store, content = store_of(server), os.urandom(40_000_000)

    def cut_in_the_middle() -> Iterator[bytes]:
        for number, piece in enumerate(pieces_of(content)()):
            if number == 200 and len(cuts) < 2:
                cuts.append(number)
                server.cut()
            yield piece

    cuts: list[int] = []
    store.write("big", cut_in_the_middle)
    assert len(cuts) == 2
    assert (server.remote / "big").read_bytes() == content
    read: list[bytes] = []
    for piece in store.read("big"):
        if not read:
            server.cut()
        read.append(piece)
    assert b"".join(read) == content
    store.close()


def test_a_server_that_does_not_come_back_is_given_up(server: SftpServer) -> None:
    store = store_of(server)
    assert list(store.objects()) == []
    server.stop()
    with pytest.raises(OSError, match="refused"):
        store.write("big", pieces_of(b"x"))


def test_what_was_uploaded_before_a_kill_is_compared_and_kept(server: SftpServer) -> None:
    store, content = store_of(server), os.urandom(3_000_000)

    def killed() -> Iterator[bytes]:
        yield content[:2_000_000]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.write("big", killed)
    (part,) = server.remote.iterdir()
    assert part.read_bytes() == content[:2_000_000]
    assert list(store.objects()) == []
    inode = part.stat().st_ino
    part.write_bytes(
        content[:1_900_000] + b"!" + content[1_900_001:2_000_000] + b"too much" * 10**6
    )
    store.write("big", pieces_of(content))
    assert (server.remote / "big").read_bytes() == content
    assert (server.remote / "big").stat().st_ino == inode
    store.close()


def test_links_on_the_server_lead_nowhere(server: SftpServer, tmp_path: Path) -> None:
    store = store_of(server)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/secret").write_bytes(b"secret")
    (server.remote / "collections").symlink_to(tmp_path / "elsewhere")
    (server.remote / "file").symlink_to(tmp_path / "elsewhere/secret")
    assert list(store.objects()) == []
    with pytest.raises(ArchiveError, match="link"):
        store.write("collections/new", pieces_of(b"new"))
    with pytest.raises(ArchiveError, match="link"):
        list(store.read("collections/secret"))
    with pytest.raises(ArchiveError, match="link"):
        list(store.read("file"))
    store.write("file", pieces_of(b"new"))
    assert [each.read_bytes() for each in (tmp_path / "elsewhere").iterdir()] == [b"secret"]
    assert (server.remote / "file").read_bytes() == b"new"
    store.close()


def test_a_link_in_place_of_a_part_is_not_written_through(
    server: SftpServer, tmp_path: Path
) -> None:
    store = store_of(server)
    name = f".{hashlib.sha256(b'file').hexdigest()[:16]}.part"
    (tmp_path / "victim").write_bytes(b"mine")
    (server.remote / name).symlink_to(tmp_path / "victim")
    store.write("file", pieces_of(b"new"))
    assert (tmp_path / "victim").read_bytes() == b"mine"
    assert (server.remote / "file").read_bytes() == b"new"
    store.close()


def test_a_folder_that_takes_nothing_is_named(
    archive: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sftp_server(tmp_path_factory.mktemp("read-only"), options="-R") as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        told = carrel("replicate", server.address, "--archive", archive)
    assert told.code == 2
    assert "cannot be read or written" in told.err
    assert "denied" in told.err.lower()


def test_a_killed_run_is_continued_on_a_server(
    archive: Path, server: SftpServer, tmp_path: Path
) -> None:
    for delay in (0.6, 0.9, 1.2):
        process = subprocess.Popen(
            command("replicate", server.address, "--archive", archive),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    told = carrel("replicate", server.address, "--archive", archive)
    assert told.code == 0, told.out + told.err
    assert carrel("verify", "--copy", server.address, "--archive", archive).code == 0


def test_a_folder_of_many_folders_is_listed_whole(server: SftpServer) -> None:
    store = store_of(server)
    names = {f"dark/{number % 7}/{number % 5}/object-{number}" for number in range(300)}
    for name in names:
        (server.remote / name).parent.mkdir(parents=True, exist_ok=True)
        (server.remote / name).write_bytes(b"12345")
    assert dict(store.objects()) == dict.fromkeys(names, 5)
    free = store.free()
    assert free is not None
    assert free > 0
    store.close()


# What no OpenSSH does


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    (tmp_path / "odd/copy").mkdir(parents=True)
    with stand_in(StandIn(tmp_path / "odd")) as shown:
        shown.make_known(tmp_path / "home")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.setenv(f"CARREL_PASSWORD_127_0_0_1_{shown.port}", PASSWORD)
        yield shown


@pytest.mark.parametrize("name", ["../outside", "a/b", "..\0", ""])
def test_names_that_lead_elsewhere_are_refused(odd: StandIn, name: str) -> None:
    odd.extra = [name]
    store = store_of(odd)
    with pytest.raises(OSError, match="lists the name"):
        list(store.objects())
    store.close()


def test_a_server_without_extensions_gets_whole_files(odd: StandIn) -> None:
    store, content = store_of(odd), os.urandom(300_000)
    assert store.free() is None
    store.write("a/file", pieces_of(b"old"))
    store.write("a/file", pieces_of(content))
    assert b"".join(store.read("a/file")) == content
    assert [each.name for each in (odd.folder / "copy/a").iterdir()] == ["file"]
    store.close()


def test_a_kill_between_removing_and_renaming_loses_nothing(odd: StandIn) -> None:
    store = store_of(odd)
    (odd.folder / "copy/.file.carrel-whole").write_bytes(b"the new one")
    assert dict(store.objects()) == {"file": 11}
    assert b"".join(store.read("file")) == b"the new one"
    store.write("file", pieces_of(b"newer"))
    assert b"".join(store.read("file")) == b"newer"
    (odd.folder / "copy/.file.carrel-whole").write_bytes(b"not renamed yet")
    assert dict(store.objects()) == {"file": 5}
    store.write("file", pieces_of(b"newest"))
    assert dict(store.objects()) == {"file": 6}
    store.close()


def test_a_full_disk_on_the_server_is_named_and_leaves_what_was_there(
    archive: Path, odd: StandIn
) -> None:
    store = store_of(odd)
    store.write("file", pieces_of(b"old"))
    odd.room = 150_000
    with pytest.raises(OSError, match="Failure"):
        store.write("file", pieces_of(os.urandom(400_000)))
    assert b"".join(store.read("file")) == b"old"
    store.close()


def test_a_password_with_a_blank_lets_in_and_a_wrong_one_does_not(
    archive: Path, odd: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert carrel("replicate", odd.address, "--archive", archive).code == 0
    monkeypatch.setenv(f"CARREL_PASSWORD_127_0_0_1_{odd.port}", "wrong-password")
    told = carrel("replicate", odd.address, "--archive", archive)
    assert told.code == 2
    assert "does not let you in" in told.err
    assert "wrong-password" not in told.err
