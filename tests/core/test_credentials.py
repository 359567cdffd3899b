# SPDX-License-Identifier: AGPL-3.0-or-later
"""Credentials: in the keyring alone, and told to their own host alone."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.credentials import Credentials, Keys, Token, TokenKind, token_variable
from carrel.engine.stored_credentials import stored_credentials
from carrel.errors import CarrelError, NoKeyring, UsageError
from support.keyrings import (
    SERVICE,
    ForgetfulKeyring,
    LockedKeyring,
    MemoryKeyring,
    Swapped,
    no_keyring,
)

KEYS = Keys("Access1", "Secret1")


@pytest.fixture(autouse=True)
def _no_keys_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IA_ACCESS_KEY_ID", raising=False)
    monkeypatch.delenv("IA_SECRET_ACCESS_KEY", raising=False)


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture
def credentials(ring: MemoryKeyring) -> Credentials:
    stored = Credentials()
    stored.set("archive.org", KEYS)
    stored.set("zenodo.org", Token("zzz"))
    stored.set("dataverse.example.edu", Token("ddd", TokenKind.DATAVERSE))
    stored.set("api.figshare.com", Token("fff", TokenKind.FIGSHARE))
    stored.set("127.0.0.1:8080", Token("ppp"))
    return stored


def test_what_is_stored_is_there_for_the_next_program(credentials: Credentials) -> None:
    assert Credentials().archiveorg() == KEYS
    assert Credentials().headers_for("https://zenodo.org/api/records/1") == {
        "Authorization": "Bearer zzz"
    }


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("https://zenodo.org/records/1", {"Authorization": "Bearer zzz"}),
        ("https://ZENODO.org:443", {"Authorization": "Bearer zzz"}),
        ("https://dataverse.example.edu/api?x=1", {"X-Dataverse-key": "ddd"}),
        ("https://api.figshare.com/v2/account", {"Authorization": "token fff"}),
        ("http://127.0.0.1:8080/a", {"Authorization": "Bearer ppp"}),
    ],
)
def test_each_platform_is_told_as_it_wants_it(
    credentials: Credentials, url: str, headers: dict[str, str]
) -> None:
    assert credentials.headers_for(url) == headers


@pytest.mark.parametrize(
    "url",
    [
        "http://zenodo.org/records/1",
        "https://www.zenodo.org/",
        "https://zenodo.org.example/",
        "https://notzenodo.org/",
        "https://zenodo.org:8443/",
        "https://zenodo.org./",
        "https://zenodo.org@example.org/",
        "https://example.org@zenodo.org/",
        "https://example.org/#@zenodo.org",
        "https://zenodo.org\\@example.org/",
        "https://zenodo.org /",
        "https://zenodo.org\n/",
        " https://zenodo.org/",
        "ftp://zenodo.org/",
        "//zenodo.org/",
        "http://127.0.0.1:8081/",
        "http://127.0.0.1/",
        "https://archive.org/details/x",
        "https://names/",
        "",
    ],
)
def test_nobody_else_is_told_anything(credentials: Credentials, url: str) -> None:
    assert credentials.headers_for(url) == {}


def test_names_are_listed_and_forgotten(credentials: Credentials) -> None:
    assert credentials.remove("Zenodo.org")
    assert not credentials.remove("zenodo.org")

    assert credentials.headers_for("https://zenodo.org/") == {}
    assert credentials.names() == (
        "127.0.0.1:8080",
        "api.figshare.com",
        "archive.org",
        "dataverse.example.edu",
    )


def test_the_token_of_fatcat_goes_to_no_host_by_itself(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    credentials.set("fatcat", Token("mmm"))

    assert credentials.of_fatcat() == "mmm"
    assert credentials.headers_for("https://fatcat/") == {}
    assert "fatcat" in credentials.names()
    monkeypatch.setenv("CARREL_TOKEN_FATCAT", "eee")
    assert credentials.of_fatcat() == "eee"
    assert credentials.headers_for("https://fatcat/") == {}


def test_one_entry_lists_the_names_and_nothing_secret(
    ring: MemoryKeyring, credentials: Credentials
) -> None:
    listed = ring.kept[SERVICE, "names"]

    assert "zenodo.org" in json.loads(listed)
    assert "zzz" not in listed


def test_what_somebody_else_put_into_the_keyring_is_nothing(ring: MemoryKeyring) -> None:
    ring.kept[SERVICE, "names"] = '{"a": 1}'
    ring.kept[SERVICE, "zenodo.org"] = "hand-written"
    ring.kept[SERVICE, "osf.io"] = '{"token": "x", "kind": "other"}'
    ring.kept[SERVICE, "archive.org"] = '["x"]'

    found = Credentials()

    assert (found.names(), found.archiveorg()) == ((), None)
    assert found.headers_for("https://zenodo.org/") == {}
    assert found.headers_for("https://osf.io/") == {}


@pytest.mark.parametrize(
    ("name", "credential"),
    [
        ("names", Token("x")),
        ("", Token("x")),
        ("https://zenodo.org", Token("x")),
        ("zenodo.org/x", Token("x")),
        ("zenodo.org", Token("")),
        ("zenodo.org", Token("a b")),
        ("zenodo.org", Token("a\r\nHost: b")),
        ("zenodo.org", Token("é")),
        ("zenodo.org", KEYS),
        ("archive.org", Token("x")),
        ("archive.org", Keys("x", "")),
    ],
)
def test_what_can_be_no_credential_is_refused(
    ring: MemoryKeyring, name: str, credential: Keys | Token
) -> None:
    with pytest.raises(UsageError):
        Credentials().set(name, credential)

    assert ring.kept == {}


def test_nothing_secret_is_ever_shown(credentials: Credentials) -> None:
    shown = f"{KEYS!r} {KEYS} {Token('zzz')!r} {credentials!r} {vars(credentials)}"

    assert not [secret for secret in ("Access1", "Secret1", "zzz") if secret in shown]


def test_the_keyring_is_not_asked_for_each_file(
    ring: MemoryKeyring, credentials: Credentials
) -> None:
    reads = ring.reads

    for number in range(100):
        credentials.headers_for(f"https://zenodo.org/{number}")

    assert ring.reads == reads + 1


def test_a_token_that_another_program_stored_is_found_after_a_while(ring: MemoryKeyring) -> None:
    now = [0.0]
    window = Credentials(clock=lambda: now[0])
    assert window.headers_for("https://osf.io/") == {}
    Credentials().set("osf.io", Token("ooo"))

    now[0] += 11

    assert window.headers_for("https://osf.io/") == {"Authorization": "Bearer ooo"}


def test_keys_that_another_program_stored_are_found_at_once(ring: MemoryKeyring) -> None:
    window = Credentials()
    assert window.archiveorg() is None

    Credentials().set("archive.org", KEYS)

    assert window.archiveorg() == KEYS


def test_the_environment_comes_before_the_keyring(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", "EnvAccess")
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", "EnvSecret")

    assert credentials.archiveorg() == Keys("EnvAccess", "EnvSecret")


def test_half_a_pair_in_the_environment_is_named(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", "EnvAccess")

    assert credentials.archiveorg() is None
    assert "Set both IA_ACCESS_KEY_ID and IA_SECRET_ACCESS_KEY" in (credentials.unusable() or "")


@pytest.mark.parametrize(
    ("ring", "words"),
    [(no_keyring(), "This system has no keyring"), (LockedKeyring(), "is locked")],
)
def test_without_a_keyring_reading_finds_nothing_and_writing_says_why(
    ring: MemoryKeyring, words: str
) -> None:
    with Swapped(ring):
        credentials = Credentials()

        assert credentials.archiveorg() is None
        assert credentials.headers_for("https://zenodo.org/") == {}
        assert words in (credentials.unusable() or "")
        for act in (credentials.names, lambda: credentials.set("osf.io", Token("x"))):
            with pytest.raises(NoKeyring, match=words):
                act()


def test_a_system_without_a_keyring_is_told_of_the_environment() -> None:
    with Swapped(no_keyring()), pytest.raises(CarrelError, match="IA_ACCESS_KEY_ID"):
        Credentials().names()


@pytest.mark.skipif(sys.platform != "linux", reason="keyrings of Linux")
@pytest.mark.parametrize("has_bus", [False, True])
def test_outside_of_a_session_nothing_is_loaded_that_talks_to_one(
    tmp_path: Path, *, has_bus: bool
) -> None:
    program = (
        "import sys; from carrel.credentials import Credentials; "
        "print(Credentials().unusable()); print(bool(sys.modules.get('secretstorage')))"
    )
    kept_out = ("DBUS_SESSION_BUS_ADDRESS", "PYTHON_KEYRING_BACKEND")
    environment = {name: value for name, value in os.environ.items() if name not in kept_out}
    if has_bus:  # where nobody answers
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={tmp_path}/bus"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    told, is_loaded = ran.stdout.splitlines()
    assert "keyring" in told
    assert is_loaded == str(has_bus)


def test_a_keyring_that_keeps_nothing_is_not_believed() -> None:
    with Swapped(ForgetfulKeyring()), pytest.raises(NoKeyring, match="does not store"):
        Credentials().set("zenodo.org", Token("x"))


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("zenodo.org", "CARREL_TOKEN_ZENODO_ORG"),
        ("data-x.example.org", "CARREL_TOKEN_DATA__X_EXAMPLE_ORG"),
        ("127.0.0.1:8080", "CARREL_TOKEN_127_0_0_1_8080"),
        ("[::1]:8080", None),
        ("a-.example", None),
        ("a..example", None),
    ],
)
def test_a_host_has_a_variable_of_its_own(host: str, name: str | None) -> None:
    assert token_variable(host) == name


@pytest.mark.parametrize(
    ("url", "value", "headers"),
    [
        ("https://zenodo.org/records/1", "eee", {"Authorization": "Bearer eee"}),
        ("https://api.figshare.com/v2", "eee", {"Authorization": "token eee"}),
        ("https://dataverse.example.edu/api", " eee\n", {"X-Dataverse-key": "eee"}),
        ("https://ckan.example.org/api", "eee", {"Authorization": "eee"}),
        ("https://www.kaggle.com/x", "ada:eee", {"Authorization": "Basic YWRhOmVlZQ=="}),
        ("https://www.kaggle.com/x", "eee", {}),
        ("https://zenodo.org/records/1", "e e", {}),
    ],
)
def test_a_token_in_the_environment_is_told_as_its_platform_wants_it(
    ring: MemoryKeyring,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    value: str,
    headers: dict[str, str],
) -> None:
    monkeypatch.setenv(token_variable(url.split("/")[2]) or "", value)

    assert stored_credentials().headers_for(url) == headers
    assert stored_credentials().headers_for("https://zenodo.example/") == {}


def test_a_token_in_the_environment_comes_before_the_keyring(
    credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_TOKEN_ZENODO_ORG", "eee")

    assert credentials.headers_for("https://zenodo.org/") == {"Authorization": "Bearer eee"}


def test_a_basic_token_is_a_name_and_a_key(ring: MemoryKeyring) -> None:
    with pytest.raises(UsageError, match="NAME:KEY"):
        Credentials().set("www.kaggle.com", Token("eee", TokenKind.BASIC))
