# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking at files and handing them over, for every page that has some.

`content_view` shows a Rendition, small in a pane or large in a `window`; the `viewer` has files
read for it. `handing` opens, saves and drags out what is held.
"""
