# SPDX-License-Identifier: AGPL-3.0-or-later
"""How a watched dataset stands against what was captured of it: the words of a `WatchedRow`."""

UNCHECKED, SAME, CHANGED = "unchecked", "same", "changed"
# Captured anew after the last check, which was of an earlier capture: two facts, neither of which
# says how it is now.
ARCHIVED_SINCE = "archived since"
# Nothing is seen to have changed: of a dataset with files that could not be compared; and of one
# that was never captured, which stands beside what was published at the first look.
UNVERIFIED, AS_FIRST_SEEN = "unverified", "as first seen"
NEW_VERSION, RESTRICTED = "new version", "restricted now"
GONE, UNREACHABLE = "gone", "unreachable"
# Its address answers, and no dataset is recognised there; or it says that there is none, and no
# check has ever seen one.
NO_DATASET = "no dataset"
# The last check saw nothing: what is known of files is from the last one that did.
UNSEEN = (UNREACHABLE, NO_DATASET)
# Not as it was captured, as far as anyone can tell.
DIFFERING = (GONE, NO_DATASET, CHANGED, NEW_VERSION, RESTRICTED)
# Of a file, at the first look at a dataset that was never captured: there was nothing to compare.
FIRST_SEEN = "first seen"
