# SPDX-License-Identifier: AGPL-3.0-or-later
"""What became of a record that was found damaged or missing, in words."""

from carrel.exports.certificate.moments import moment, moment_of_capture
from carrel.model.outcome_words import MISSING_COUNTED
from carrel.translation import tr

RECORDS_COUNTED = tr(
    "Where all of the archive was read, “Records” counts every record; where one dataset was, "
    "those of its files and pages. “Not intact” also counts damaged requests, metadata and "
    "warcinfo records that accompany them, and damaged records that were brought back in another "
    "WARC. {missing}",
    missing=MISSING_COUNTED,
)


def what_was_done(
    mended: str | None,
    mended_by: str | None,
    again_in: str | None,
    again_at: str | None,
    *,
    has_files_elsewhere: bool,
) -> str:
    """Return what was done about a damage; its facts are those of a Damage."""
    if mended:
        by = mended_by or tr("By what is not recorded.")
        return tr("Intact again on {moment}. {by}", moment=moment(mended), by=by)
    if again_in:
        return tr(
            "The same bytes are intact in {warc}, captured {moment}.",
            warc=again_in,
            moment=moment_of_capture(again_at or ""),
        )
    if has_files_elsewhere:
        return tr("All files in it are intact in other records.")
    return tr("Nothing yet.")
