# SPDX-License-Identifier: AGPL-3.0-or-later
"""Sources as forms and as YAML: each is read from the other, and what stands there is kept."""

import pytest

from carrel_desktop.views.archives.checks import name_problem, problems, text_problem
from carrel_desktop.views.archives.draft import Draft, Field, Kind
from carrel_desktop.views.archives.edit import Edit, edit_of, new_edit, suggested_name
from carrel_desktop.views.archives.source_text import draft_of, entry_text, parsed, quoted, text_of
from support.fake_sources import NATIONAL, ODD, PORTUGAL, WAYBACK

BASE = "https://arquivo.pt/wayback"


def of_base(base: str) -> Draft:
    return Draft(Kind.MEMENTO).written(Field.BASE, base)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PORTUGAL, Kind.MEMENTO),
        (NATIONAL, Kind.MEMENTO),
        (WAYBACK, Kind.CDX),
        ("cdx+https://h/cdx", Kind.CDX),
        ("{type: cdx, api_url: 'http://h/?url={url}'}", Kind.CDX),
        ("./indexes", Kind.FILE),
        ("file:///indexes/a.cdxj", Kind.FILE),
        ("type: file\npath: ./indexes", Kind.FILE),
        ("/media/2019.warc.gz", Kind.WARC),
        ("C:\\crawls\\a.wacz", Kind.WARC),
        ("redis://localhost/0/key", Kind.REDIS),
        ("$live", Kind.LIVE),
        ("{type: live}", Kind.LIVE),
        ("$archive", Kind.ARCHIVE),
    ],
)
def test_every_form_of_the_file_has_a_form_of_the_page_and_comes_back_as_it_was(
    text: str, kind: Kind
) -> None:
    draft = draft_of(text)

    assert draft is not None
    assert draft.kind is kind
    assert problems(draft) == {}
    assert text_problem(text) == ""
    assert text_of(draft, text) == text
    assert draft_of(text_of(draft)) == draft


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Enter a source"),
        ("[1", "not valid YAML"),
        ("a: b: c", "Line 1"),
        ("https://arquivo.pt/", "memento+"),
        ("$lve", "Carrel does not know this kind"),
        (ODD, "Carrel does not know this kind"),
        ("api_url: http://h/?url={url}", "needs a “type”"),
        ("- memento+http://h/", "Carrel does not know this kind"),
        ("12", "Carrel does not know this kind"),
        ("[" * 5000, "too long for one source"),
        ("memento+arquivo.pt", "http:// or https://"),
        ("type: memento\nreplay_url: http://h/{url}\ntimemap_url: http://h/{url}", "{timestamp}"),
    ],
)
def test_what_is_no_source_is_said_in_words(text: str, why: str) -> None:
    assert why in text_problem(text)


def test_the_addresses_of_an_archive_follow_from_its_address() -> None:
    draft = of_base(BASE)

    assert draft.value(Field.TIMEGATE) == f"{BASE}/{{url}}"
    assert draft.value(Field.TIMEMAP) == f"{BASE}/timemap/link/{{url}}"
    assert draft.value(Field.REPLAY) == f"{BASE}/{{timestamp}}id_/{{url}}"
    assert text_of(draft) == f"memento+{BASE}"


def test_an_address_written_otherwise_stays_and_the_others_go_on_following() -> None:
    draft = of_base(BASE).written(Field.TIMEMAP, "https://h/map/{url}")

    moved = draft.written(Field.BASE, "https://h/web")

    assert moved.value(Field.TIMEMAP) == "https://h/map/{url}"
    assert moved.value(Field.TIMEGATE) == "https://h/web/{url}"
    assert text_of(moved).splitlines()[0] == "type: memento"


def test_an_address_written_as_it_follows_makes_the_source_short_again() -> None:
    draft = of_base(BASE).written(Field.TIMEMAP, "https://h/map/{url}")

    again = draft.written(Field.TIMEMAP, f"{BASE}/timemap/link/{{url}}")

    assert again == of_base(BASE)


@pytest.mark.parametrize(
    ("server", "prefix", "replay"),
    [
        ("https://h/cdx", "/web/", "https://h/web/{timestamp}id_/{url}"),
        ("https://h/cdx", "/web", "https://h/web/{timestamp}id_/{url}"),
        ("https://h/all-cdx", "", "https://h/all/{timestamp}id_/{url}"),
        ("https://h/cdx", "https://other/w", "https://other/w/{timestamp}id_/{url}"),
        ("https://h/cdx", "", ""),
    ],
)
def test_the_replay_of_a_server_follows_from_its_prefix(
    server: str, prefix: str, replay: str
) -> None:
    draft = Draft(Kind.CDX).written(Field.SERVER, server).written(Field.PREFIX, prefix)

    assert draft.value(Field.REPLAY) == replay
    assert draft.value(Field.API) == f"{server}?url={{url}}&closest={{timestamp}}&sort=closest"


def test_a_change_leaves_the_comments_of_the_source_where_they_are() -> None:
    draft = draft_of(NATIONAL)
    assert draft

    text = text_of(draft.written(Field.TIMEMAP, "https://h/{url}"), NATIONAL)

    assert text == NATIONAL.replace(
        "https://webarchive.nationalarchives.gov.uk/timemap/{url}", "https://h/{url}"
    )


def test_the_comment_behind_a_single_line_stays() -> None:
    before = f"{PORTUGAL}  # the Portuguese one"

    text = text_of(of_base("https://h/web/"), before)

    assert text == "memento+https://h/web/  # the Portuguese one"


def test_a_kind_takes_along_what_it_has_in_common_with_another() -> None:
    server = of_base(BASE).as_kind(Kind.CDX)
    file = Draft(Kind.WARC).written(Field.PATH, "a.warc").as_kind(Kind.FILE)

    assert server.value(Field.SERVER) == BASE
    assert file.value(Field.PATH) == "a.warc"


@pytest.mark.parametrize(
    "value", ["12", "true", "a: b", "- x", "a #b", "'q'", "null", "*a", "", " a", "2024-01-01", "-"]
)
def test_what_yaml_would_take_for_something_else_is_quoted(value: str) -> None:
    assert parsed(quoted(value)) == value
    assert quoted(value) != value


def test_name_and_source_stand_as_in_the_file() -> None:
    assert entry_text("a b", "$live") == "a b: $live"
    assert entry_text("", "$live") == "…: $live"
    assert entry_text("n", "type: live") == "n:\n  type: live"
    assert entry_text("n", "a: 1\nb: 2") == "n:\n  a: 1\n  b: 2"


@pytest.mark.parametrize(
    ("draft", "field", "why"),
    [
        (of_base(""), Field.BASE, "Enter the address"),
        (of_base("h/web"), Field.BASE, "Must begin with http:// or https://"),
        (of_base("https://"), Field.BASE, "The host is missing"),
        (of_base("https://me:secret@h/"), Field.BASE, "Must not contain a user name or password"),
        (of_base("https://h/a b"), Field.BASE, "Must not contain spaces"),
        (of_base("https://h/{url}"), Field.BASE, "Variables in braces belong in"),
        (of_base("https://[h"), Field.BASE, "Not a valid address"),
        (of_base(BASE).written(Field.TIMEMAP, "https://h/"), Field.TIMEMAP, "{url} is missing"),
        (
            of_base(BASE).written(Field.TIMEMAP, "https://h/{ur}{url}"),
            Field.TIMEMAP,
            "There is no {ur}, only {url} and {timestamp}",
        ),
        (of_base(BASE).written(Field.REPLAY, "https://h/{url}"), Field.REPLAY, "{timestamp} is"),
        (
            of_base(BASE).written(Field.TIMEMAP, "").written(Field.TIMEGATE, ""),
            Field.TIMEMAP,
            "Enter a TimeMap, or a TimeGate above",
        ),
        (Draft(Kind.FILE), Field.PATH, "Choose a file or folder"),
        (Draft(Kind.FILE, {Field.PATH: "http://h/x"}), Field.PATH, "Must be on this computer"),
        (Draft(Kind.WARC, {Field.PATH: "a.zip"}), Field.PATH, "Must end in .warc"),
        (Draft(Kind.REDIS, {Field.REDIS: "redis://h/key"}), Field.REDIS, "Must look like"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(draft: Draft, field: Field, why: str) -> None:
    assert problems(draft)[field].startswith(why)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "Enter a name"),
        ("taken", "A source with this name exists"),
        ("a,b", "ASCII only"),
        ("a:b", "ASCII only"),
        ("Büro", "ASCII only"),
        ("x" * 101, "It is too long"),
        ("Internet Archive", ""),
    ],
)
def test_a_name_travels_in_headers_and_lists(name: str, why: str) -> None:
    problem = name_problem(name, {"taken"})

    assert problem.startswith(why)
    assert bool(problem) == bool(why)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PORTUGAL, "arquivo.pt"),
        ("cdx+https://www.h.org/cdx", "h.org"),
        ("/media/crawls/2019.warc.gz", "2019"),
        ("redis://localhost:6379/0/k", "localhost"),
        ("$live", "live"),
        ("$archive", "archive"),
        ("memento+", ""),
        ("memento+https://[h", ""),
    ],
)
def test_a_new_source_is_named_after_where_it_is(text: str, name: str) -> None:
    assert suggested_name(draft_of(text)) == name


def test_what_the_core_says_of_a_source_holds_until_it_is_changed() -> None:
    edit = edit_of("odd", ODD, "“fields”: there is no such key.")

    assert edit.problem(set()) == "“fields”: there is no such key."
    assert edit.typed(PORTUGAL).problem(set()) == ""


def test_form_and_text_are_two_sides_of_one_edit() -> None:
    edit: Edit = new_edit().drafted(of_base(BASE))

    assert edit.text == f"memento+{BASE}"
    assert edit.typed("$live").draft == Draft(Kind.LIVE)
    assert edit.typed("[").draft is None
