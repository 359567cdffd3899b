# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel credentials`, as a shell sees it."""

import io
from collections.abc import Callable, Iterator

import pytest

from carrel.cli.program import run as main
from carrel.credentials import Credentials, Keys, Token
from support.archives import Ran
from support.keyrings import MemoryKeyring, Swapped, no_keyring

Carrel = Callable[..., Ran]


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    with Swapped(memory := MemoryKeyring()):
        yield memory


@pytest.fixture
def carrel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Carrel:
    """The command line within this process, with something on standard input."""
    for name in ("IA_ACCESS_KEY_ID", "IA_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.argv", ["carrel", "credentials", *arguments])
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run


def test_keys_for_archive_org_are_read_from_standard_input(
    carrel: Carrel, ring: MemoryKeyring
) -> None:
    ran = carrel("set", "archive.org", typed="Access1\nSecret1\n")

    assert (ran.code, ran.out) == (0, "")
    assert "Secret1" not in ran.err
    assert Credentials().archiveorg() == Keys("Access1", "Secret1")


@pytest.mark.parametrize(
    ("arguments", "header"),
    [
        (["zenodo.org"], {"Authorization": "Bearer ttt"}),
        (["dataverse.nl"], {"X-Dataverse-key": "ttt"}),
        (["data.goettingen-research-online.de"], {"X-Dataverse-key": "ttt"}),
        (["data.example", "--kind", "figshare"], {"Authorization": "token ttt"}),
    ],
)
def test_a_token_is_stored_with_its_kind(
    carrel: Carrel, ring: MemoryKeyring, arguments: list[str], header: dict[str, str]
) -> None:
    ran = carrel("set", *arguments, typed="ttt\n")

    assert ran.code == 0
    assert Credentials().headers_for(f"https://{arguments[0]}/") == header


def test_names_are_listed_and_nothing_else(carrel: Carrel, ring: MemoryKeyring) -> None:
    Credentials().set("zenodo.org", Token("ttt"))

    assert carrel("list").out == "zenodo.org\n"
    assert carrel("list", "--json").lines == [{"name": "zenodo.org", "place": "keyring"}]


def test_keys_in_the_environment_are_listed_as_such(
    carrel: Carrel, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", "b")

    assert carrel("list").out == "archive.org (from the environment)\n"


def test_tokens_in_the_environment_are_listed_by_their_variables(
    carrel: Carrel, ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_TOKEN_ZENODO_ORG", "ttt")

    assert carrel("list").out == "CARREL_TOKEN_ZENODO_ORG (from the environment)\n"


def test_what_is_removed_is_gone(carrel: Carrel, ring: MemoryKeyring) -> None:
    Credentials().set("zenodo.org", Token("ttt"))

    assert carrel("remove", "zenodo.org").code == 0
    again = carrel("remove", "zenodo.org")

    assert (again.code, Credentials().names()) == (1, ())
    assert "nothing for zenodo.org" in again.err


@pytest.mark.parametrize(
    ("name", "typed"), [("https://zenodo.org/x", "ttt"), ("zenodo.org", ""), ("archive.org", "a")]
)
def test_what_can_be_no_credential_is_refused(
    carrel: Carrel, ring: MemoryKeyring, name: str, typed: str
) -> None:
    ran = carrel("set", name, typed=typed)

    assert (ran.code, ring.kept) == (2, {})
    assert ran.err.startswith("carrel: ")


def test_a_secret_is_no_argument(carrel: Carrel, ring: MemoryKeyring) -> None:
    ran = carrel("set", "zenodo.org", "ttt")

    assert (ran.code, ring.kept) == (2, {})


def test_a_system_without_a_keyring_is_told_what_to_do(carrel: Carrel) -> None:
    with Swapped(no_keyring()):
        stored, listed = carrel("set", "zenodo.org", typed="ttt"), carrel("list")

    assert (stored.code, listed.code) == (2, 1)
    assert "no keyring. Install" in stored.err
    assert "no keyring. Install" in listed.err
