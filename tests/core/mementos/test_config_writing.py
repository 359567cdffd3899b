# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever is written as YAML is read as what it was."""

from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from carrel.mementos.config.yaml_text import mapping_lines, scalar

ADDRESSES = st.from_regex(r"[a-z][a-z+]*://[!-~]*", fullmatch=True)
NAMES = st.from_regex(r"[a-z]+_[a-z]+", fullmatch=True)
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1)


@given(ADDRESSES | NAMES | TEXTS)
def test_a_text_is_read_as_itself(text: str) -> None:
    assert YAML(typ="safe", pure=True).load(f"source: {scalar(text)}\n") == {"source": text}


@given(st.dictionaries(NAMES, ADDRESSES | TEXTS, min_size=1, max_size=4))
def test_a_mapping_is_read_as_itself(mapping: dict[str, str]) -> None:
    text = "\n".join(mapping_lines(mapping))

    assert YAML(typ="safe", pure=True).load(text) == mapping


def test_addresses_and_names_stay_as_they_are() -> None:
    for text in ("memento+https://a.example/{timestamp}id_/{url}", "timegate_url"):
        assert scalar(text) == text
    for text in ("https://a.example/:", "true", "12", "a: b", "a #b"):
        assert scalar(text) == f'"{text}"'
