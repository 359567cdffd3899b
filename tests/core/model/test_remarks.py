# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run remarked, told by what it says."""

from carrel.model.remarks import Remark, RemarkGroup, together


def test_remarks_that_differ_only_in_what_they_are_about_are_one() -> None:
    remarks = [Remark(f"http://a/{name} is private.", f"http://a/{name}") for name in "121"]

    assert together([*remarks, Remark("A tarball has no date."), Remark("b is HTML.", "b")]) == [
        RemarkGroup("… is private.", 3, ("http://a/1", "http://a/2")),
        RemarkGroup("A tarball has no date.", 1, ()),
        RemarkGroup("b is HTML.", 1, ("b",)),
    ]


def test_what_is_said_of_one_thing_several_times_names_it() -> None:
    remarks = [Remark("b is HTML.", "b")] * 2

    assert together(remarks) == [RemarkGroup("b is HTML.", 2, ("b",))]
