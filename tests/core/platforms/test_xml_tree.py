# SPDX-License-Identifier: AGPL-3.0-or-later
"""XML from outside, as a tree without namespaces."""

import pytest

from carrel.platforms.xml_tree import NotXml, parse

TEXT = '<a xmlns="urn:x" xmlns:y="urn:y" y:k="1"><b> ice  core </b><y:b>2</y:b><c><b>3</b></c></a>'
BOMB = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><a>&y;</a>'


def test_names_stand_without_their_namespaces() -> None:
    root = parse(TEXT)

    assert (root.name, root.attributes) == ("a", {"k": "1"})
    assert [one.text for one in root.every("b")] == [" ice  core ", "2"]
    assert [one.text for one in root.below("b")] == [" ice  core ", "2", "3"]
    assert (root.told("b"), root.told("c/b"), root.told("c/d")) == ("ice core", "3", None)


@pytest.mark.parametrize("text", ["", "<a>", "{}", BOMB, "<a>" * 300 + "</a>" * 300])
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(NotXml):
        parse(text)


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "utf-16", "unheard-of"])
def test_text_needs_no_encoding(encoding: str) -> None:
    root = parse(f'<?xml version="1.0" encoding="{encoding}"?><a>Å</a>')

    assert root.text == "Å"
