# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an attempt is that is shown in place of what is held now: a heading, and what is held."""

from collections.abc import Sequence

from carrel.model.holdings import Attempt
from carrel.translation import tr
from carrel_desktop import quantities, words


def told_of_other(attempts: Sequence[Attempt], shown: str, held: Attempt) -> tuple[str, str]:
    """Return what the attempt `shown` is beside the one that is `held`, and what that archived.

    `attempts` are all at the dataset, oldest first.
    """
    order = [each.ingest_id for each in attempts]
    other = attempts[order.index(shown)]
    if order.index(shown) > order.index(held.ingest_id):
        return _later(other), _held_now(held)
    if not (other.version and held.version):  # which may be the same one
        return tr("An earlier attempt at this dataset"), _held_now(held)
    if other.version == held.version:
        return tr("An earlier attempt at the same version"), _archived(held, is_again=True)
    return tr("An earlier version of this dataset"), _archived(held)


def _later(attempt: Attempt) -> str:
    """Return what a later attempt is: what is held was not replaced by it."""
    if attempt.kept_count >= attempt.file_count:
        return tr("A later attempt: {outcome}", outcome=words.outcome(attempt.status))
    return tr(
        "A later attempt, which has {count} of {files}",
        count=quantities.number(attempt.kept_count),
        files=quantities.files(attempt.file_count),
    )


def _archived(held: Attempt, *, is_again: bool = False) -> str:
    text = tr("{version} was archived on {moment}.")
    if is_again:
        text = tr("{version} was archived again on {moment}.")
    moment = quantities.moment(held.finished)
    return text.format(version=words.version(held.version), moment=moment)


def _held_now(held: Attempt) -> str:
    moment = quantities.moment(held.finished)
    if version := words.version(held.version):
        text = tr("What is held now is {version}, archived on {moment}.")
        return text.format(version=version, moment=moment)
    return tr("What is held now was archived on {moment}.", moment=moment)
