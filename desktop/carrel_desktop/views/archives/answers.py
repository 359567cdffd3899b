# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tests of sources, one at a time, and what was answered, in words with what can be done."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import QLocale, QObject, QSettings, QTime, Signal

from carrel.errors import CarrelError
from carrel.model import SourceReport, SourceState, SourceType
from carrel.model.user_information import bare_address
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.session import Session

USUAL_URL = "https://www.example.com/"
SETTING = "archives/test_url"


@dataclass(frozen=True, slots=True)
class Trial:
    """One test of a source. Without a report it is being asked, or `trouble` says why it was not.

    `at` is aware.
    """

    url: str
    at: datetime
    report: SourceReport | None = None
    trouble: str = ""

    @property
    def is_asking(self) -> bool:
        return self.report is None and not self.trouble


@dataclass(frozen=True, slots=True)
class Said:
    """`word` is for a row, `heading` and `advice` for the card; `detail` says what was asked."""

    icon: str
    tone: str
    word: str
    heading: str
    advice: str
    detail: str


def said(trial: Trial) -> Said:
    """Return a trial in words."""
    detail = tr("Queried for {url} at {time}.", url=trial.url, time=_clock(trial.at))
    if trial.is_asking:
        look = words.source_state_look(SourceState.ASKED)
        word = tr("Querying…")
        return Said(*look, word, word, tr("This can take a few seconds."), detail)
    if trial.report is None:
        look = words.source_state_look(SourceState.WRONG_ANSWER)
        return Said(*look, tr("Not queried"), tr("Not queried"), trial.trouble, detail)
    report = trial.report
    parts = [_advice(report), _left_out(report)]
    return Said(
        *words.source_look(report),
        word=_word(report),
        heading=_heading(report),
        advice="\n".join(filter(None, (report.message, " ".join(filter(None, parts))))),
        detail=detail,
    )


def _word(report: SourceReport) -> str:
    match report.state:
        case SourceState.ANSWERED if report.is_incomplete:
            return tr("{captures}, incomplete", captures=_captures(report))
        case SourceState.ANSWERED:
            return _captures(report)
        case SourceState.NONE if report.is_incomplete:
            return tr("None found, incomplete")
        case SourceState.REFUSED | SourceState.RESTING if report.until:
            text = tr("Refused until {time}")
            if report.state is SourceState.RESTING:
                text = tr("Paused until {time}")
            return text.format(time=_clock(report.until))
    return {
        SourceState.ASKED: tr("Querying…"),
        SourceState.NONE: tr("No capture"),
        SourceState.TIMED_OUT: tr("Timed out"),
        SourceState.REFUSED: tr("Refused"),
        SourceState.RESTING: tr("Paused"),
        SourceState.UNREACHABLE: tr("Not reachable"),
        SourceState.FAILED: tr("Server error"),
        SourceState.INTERRUPTED: tr("Interrupted"),
        SourceState.WRONG_ANSWER: tr("Invalid answer"),
    }[report.state]


def _heading(report: SourceReport) -> str:
    seconds = tr("{seconds} s", seconds=QLocale().toString(float(report.took_s), "f", 1))
    match report.state:
        case SourceState.ANSWERED:
            text = tr("Answered: {captures} in {seconds}")
            if report.is_incomplete:
                text = tr("Answered, incomplete: {captures} in {seconds}")
            return text.format(captures=_captures(report), seconds=seconds) + _years(report)
        case SourceState.NONE if report.is_incomplete:
            return tr("Not known whether it has captures of this URL")
        case SourceState.NONE:
            return tr("No capture of this URL")
        case SourceState.TIMED_OUT:
            return tr("Timed out after {seconds}", seconds=seconds)
        case SourceState.UNREACHABLE:
            return tr("Not reachable")
        case SourceState.FAILED:
            return tr("Answered with an error")
        case SourceState.INTERRUPTED:
            return tr("Interrupted while it answered")
        case SourceState.WRONG_ANSWER:
            return tr("Not a valid answer")
    return _word(report)


def _advice(report: SourceReport) -> str:
    if report.is_incomplete:  # its message says what could not be read, and what helps
        return ""
    return {
        SourceState.ASKED: "",
        SourceState.ANSWERED: "",
        SourceState.NONE: tr("It answered and has no capture. Try a URL that you know it has."),
        SourceState.TIMED_OUT: tr(
            "Test it again later. If a source is always slow, raise “index_timeout” of its "
            "collection in the file."
        ),
        SourceState.REFUSED: tr("It limits requests. Carrel sends none until then.")
        if report.until
        else tr("It denies access. Check the address, or whether it is open to everybody."),
        SourceState.RESTING: tr(
            "Not queried: it failed or refused a short time ago. Test it again later."
        ),
        SourceState.UNREACHABLE: tr("Check that its file or folder is there.")
        if report.source_type is SourceType.FILE
        else tr("Check the address, and that this computer is online."),
        SourceState.FAILED: tr("The fault is on its side. Test it again later."),
        SourceState.INTERRUPTED: tr(
            "It was reached, and the connection ended before all was here. Test it again later."
        ),
        SourceState.WRONG_ANSWER: tr("Check the kind and the addresses."),
    }[report.state]


def _left_out(report: SourceReport) -> str:
    if not report.skipped:
        return ""
    return quantities.counted(
        report.skipped, "1 entry was not valid.", "{count} entries were not valid."
    )


def _captures(report: SourceReport) -> str:
    return quantities.counted(report.count, "1 capture", "{count} captures")


def _years(report: SourceReport) -> str:
    """Return of which years the first and last capture are, where the report says it."""
    first, last = report.first[:4], report.last[:4]
    if not first or not last:
        return ""
    if first == last:
        return tr(", all of {year}", year=first)
    return tr(", first {first}, last {last}", first=first, last=last)


def _clock(moment: datetime) -> str:
    local = moment.astimezone()
    if local.date() != datetime.now().astimezone().date():
        return quantities.moment(moment.isoformat())
    return QLocale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)


class Trials(QObject):
    """`changed` says that something is being asked, or has answered. While it is running, source
    `number` of `count` is asked, counted from 1.

    What a source answered is kept by its text, so that it is known again when it was saved.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.made: dict[str, Trial] = {}
        self._task: asyncio.Task[None] | None = None
        self.number, self.count = 0, 0

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(self, texts: Sequence[str], url: str) -> None:
        """Ask sources for a URL, one after the other."""
        if self.is_running or not texts:
            return
        remember_url(url)
        self.number, self.count = 1, len(texts)
        self._task = self._session.start(self._run(texts, url or USUAL_URL), is_asked=True)
        if self._task is not None:
            self._task.add_done_callback(self._on_done)
        self.changed.emit()

    def stop(self) -> None:
        """Let go of the question that is open, and ask no further ones."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, texts: Sequence[str], url: str) -> None:
        for self.number, text in enumerate(texts, 1):
            await self._ask(text, url)

    async def _ask(self, text: str, url: str) -> None:
        asked = Trial(url, datetime.now(UTC))
        before = self.made.get(text)
        self._put(text, asked)
        try:
            report = await self._session.call(
                lambda engine: engine.mementos.sources.test(text, url)
            )
        except CarrelError as error:
            self._put(text, Trial(url, asked.at, trouble=str(error)))
        except BaseException:
            self._put(text, before)
            raise
        else:
            self._put(text, Trial(url, asked.at, report))

    def _put(self, text: str, trial: Trial | None) -> None:
        if trial is None:
            self.made.pop(text, None)
        else:
            self.made[text] = trial
        self.changed.emit()

    def _on_done(self, _task: object) -> None:
        self._task = None
        self.changed.emit()


def remembered_url() -> str:
    """Return the URL that was requested last time."""
    return str(QSettings("Carrel", "Carrel").value(SETTING) or USUAL_URL)


def remember_url(url: str) -> None:
    """Keep a URL for next time, "" for the usual one; a password in it is kept nowhere."""
    QSettings("Carrel", "Carrel").setValue(SETTING, bare_address(url))
