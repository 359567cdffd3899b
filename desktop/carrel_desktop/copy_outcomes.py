# SPDX-License-Identifier: AGPL-3.0-or-later
"""What copying, comparing and repairing came to, as the card of second copies says it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.widgets.outcome_card import OutcomeCard

if TYPE_CHECKING:
    from carrel.engine.replication import Compared, Repaired, Replicated

_MOST_NAMED = 50
_COPIED = forms("1 file copied", "{count} files copied")
_DIFFERING = forms("1 file differs", "{count} files differ")
_DAMAGED = forms("1 file is damaged", "{count} files are damaged")
_HARMED = forms("1 file is damaged or missing", "{count} files are damaged or missing")
_CHANGED = forms("1 file changed", "{count} files changed")
_NOT_REPAIRED = forms("1 file was not repaired", "{count} files were not repaired")
_IN_PART = forms("1 file was repaired in part", "{count} files were repaired in part")
_REPAIRED = forms("1 file repaired", "{count} files repaired")


def show_copied(card: OutcomeCard, done: "Replicated") -> None:
    """Say what was copied, and name what could not be."""
    copied = quantities.counted(done.copied, *_COPIED)
    size = quantities.size(done.copied_bytes)
    words = tr("{files} ({size}), each read back.", files=copied, size=size)
    said = words if done.copied else tr("Nothing had to be copied.")
    lacks = [f"{each.name}: {each.why}" for each in [*done.not_copied, *done.damaged]]
    remarks = [*_taken_off(done), *done.remarks]
    if done.not_copied:
        card.show_caution(tr("The copy is not complete"), said, _listed([*lacks, *remarks]))
    elif lacks:
        files = quantities.counted(len(lacks), *_HARMED)
        heading = tr("The copy is complete; {files} in this archive", files=files)
        card.show_caution(heading, said, _listed([*lacks, *remarks]))
    else:
        card.show_success(tr("The copy is complete"), "\n".join([said, *remarks]))


def _taken_off(done: "Replicated") -> Iterator[str]:
    """Yield what became of each damaged file that the list of the copy no longer has."""
    from carrel.engine.replication.superseded import taken_off  # who copied has it by now

    yield from map(taken_off, done.taken_off[:_MOST_NAMED])


def show_compared(card: OutcomeCard, done: "Compared") -> None:
    """Say whether archive and copy are the same; where not, what helps against each difference."""
    files = quantities.files(done.objects)
    read = tr("{files} read ({size}).", files=files, size=quantities.size(done.size_bytes))
    if done.is_intact:
        _show_same(card, done, read)
        return
    differing = [f"{name}: {how}" for name, how, _ in done.by_name()]
    alike = [
        tr("{name}: damaged in this archive and alike in the copy", name=name)
        for name in done.damaged_in_both
    ]
    heading = _heading(quantities.counted(len(differing), *_DIFFERING), len(differing), len(alike))
    details = [*differing, *alike, *_purged(done)]
    card.show_caution(heading, " ".join([read, *_what_helps(done)]), _listed(details))


def _show_same(card: OutcomeCard, done: "Compared", read: str) -> None:
    """Say that a copy is as it was copied, and whether it is up to date."""
    said = "\n".join([read, *_no_losses(done), *_renamed(done), *_purged(done)])
    if not done.older:
        card.show_success(tr("The copy is intact"), said)
        return
    files = quantities.counted(done.older, *_CHANGED)
    heading = tr("The copy is intact; {files} in the archive since", files=files)
    card.show_note("verify", heading, f"{said}\n{_brings_up_to_date()}")


def _brings_up_to_date() -> str:
    return tr("Copy now brings the copy up to date.")


def _no_losses(done: "Compared") -> Iterator[str]:
    """Yield what is damaged alike, or missing, in both without a loss, and that this is all
    right."""
    from carrel.engine.replication.damage import gone_but_elsewhere, stays_damaged

    for name in done.without_loss[:_MOST_NAMED]:
        yield f"{name}: {stays_damaged()}"
    for name, count in list(done.gone_without_loss.items())[:_MOST_NAMED]:
        yield f"{name}: {gone_but_elsewhere(count)}"


def _renamed(done: "Compared") -> Iterator[str]:
    """Yield what the copy has under a former name, and that this costs nothing but room."""
    for name, here in list(done.renamed.items())[:_MOST_NAMED]:
        yield tr(
            "{name} is in this archive as {here}, so nothing is missing. The copy can keep both. "
            "Or remove {name} from the copy when {here} is there as well; Copy now then takes it "
            "off the list.",
            name=name,
            here=here,
        )


def _purged(done: "Compared") -> Iterator[str]:
    """Yield what the copy still has though it was purged here."""
    for name in done.purged[:_MOST_NAMED]:
        yield tr(
            "{name} was purged in this archive, and is still in the copy. If its bytes must not "
            "stay there either, remove it from the copy; Copy now then takes it off the list.",
            name=name,
        )


def _heading(differing: str, differ: int, damaged_alike: int) -> str:
    both = quantities.counted(damaged_alike, *_DAMAGED)
    if not differ:
        return tr("The copy is the same as this archive; {files} in both", files=both)
    if not damaged_alike:
        return tr("Archive and copy are not the same: {files}", files=differing)
    return tr(
        "Archive and copy are not the same: {files}; {both} in both", files=differing, both=both
    )


def show_repaired(card: OutcomeCard, done: "Sequence[Repaired]") -> None:
    """Say what was repaired, and name what could not be."""
    if not done:
        card.show_success(tr("Everything is intact"), tr("There was nothing to repair."))
        return
    repaired = [each for each in done if each.is_repaired]
    troubled = [each for each in done if each.trouble]
    said = tr("{files}, each proven.", files=quantities.counted(len(repaired), *_REPAIRED))
    lines = [_repaired(each) for each in sorted(done, key=lambda each: not each.trouble)]
    if troubled:
        are_in_part = all(each.is_in_part for each in troubled)
        what = quantities.counted(len(troubled), *(_IN_PART if are_in_part else _NOT_REPAIRED))
        card.show_caution(what, said if repaired else "", _listed(lines))
    elif not repaired:
        card.show_success(tr("No bytes are lost"), _listed(lines))
    else:
        card.show_note("verify", tr("The archive is repaired"), said, "ok", _listed(lines))


def _repaired(done: "Repaired") -> str:
    if done.is_in_part:
        return tr("{name}: repaired in part. {why}", name=done.name, why=done.trouble or done.left)
    if why := done.trouble or done.left:
        return f"{done.name}: {why}"
    if done.kept_as:
        return tr(
            "{name}: repaired. The damaged one is now {kept}.", name=done.name, kept=done.kept_as
        )
    return tr("{name}: repaired.", name=done.name)


def _what_helps(done: "Compared") -> Iterator[str]:
    """Yield what to do, for each kind of difference that there is."""
    # Who compared has it by now.
    from carrel.engine.replication.comparison import HELP_FOR_DAMAGED_IN_BOTH, Difference

    found = {
        kind: {it.name for it in done.differing if it.difference is kind} for kind in Difference
    }
    without_loss = {it.name for it in done.differing if it.is_gone_without_loss}
    found = {kind: names - without_loss for kind, names in found.items()}
    bad_here = found[Difference.DAMAGED_HERE] | found[Difference.MISSING_HERE]
    bad_there = found[Difference.DAMAGED_IN_COPY] | found[Difference.MISSING_IN_COPY]
    bad_there |= found[Difference.OTHER_IN_COPY]
    if bad_here - bad_there:
        yield tr("Repair takes what is damaged or missing in this archive from the copy.")
    if found[Difference.DAMAGED_IN_COPY] - bad_here:
        yield tr(
            "Copy now writes anew what is damaged in the copy, or takes it off the list where the "
            "archive has it in another file by now."
        )
    if (found[Difference.MISSING_IN_COPY] | found[Difference.NOT_COPIED]) - bad_here:
        yield tr("Copy now brings what is missing in the copy.")
    if found[Difference.NOT_LISTED]:
        yield tr("Copy now reads again what an interrupted run left in the copy.")
    if done.older:
        files = quantities.counted(done.older, *_CHANGED)
        yield tr("{files} in the archive since.", files=files) + " " + _brings_up_to_date()
    if any(it.is_without_loss for it in done.differing):
        yield tr(
            "Where the damaged bytes are intact elsewhere in the archive, Copy now copies the file "
            "as it is."
        )
    if without_loss:
        yield tr(
            "Of a WARC file that neither has intact, and whose records are all intact elsewhere in "
            "the archive, no bytes are lost."
        )
    if found[Difference.DAMAGED_HERE] & found[Difference.DAMAGED_IN_COPY]:
        yield tr(
            "Of a WARC file that is damaged in both, Repair takes each record from where it is "
            "intact. A record that is damaged in both can only come from another copy, or be "
            "archived again."
        )
    if found[Difference.OTHER_HERE]:
        yield tr(
            "Where all records are intact here and only other bytes of the file differ from the "
            "copy, nothing is lost: Repair restores the file if the copy can."
        )
    if found[Difference.OTHER_IN_COPY]:
        yield tr(
            "A file in the copy that does not match this archive's records is not used for repair. "
            "If it is intact here, Copy now writes it anew, or takes it off the list where it was "
            "packed here. Otherwise repair from another copy, or archive again what is still "
            "published; then remove it from this copy, and copy again."
        )
    if done.damaged_in_both:
        yield HELP_FOR_DAMAGED_IN_BOTH
    if bad_here & found[Difference.MISSING_IN_COPY] or (
        found[Difference.MISSING_HERE] & found[Difference.DAMAGED_IN_COPY]
    ):
        yield tr(
            "What is missing on one side and not intact on the other can only come from another "
            "copy, or be archived again."
        )


def _listed(lines: Sequence[str]) -> str:
    return quantities.listed(lines, _MOST_NAMED)
