# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether the histories of two dark archives are about different things, so that both can be told
in one without either being changed by the other."""

from carrel.ledger.connection import Connection
from carrel.translation import tr

_COMMON = {
    "SELECT s.scope FROM source.run AS s JOIN main.run AS t USING (scope) LIMIT 1": tr(
        "both have runs over {name}"
    ),
    "SELECT s.tist FROM source.run AS s JOIN main.run AS t USING (tist) LIMIT 1": tr(
        "both have a run with the number {name}"
    ),
    "SELECT s.ident FROM source.obi AS s JOIN main.obi AS t USING (kind, ident_n) LIMIT 1": tr(
        "both tell of {name}"
    ),
    "SELECT p.sha256 FROM source.purge AS p JOIN main.content USING (sha256) UNION"
    " SELECT p.sha256 FROM main.purge AS p JOIN source.content USING (sha256) LIMIT 1": tr(
        "content that was purged in one of them is in the other, too (SHA-256 {name})"
    ),
}


def common_ground(connection: Connection) -> str:
    """Return what the dark archives of the source and of this ledger have in common, "" for
    nothing that matters. The same bytes may be in both."""
    for sql, words in _COMMON.items():
        for row in connection.rows(sql):
            return words.format(name=next(iter(row.values())))
    return ""
