# SPDX-License-Identifier: AGPL-3.0-or-later
"""Renamed rather than lost: another template came to point to the same file, and still does.

Only one that appeared for the first time when, or after, the first was missed, and before that one
came back, can be it under another handle: what was known before stood beside it, though it was away
itself since. And each stands for one at most, of those that share a file: it was not all of them.
"""

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from carrel.ledger.connection import Asking, Connection, Row

# Landing pages and shared data are named by many: they say nothing of who was renamed.
_MOST_SHARERS = 5
_PAGE = 1000
# Of each file of each missing template: by how many it was named when this one let go of it, and
# by how many it is named now. Only so does a file that went through many hands one after another
# still count. Counting ends at one too many: a file may have a hundred thousand.
_TELLING = """
WITH file AS MATERIALIZED (
    SELECT a.tobi_id, a.fobi_id, max(coalesce(a.until, 9223372036854775807)) AS until
    FROM json_each(:ids) AS missing JOIN refipo AS a ON a.tobi_id = missing.value
    WHERE a.fobi_id IS NOT NULL GROUP BY a.tobi_id, a.fobi_id
)
SELECT tobi_id, fobi_id FROM file WHERE
(SELECT count(*) FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x
    WHERE x.fobi_id = file.fobi_id AND x.until IS NULL LIMIT :most + 1)) <= :most
AND (SELECT count(*) FROM (
    SELECT * FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x WHERE x.fobi_id = file.fobi_id
        AND x.until >= file.until AND x.since < file.until LIMIT :most + 1)
    UNION SELECT * FROM (SELECT DISTINCT x.tobi_id FROM refipo AS x
        WHERE x.fobi_id = file.fobi_id AND x.until IS NULL AND x.since < file.until
        LIMIT :most + 1))) <= :most
"""
# Who names a file, or named it before it was lost: the run in which it appeared first, those that
# missed it or had it again, in turn, and that which misses it without a conclusion yet.
_NAMERS = """
SELECT DISTINCT r.fobi_id, o.obi_id, o.ident, o.ident_n, coalesce(o.scope, '') AS scope, o.state,
    coalesce((SELECT w.run FROM incidence AS i JOIN run AS w USING (tist)
        WHERE i.obi_id = o.obi_id AND i.kind IN ('appearance', 'reappearance')
        ORDER BY i.seq LIMIT 1), 0) AS appeared,
    (SELECT json_group_array(json_array(each.kind, each.run)) FROM (
        SELECT i.kind, iif(i.kind = 'deletion', coalesce(i.since, i.tist), w.run) AS run
        FROM incidence AS i JOIN run AS w USING (tist)
        WHERE i.obi_id = o.obi_id AND i.kind IN ('deletion', 'reappearance') ORDER BY i.seq
    ) AS each) AS turns,
    p.since AS suspect
FROM json_each(:ids) AS files JOIN refipo AS r ON r.fobi_id = files.value
JOIN obi AS o ON o.obi_id = r.tobi_id LEFT JOIN pending AS p USING (obi_id)
WHERE o.state = 'lost' OR p.since IS NOT NULL OR r.until IS NULL
"""
_WHOLE_RUNS = """
SELECT scope, run FROM run WHERE tist = run AND scope_ok AND source <> 'backfill' ORDER BY run
"""
# Which templates older data had that were read out of their turn.
_OLD = """
SELECT DISTINCT c.scope, x.obi_id FROM json_each(:ids) AS known
JOIN occurrence AS x ON x.obi_id = known.value JOIN container AS c USING (container_id)
WHERE c.scope LIKE 'backfill:%'
"""


class _Loss(NamedTuple):
    """One absence of a template: the runs that missed it first, and that had it again."""

    obi_id: int
    missed: int
    back: int | None


@dataclass(slots=True)
class _Template:
    """One that names files that tell of renames, or did; `appeared` is the run that had it first,
    the last of its `losses` may go on."""

    obi_id: int
    ident: str
    ident_n: str
    scope: str
    state: str
    appeared: int
    losses: Sequence[_Loss]
    named: set[int] = field(default_factory=set)
    let_go: set[int] = field(default_factory=set)

    @property
    def loss(self) -> _Loss | None:
        """The absence that goes on."""
        return self.losses[-1] if self.losses and self.losses[-1].back is None else None

    @property
    def is_of_backfill(self) -> bool:
        """Whether only older data, read out of their turn, ever named it."""
        return self.scope.startswith("backfill:")


_Kin = Mapping[int, _Template]
_After = Mapping[_Loss, Sequence[int]]
_IsLater = Callable[[_Loss, _Template], bool]


class Renames:
    def __init__(self, connection: Connection | Asking) -> None:
        self._rows = connection.rows

    def of(self, missing: Sequence[int]) -> dict[int, list[str]]:
        """Return the living handles that templates may go under now, by template.

        `missing` are ids of templates that are lost or suspect. A file that more than five share
        tells nothing. Those that nothing stands for are left out.
        """
        kin = self._kin(missing)
        after = _successors(kin, self._is_later(kin))
        found = {each: _living(each, after, kin) for each in missing}
        return {each: idents for each, idents in found.items() if idents}

    def _kin(self, missing: Iterable[int]) -> _Kin:
        """Return all that share a telling file with a template, and with those in turn: a file goes
        from hand to hand, and what one stands for depends on all that it may stand for."""
        kin: dict[int, _Template] = {}
        asked, asking, seen = set[int](), set(missing), set[int]()
        while asking:
            let_go = [(row["tobi_id"], row["fobi_id"]) for row in self._paged(_TELLING, asking)]
            files = {file for _, file in let_go} - seen
            for row in self._paged(_NAMERS, files):
                file = row.pop("fobi_id")
                losses = _losses(row["obi_id"], json.loads(row.pop("turns")), row.pop("suspect"))
                kin.setdefault(row["obi_id"], _Template(**row, losses=losses)).named.add(file)
            for obi_id, file in let_go:
                if obi_id in kin:  # not if a run found it again in between
                    kin[obi_id].let_go.add(file)
            asked |= asking
            seen |= files
            asking = kin.keys() - asked
        return kin

    def _is_later(self, kin: _Kin) -> _IsLater:
        """Return what says whether one template appeared while another was missed: after the last
        whole run that still found that, and before the one that had it again.

        What only a backfill names was missed by all runs: the other is not to stand beside it.
        """
        whole: defaultdict[str, list[int]] = defaultdict(list)
        for row in self._rows(_WHOLE_RUNS):
            whole[row["scope"]].append(row["run"])
        has_old = any(each.is_of_backfill for each in kin.values())
        beside = {
            (row["scope"], row["obi_id"]) for row in self._paged(_OLD, kin if has_old else ())
        }

        def is_later(loss: _Loss, other: _Template) -> bool:
            gone = kin[loss.obi_id]
            if gone.is_of_backfill:
                return (gone.scope, other.obi_id) not in beside
            runs = whole[gone.scope]
            before = bisect_left(runs, loss.missed)
            last = runs[before - 1] if before else loss.missed - 1
            return last < other.appeared and (loss.back is None or other.appeared < loss.back)

        return is_later

    def _paged(self, sql: str, ids: Iterable[int]) -> Iterator[Row]:
        listed = sorted(ids)
        for start in range(0, len(listed), _PAGE):
            page = json.dumps(listed[start : start + _PAGE])
            yield from self._rows(sql, {"ids": page, "most": _MOST_SHARERS})


def _losses(obi_id: int, turns: Iterable[tuple[str, int]], suspect: int | None) -> Sequence[_Loss]:
    """Return the absences of a template, by the runs that missed it, or had it again."""
    losses: list[_Loss] = []
    for kind, run in turns:
        if kind == "deletion":
            losses.append(_Loss(obi_id, run, None))
        elif losses:
            losses[-1] = losses[-1]._replace(back=run)
    return losses if suspect is None else [*losses, _Loss(obi_id, suspect, None)]


def _successors(kin: _Kin, is_later: _IsLater) -> _After:
    """Return which templates stand for each missing one.

    Each stands for that which it shares most files with, and was missed last; also for one that
    came back since, so that it does not come to stand for another. Several that appeared together
    may stand for one, if no other is left.
    """
    gone: defaultdict[int, list[_Template]] = defaultdict(list)
    for each in kin.values():
        for file in each.let_go:
            gone[file].append(each)
    after: dict[_Loss, list[int]] = {}
    for late in sorted(kin.values(), key=lambda each: (each.appeared, each.ident_n)):
        shared = Counter(each.obi_id for file in late.named for each in gone[file])
        free = [
            loss
            for each in shared
            for loss in kin[each].losses
            if each != late.obi_id
            and is_later(loss, late)
            and all(kin[one].appeared == late.appeared for one in after.get(loss, ()))
        ]
        if free:
            best = min(
                free,
                key=lambda loss: (
                    len(after.get(loss, ())),
                    -shared[loss.obi_id],
                    -loss.missed,
                    kin[loss.obi_id].ident_n,
                ),
            )
            after.setdefault(best, []).append(late.obi_id)
    return after


def _living(obi_id: int, after: _After, kin: _Kin) -> list[str]:
    """Return the handles at the end of a way from one template to the next."""
    ends, seen, left = list[_Template](), set[int](), [obi_id]
    while left:
        each = left.pop()
        if each in seen or each not in kin:
            continue
        seen.add(each)
        if each != obi_id and kin[each].state == "present":
            ends.append(kin[each])
        elif loss := kin[each].loss:
            left += after.get(loss, ())
    return [each.ident for each in sorted(ends, key=lambda each: each.ident_n)]
