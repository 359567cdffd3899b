# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of holdings: what each says, what it is sorted by, and what gives way."""

from operator import attrgetter

from carrel.model.holdings import HoldingRow, Order, Proven, State
from carrel.model.licenses import UNKNOWN
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.table.column import Column, Kind, quiet

LEAST_TITLE = 66
LEAST_BESIDE_MORE = 105  # before columns come that few ask for: titles are whole as a rule
LEAST_BESIDE_STATE = 36  # of the title, where only the state is beside it
ORDERS = (
    *(Order.TITLE, Order.CREATORS, Order.PLATFORM, Order.VERSION, Order.LICENSE, Order.FILES),
    *(Order.SIZE, Order.STATE, Order.PROOF, Order.CHECKED, Order.ARCHIVED),
)
"""What each column is sorted by, in their order."""
UNUSUAL = frozenset(
    ORDERS.index(each) for each in (Order.CREATORS, Order.VERSION, Order.LICENSE, Order.PROOF)
)
"""The columns that are shown to who asks for them."""


def holdings() -> Kind[HoldingRow]:
    """Return the columns. Where the state has no column it stands as an icon before the title."""
    return Kind(
        Column(
            tr("Dataset"),
            lambda row: row.title,
            lambda row: row.title.casefold(),
            tip=lambda row: f"{row.title}\n{second_line(row)}",
            lines=lambda row: TwoLines(row.title, second_line(row)),
            stands_for=ORDERS.index(Order.STATE),
        ),
        Column(
            tr("Creators"),
            lambda row: row.creators,
            attrgetter("creators"),
            32,
            9,
            tone=quiet,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(
            tr("Platform"),
            lambda row: words.platform(row.platform_name),
            attrgetter("platform_name"),
            28,
            5,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(
            tr("Version"),
            lambda row: words.version(row.platform_version),
            attrgetter("platform_version"),
            16,
            8,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(
            tr("Licence"),
            lambda row: license_in_words(row.license),
            attrgetter("license"),
            24,
            7,
            tone=quiet,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(
            tr("Files"),
            _files,
            attrgetter("kept_count"),
            18,
            6,
            is_number=True,
            tone=quiet,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(tr("Size"), _size, attrgetter("kept_size"), 22, 4, is_number=True, tone=quiet),
        Column(
            tr("State"),
            state_of,
            lambda row: list(State).index(row.state),
            37,
            1,
            tip=_state_tip,
            look=lambda row: LOOKS[row.state],
            tone=lambda row: LOOKS[row.state][1],
            below=lambda row: (_below(row), "failed" if row.is_lossy else "warning"),
            beside=LEAST_BESIDE_STATE,
        ),
        Column(
            tr("Proof"),
            lambda row: proven(row.proven),
            lambda row: list(Proven).index(row.proven),
            32,
            10,
            tone=quiet,
            beside=LEAST_BESIDE_MORE,
        ),
        Column(tr("Last verified"), _verified, lambda row: row.verified or "", 33, 3, tone=quiet),
        Column(tr("Archived"), _archived, attrgetter("archived"), 33, 2, tip=_archived_tip),
        ident=lambda row: str(row.dataset_id),
        sorted_by=ORDERS.index(Order.ARCHIVED),
        is_descending=True,
        least=LEAST_TITLE,
        spoken=lambda row: ". ".join(filter(None, (row.title, second_line(row), _state_tip(row)))),
    )


LOOKS = {
    State.COMPLETE: ("ok", "ok"),
    State.COMPLETENESS_UNKNOWN: ("note", "secondary"),
    State.INCOMPLETE: ("warning", "warning"),
    State.DAMAGED: ("failed", "failed"),
    State.EARLIER_LOST: ("failed", "failed"),
    State.TWINNED: ("warning", "warning"),
    State.MISSING: ("failed", "failed"),
}
"""Icon and colour of each state."""


def state(value: State) -> str:
    """Return a state in a word."""
    return {
        State.COMPLETE: tr("Complete"),
        State.COMPLETENESS_UNKNOWN: tr("Completeness unknown"),
        State.INCOMPLETE: tr("Incomplete"),
        State.DAMAGED: tr("Damaged"),
        State.EARLIER_LOST: tr("Earlier records lost"),
        State.TWINNED: tr("Damaged, not lost"),
        State.MISSING: tr("Records missing"),
    }[value]


def state_of(row: HoldingRow) -> str:
    """Return how a holding is in few words: the worst that is known, and whether it lacks files."""
    word = state(row.state)
    return tr("{state}, incomplete", state=word) if row.failed and not row.is_complete else word


def proven(value: Proven) -> str:
    """Return what is proven of a holding in few words."""
    return {
        Proven.DIGEST: tr("Checksums match"),
        Proven.SIZE: tr("Checksums or sizes match"),
        Proven.NOTHING: tr("Unproven files"),
        Proven.INCOMPLETE: tr("Incomplete; archived files match"),
        Proven.DAMAGED: tr("Damaged since"),
    }[value]


def second_line(row: HoldingRow) -> str:
    """Return what tells a dataset from others of its title, and how much of it is held."""
    kept = quantities.files(row.file_count)
    if row.kept_count != row.file_count:
        kept = tr("{kept} of {files}", kept=quantities.number(row.kept_count), files=kept)
    if row.is_unknown:
        kept = tr("files not known")
    name = row.base_url if row.identifier == row.title else row.identifier
    parts = (name if name != row.title else "", words.version(row.platform_version), kept)
    return " · ".join(part for part in parts if part)


def beside(row: HoldingRow) -> str:
    """Return in few words what else is to be known of its state, "" if nothing is."""
    return _beside(row, tr("Last attempt: {outcome}"))


def _below(row: HoldingRow) -> str:
    """Return the same in a column that has room for three words."""
    return _beside(row, tr("Last: {outcome}"))


def _beside(row: HoldingRow, attempt: str) -> str:
    if row.failed:
        return quantities.records(row.failed)
    if row.last_status is not None and not row.last_status.is_success:
        return attempt.format(outcome=words.outcome(row.last_status))
    return ""


def license_in_words(value: str) -> str:
    """Return a licence, or that it is not known; "" for none."""
    return tr("Not known") if value == UNKNOWN else value


def _files(row: HoldingRow) -> str:
    if row.is_unknown:
        return tr("Not known")
    return quantities.number(row.kept_count)


def _size(row: HoldingRow) -> str:
    if row.is_unknown:
        return tr("Not known")
    return quantities.total(row.kept_size, row.unknown_kept_sizes)


def _verified(row: HoldingRow) -> str:
    if row.verified:
        return quantities.moment(row.verified)
    return tr("Not since files were added") if row.added else tr("Not since archived")


def _archived(row: HoldingRow) -> str:
    return quantities.moment(row.archived)


def _archived_tip(row: HoldingRow) -> str:
    since = tr("Archived {moment}", moment=_archived(row))
    if row.added is None:
        return since
    return f"{since}\n{tr('Last addition {moment}', moment=quantities.moment(row.added))}"


def _state_tip(row: HoldingRow) -> str:
    advice = tr("Choose it to see what helps.") if row.failed else ""
    return "\n".join(filter(None, (state_of(row), beside(row), advice)))
