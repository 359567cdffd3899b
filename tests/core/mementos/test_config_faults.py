# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with a collections file is named, with its place; nothing hostile gets further."""

import json
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from carrel.errors import ConfigError
from carrel.mementos.config.collection import Collections
from carrel.mementos.config.findings import Findings
from carrel.mementos.config.grammar import read, understand
from carrel.mementos.config.yaml_tree import parse, plain

WORDS = [
    *("collections:", "x:", "index:", "index_group:", "sequence:", "resource:", "index_timeout:"),
    *("type:", "path:", "api_url:", "memento", "cdx", "$live", "$archive", "cdx+http://h/cdx /w"),
    *("memento+http://h/", "redis://h/0/k", "file:///d", "http://[", "{url}", "{timestamp}", "{x}"),
    *(
        "\n",
        "\n  ",
        "\n    ",
        "- ",
        "? ",
        "{",
        "}",
        "[",
        "]",
        ",",
        ": ",
        "&a ",
        "*a ",
        "<<: ",
        "|\n",
    ),
    *("!!python/object:os.system ", "!x ", '"\\uD800"', '"\\UFFFFFFFF"', "'", '"', "%YAML 9.9\n"),
    *("---\n", "...\n", "#", "\t", "\x00", "\x85", "\u2028", "\ufeff", "é", "1e999", "-1", ".nan"),
    *("null", "true", "2020-01-01", "9" * 5000, "~", "=", "cdx+", "warc-index+", "file://h/x", "+"),
]


def understood(text: str) -> Collections:
    return understand(text, name="c.yaml", base=Path("/base"), archive=None)


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        understood(text)
    return str(caught.value).splitlines()


def fault(value: str) -> str:
    (only,) = faults(f"collections:\n  x: {value}\n")
    return only


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{index: $live, resurce: /d}", ["“resurce”", "Did you mean “resource”?"]),
        ("{index: $live, timeout: 3}", ["“timeout”", "“index_timeout”"]),
        ("{index: $live, archive_paths: /d}", ["“archive_paths”", "“resource”"]),
        ("{index_paths: /d}", ["“index_paths”", "“index”"]),
        ("{index: {type: fle, path: /d}}", ["“fle”", "“file”", "key “index”"]),
        ("{index: {path: /d}}", ["needs a “type”"]),
        ("{index: {type: [file]}}", ["type of source"]),
        ("{index: {type: file}}", ["needs “path”"]),
        ("{index: {type: file, path: 3}}", ["key “index.path”", "must be a string"]),
        ("{index: {type: file, path: /d, url: /d}}", ["“url”"]),
        ("{index: {type: live, path: /d}}", ["“path”"]),
        ("{index: {type: memento, replay_url: 'http://h/{timestamp}/{url}'}}", ["“timegate_url”"]),
        ("{index: {type: memento, timegate_url: 'http://h/{url}'}}", ["needs “replay_url”"]),
        ("{index: {type: cdx, api_url: 'http://h/'}}", ["no {url}"]),
        ("{index: {type: cdx, api_url: 'http://h/{url}{ts}'}}", ["“ts”"]),
        ("{index: {type: cdx, api_url: 'http://h/{url}{'}}", ["brace"]),
        ("{index: {type: cdx, api_url: 'http://{url}/'}}", ["host"]),
        ("{index: {type: cdx, api_url: '{url}'}}", ["http://"]),
        (
            "{index: {type: cdx, api_url: 'http://h/{url}', replay_url: 'http://h/{url}'}}",
            ["no {timestamp}", "key “index.replay_url”"],
        ),
        ("mementoo+http://h/", ["“mementoo+”", "“memento+”"]),
        ("memento+h/wayback", ["must begin with http://"]),
        ("memento+http:///wayback", ["has no host"]),
        ("memento+http://h:99999/", ["is not an address"]),
        ("memento+http://u:secret@h/", ["user or password"]),
        ("memento+http://h/{url}", ["the full form"]),
        ("cdx+http://h/cdx /a /b", ["only one prefix"]),
        ("cdx+http://h/cdx http://[", ["“http://[” is not an address"]),
        ("cdx+http://h/cdx file:///d", ["must begin with http://"]),
        ("cdx+", ["must begin with http://"]),
        ("http://h/cdx", ["memento+http://h/cdx", "cdx+http://h/cdx"]),
        ("ftp://h/cdx", ["neither a path nor an address"]),
        ("redis://h/key", ["redis://host[:port]/db/key"]),
        ("redis:///0/key", ["redis://host[:port]/db/key"]),
        ("file://h/index", ["three slashes"]),
        ("file:index", ["three slashes"]),
        ("file:///a%00b", ["control character"]),
        ("$liv", ["Did you mean “$live”?"]),
        ("$archive", ["there is none"]),
        ("''", ["there is no source here"]),
        ("null", ["there is no source here"]),
        ("3", ["a source is a string"]),
        ("[$live]", ["“index_group”"]),
        ("{}", ["it is empty"]),
        ("{index: }", ["there is no source here"]),
        ("{index_group: {}}", ["name: source"]),
        ("{index_group: [$live]}", ["name: source"]),
        ("{index_group: {'a,b': $live}}", ["“a,b” is not a valid source name"]),
        ("{index_group: {'a:1': $live, 'a:2': $live}, index_timeout: 1}", ["several sources"]),
        ("{index: $live, index_group: {a: $live}}", ["“index” and “index_group”"]),
        ("{index: $live, sequence: []}", ["“index” and “sequence”"]),
        ("{sequence: []}", ["must be a list"]),
        ("{sequence: {index: $live}}", ["must be a list"]),
        ("{sequence: [$live]}", ["a step must be a mapping", "sequence.1"]),
        ("{sequence: [{index: $live, nam: a}]}", ["“nam”", "“name”"]),
        ("{sequence: [{index: $live, name: 3}]}", ["must be a string"]),
        ("{sequence: [{resource: /d}]}", ["“index” or “index_group” is missing"]),
        ("{sequence: [{index: $live}], resource: /d}", ["its own “resource”"]),
        ("{index: $live, resource: []}", ["the list is empty"]),
        ("{index: $live, resource: {a: b}}", ["a resource is"]),
        ("{index: $live, resource: $liv}", ["“$live”"]),
        ("{index: $live, resource: 'warc-pefix+http://h/'}", ["“warc-prefix+”"]),
        ("{index: $live, resource: 'warc-index+redis://h'}", ["redis://host[:port][/db]/hash_key"]),
        ("{index: $live, resource: 'warc-index+http://h/'}", ["neither a path"]),
        ("{index: $live, resource: 's3://h/'}", ["neither a path"]),
        ("{index: $live, title: 3}", ["must be a string"]),
    ],
)
def test_a_fault_is_named_with_its_place(value: str, words: list[str]) -> None:
    sentence = fault(value)

    assert sentence.startswith("c.yaml, line 2, collection “x”")
    assert [word for word in words if word not in sentence] == []
    assert "secret" not in sentence


@pytest.mark.parametrize(
    "value", ["0", "-1", ".nan", ".inf", "1e999", "true", "'3'", "soon", "[]", ""]
)
def test_a_deadline_is_a_number_of_seconds(value: str) -> None:
    sentence = fault(f"{{index: $live, index_timeout: {value}}}")

    assert "key “index_timeout”: this must be a number of seconds, more than 0" in sentence


@pytest.mark.parametrize("name", ["static", "_x", "a/b", "a b", "ä", "..", "a?b", "'null'", "'1'"])
def test_a_collections_name_stands_in_addresses(name: str) -> None:
    is_fine = name.strip("'") in ("null", "1")

    text = f"collections:\n  {name}: $live\n"

    assert is_fine or "line 2, collection" in faults(text)[0]
    assert not is_fine or understood(text).collections[0].name == name.strip("'")


def test_a_key_that_is_no_text_is_refused() -> None:
    assert "put keys and names in quotes" in faults("collections:\n  2020: $live\n")[0]


def test_a_name_stands_once() -> None:
    text = "collections:\n  x:\n    index_group:\n      a: $live\n      a: $live\n"

    assert faults(text) == [
        "c.yaml, line 5, collection “x”, key “index_group.a”: “a” is already in line 4."
    ]


def test_all_faults_are_told_in_the_order_of_the_file() -> None:
    text = "collections:\n  a: $liv\n  b: {index: $live, resource: []}\n  c: nope+http://h/\nd: 1\n"

    found = faults(text)

    assert [line.split(":")[0] for line in found] == [
        "c.yaml, line 2, collection “a”",
        "c.yaml, line 3, collection “b”, key “resource”",
        "c.yaml, line 4, collection “c”",
        "c.yaml, line 5",
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "must begin with “collections:”"),
        ("- a\n", "must begin with “collections:”"),
        ("x: $live\n", "go below “collections:”"),
        ("collection: {x: $live}\n", "Did you mean “collections”?"),
        ("collections: {x: $live}\ndebug: true\n", "“debug”"),
        ("collections:\n", "must have a name and a source"),
        ("collections: [a]\n", "must have a name and a source"),
        ("collections: {x: !!python/name:os.system ''}\n", "tags like"),
        ("collections: !x {x: $live}\n", "tags like"),
        ("a: &a {x: $live}\ncollections: {<<: *a}\n", "not merged"),
        ("collections: {x: *a}\n", "&a"),
        ("collections: &a {x: *a}\n", "&a"),
        ("collections: {x: $live}\n---\na: 1\n", "a second document"),
        ('collections: {x: "a\\nb"}\n', "line break"),
        ('collections: {x: "\\uD800"}\n', "control character"),
        ("collections: {x: '\n", "not valid YAML"),
        ("collections: {x: \x00}\n", "not valid YAML"),
        ('collections: {x: "\\UFFFFFFFF"}\n', "not valid YAML"),
        ("[" * 5000, "nested"),
        ("- " * 5000, "nested"),
        ("a: " + "x" * 300_000, "larger than 256 KiB"),
    ],
)
def test_what_is_no_such_file_is_refused(text: str, word: str) -> None:
    assert word in "\n".join(faults(text))


def test_aliases_do_not_multiply() -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 10)]

    assert "more than" in faults("\n".join(["l0: &l0 [a, a]", *levels]))[0]


def test_many_faults_are_counted() -> None:
    text = "collections:\n" + "".join(f"  a{number}: $liv\n" for number in range(200))

    found = faults(text)

    assert len(found) == 51
    assert found[-1] == "c.yaml: and 150 more."


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x80"])
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.yaml").write_bytes(content)

    with pytest.raises(ConfigError, match=r"c\.yaml is not UTF-8 text"):
        read(tmp_path / "c.yaml", archive=None)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nix\.yaml cannot be read"):
        read(tmp_path / "nix.yaml", archive=None)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a file"):
        read(tmp_path, archive=None)


def ends_well(text: str) -> None:
    with suppress(ConfigError):
        assert understood(text).collections


@given(st.text(max_size=400))
@settings(deadline=None)
def test_any_text_is_understood_or_refused(text: str) -> None:
    ends_well(text)


@given(st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
@settings(deadline=None, max_examples=400)
def test_any_mixture_of_words_is_understood_or_refused(text: str) -> None:
    ends_well(text)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map("".join))
@settings(deadline=None, max_examples=300)
def test_any_value_is_understood_or_refused(text: str) -> None:
    ends_well(f"collections:\n  x: {text}\n")


VALUES = st.recursive(
    st.sampled_from([word for word in WORDS if word.isprintable()]) | st.none() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "index",
                    "index_group",
                    "sequence",
                    "resource",
                    "type",
                    "path",
                    "api_url",
                    "name",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
@settings(deadline=None, max_examples=300)
def test_any_structure_is_understood_or_refused(value: object) -> None:
    ends_well(json.dumps({"collections": {"x": value}}))


@given(VALUES)
@settings(deadline=None, max_examples=200)
def test_a_tree_means_what_the_text_means(value: object) -> None:
    text = StringIO()
    YAML(typ="safe", pure=True).dump([value], text)
    findings = Findings("c.yaml")

    with suppress(ConfigError):
        tree = parse(text.getvalue(), findings)
        expected = YAML(typ="safe", pure=True).load(text.getvalue())
        assert findings.errors or repr(plain(tree)) == repr(expected)
