# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading a platform's "download all" archive, which is hostile until every member is checked.

Nothing is ever extracted: members are inflated piece by piece, sized and hashed, and forgotten.
`reading.members_of` is the way in; `zip_members` and `tar_members` know one format each.
"""
