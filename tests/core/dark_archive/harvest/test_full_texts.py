# SPDX-License-Identifier: AGPL-3.0-or-later
"""Full texts asked for at a server: what came, what changed, what is gone."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from carrel.dark_archive.probes import Asker
from carrel.model.dark import Purged
from carrel.model.dark_views import RunProgress, RunReport
from support.dark_archives import World, asking, file_url, handle, template
from support.full_texts import bot_wall, page, paper, pdf
from support.wire import Reply, WireServer, html, redirect, reply

GONE, GONE_FOR_GOOD = html("gone", "404 Not Found"), html("gone", "410 Gone")


class Papers:
    """A world in which one template names one full text, and somebody who asks for it."""

    def __init__(self, world: World, server: WireServer, asker: Asker) -> None:
        self.world, self.server, self.asker = world, server, asker
        self.url = server.origin + "/paper.pdf"
        self.name(self.url)

    def serve(self, *replies: Reply) -> None:
        self.server.serve("/paper.pdf", *replies)

    def name(self, *urls: str, more: str = "") -> None:
        """Have the template name these full texts."""
        lines = [file_url(url) for url in urls]
        self.world.write(a=template(handle(1), "On Tides", *lines, more))

    def gather(self, **given: Any) -> RunReport:
        return self.world.gather(asker=self.asker, **given)

    def log(self) -> list[tuple[int, str, str | None]]:
        """Return what befell full texts: run, kind, and cause."""
        return [
            (each.run, each.kind, each.cause) for each in self.world.log() if "://" in each.ident
        ]

    def state(self) -> str:
        (row,) = self.world.rows("SELECT state FROM obi_state WHERE ident_n = ?", self.url)
        return str(row[0])

    def bytes_kept(self) -> list[bytes]:
        """Return what is stored of full texts, evidence of other things too, in order."""
        found = self.world.rows(
            "SELECT path FROM content WHERE path LIKE '%http%' ORDER BY stored, path"
        )
        return [(self.world.store / path).read_bytes() for (path,) in found]


@pytest.fixture
def papers(world: World) -> Iterator[Papers]:
    with WireServer() as server, asking() as asker:
        yield Papers(world, server, asker)


@pytest.fixture
def held(papers: Papers) -> Papers:
    """As it is when the full text was had once."""
    papers.serve(paper())
    papers.gather()
    return papers


def test_a_full_text_appears_and_its_very_bytes_are_kept(held: Papers) -> None:
    assert held.log() == [(1, "appearance", None)]
    assert held.bytes_kept() == [pdf("On Tides")]
    assert held.world.rows("SELECT media FROM content WHERE path LIKE '%http%'") == [
        ("application/pdf",)
    ]
    assert held.world.is_sound()


def test_a_remark_on_a_host_names_the_address_too(papers: Papers) -> None:
    with WireServer() as gone:
        url = gone.origin + "/paper.pdf"
    papers.name(url)

    report = papers.gather()

    assert report.counts["full texts: refused"] == 1
    assert [each.startswith(f"{url}: 127.0.0.1 cannot be") for each in report.problems] == [True]
    assert [each.about for each in report.remarks] == [url]


def test_the_same_bytes_again_lengthen_the_span_of_looks_alone(held: Papers) -> None:
    held.gather()
    held.gather()

    assert held.log() == [(1, "appearance", None)]
    assert held.world.rows("SELECT outcome, n, last > first FROM probe") == [("ok", 3, 1)]
    assert len(held.bytes_kept()) == 1


def test_other_bytes_are_a_change_and_both_are_kept(held: Papers) -> None:
    held.serve(paper("On Floods"))

    held.gather()

    assert held.log() == [(1, "appearance", None), (2, "change", None)]
    assert held.bytes_kept() == [pdf("On Tides"), pdf("On Floods")]


def test_bytes_that_were_there_before_are_a_change_and_not_kept_twice(held: Papers) -> None:
    held.serve(paper("On Floods"))
    held.gather()
    held.serve(paper())

    held.gather()

    assert held.log()[-1] == (3, "change", None)
    assert len(held.bytes_kept()) == 2
    assert held.world.is_sound()


@pytest.mark.parametrize("reply", [GONE, page()])
def test_what_is_missed_once_is_suspect_and_what_is_missed_days_later_lost(
    held: Papers, reply: Reply
) -> None:
    held.serve(reply)

    held.gather()
    first = held.state()
    held.gather(days=6)
    second = held.state()
    held.gather(days=1)

    assert (first, second, held.state()) == ("suspect", "suspect", "lost")
    (deletion,) = [each for each in held.world.log() if each.kind == "deletion"]
    assert (deletion.run, deletion.since) == (4, 2)
    assert deletion.cause in ("http-404", "wrong-content")
    assert held.world.is_sound()


def test_a_full_text_that_is_back_in_time_was_never_lost(held: Papers) -> None:
    held.serve(GONE, paper(), GONE)

    held.gather()
    held.gather(days=8)
    held.gather(days=8)

    assert held.log() == [(1, "appearance", None)]
    assert held.state() == "suspect"


def test_one_that_is_gone_for_good_is_lost_at_once(held: Papers) -> None:
    held.serve(GONE_FOR_GOOD)

    held.gather()

    assert held.log()[-1] == (2, "deletion", "http-410")


def test_in_strict_mode_the_first_look_is_believed(held: Papers) -> None:
    held.serve(GONE)

    held.gather(confirm_after_s=0)

    assert held.log()[-1] == (2, "deletion", "http-404")


def test_where_no_host_responds_it_takes_a_second_run_even_in_strict_mode(held: Papers) -> None:
    held.serve(redirect("http://127.0.0.1:9/paper.pdf"))  # refuses connections

    first = held.gather(confirm_after_s=0)
    assert (held.state(), first.unseen, first.is_complete) == ("suspect", 1, False)

    second = held.gather(confirm_after_s=0)
    assert held.log()[-1] == (3, "deletion", "refused")
    assert (second.counts["full texts lost"], second.unseen) == (1, 0)  # not both


@pytest.mark.parametrize(
    ("reply", "versions"), [(paper(), 1), (paper("On Tides, second edition"), 2)]
)
def test_one_that_is_back_after_its_loss_reappears(
    held: Papers, reply: Reply, versions: int
) -> None:
    held.serve(GONE_FOR_GOOD, GONE, reply)
    held.gather()
    held.gather()

    held.gather()

    assert [kind for _, kind, _ in held.log()] == ["appearance", "deletion", "reappearance"]
    assert len([each for each in held.bytes_kept() if each.startswith(b"%PDF")]) == versions
    assert held.world.is_sound()


@pytest.mark.parametrize(
    "reply",
    [bot_wall(), bot_wall("403 Forbidden"), html("no", "403 Forbidden"), html("", "500 Oops")],
)
def test_what_proves_nothing_loses_nothing_however_long_it_lasts(
    held: Papers, reply: Reply
) -> None:
    held.serve(reply)

    held.gather()
    held.gather(days=30)

    assert held.log() == [(1, "appearance", None)]
    assert held.state() == "present"


def test_one_that_never_came_is_not_lost(papers: Papers) -> None:
    papers.serve(GONE_FOR_GOOD)

    papers.gather()
    papers.gather(days=30)

    assert papers.log() == []
    assert papers.state() == "unseen"


@pytest.mark.parametrize(
    ("answer", "unseen"),
    [(paper(), 0), (GONE, 0), (html("no", "403 Forbidden"), 1), (html("", "500 Oh"), 1)],
)
def test_a_run_that_could_look_at_no_full_text_is_not_complete(
    papers: Papers, answer: Reply, unseen: int
) -> None:
    papers.serve(answer)

    report = papers.gather()

    assert (report.seen, report.unseen, report.is_complete) == (1 - unseen, unseen, not unseen)


def test_one_that_could_not_be_looked_at_beside_one_that_could_is_no_failure(
    papers: Papers,
) -> None:
    papers.serve(paper())
    papers.name(papers.url, "http://127.0.0.1:9/paper.pdf")

    report = papers.gather()

    assert (report.seen, report.unseen, report.is_complete) == (1, 1, True)


def test_addresses_that_cannot_be_requested_are_counted_and_named_as_long_as_they_are(
    papers: Papers,
) -> None:
    papers.serve(paper())
    papers.name(
        papers.url, "ftp://e.org/a", "b.pdf", "www.e.org/c", "http:///d", "http://u:p@e.org/e"
    )

    first, second = papers.gather(), papers.gather()
    (row,) = papers.world.ledger.dark.questions.series()

    assert first.counts["full texts not requested"] == 5
    assert second.counts["full texts not requested"] == 5
    assert first.problems == second.problems
    assert first.problems[0] == (
        f"{handle(1)}: “ftp://e.org/a” is not requested. Only http and https are fetched, not "
        '"ftp:".'
    )
    assert first.problems[-1].endswith(
        "The address has a user name or password; only public texts are fetched."
    )
    assert (row.full_texts, row.not_requested) == (1, 5)


def test_where_nobody_answers_nothing_was_looked_at(papers: Papers) -> None:
    papers.name("http://127.0.0.1:9/paper.pdf")

    report = papers.gather()

    assert (report.counts["full texts: refused"], report.unseen) == (1, 1)


def test_what_came_in_place_of_it_is_kept_once_as_evidence(held: Papers) -> None:
    held.serve(page())

    held.gather()
    held.gather()

    assert len(held.bytes_kept()) == 2
    assert held.world.rows("SELECT path FROM content WHERE path LIKE '%evidence%'")
    assert held.world.rows(
        "SELECT count(*) FROM version AS v JOIN obi USING (obi_id) WHERE kind = 'fobi'"
    ) == [(1,)]
    assert held.world.is_sound()


def test_a_pdf_that_may_be_cut_is_remarked_once_and_told_of_its_version(held: Papers) -> None:
    held.serve(reply(pdf("On Floods", is_whole=False), Content_Type="application/pdf"))

    report = held.gather()
    again = held.gather()
    held.serve(paper("On Ebbs"))
    held.gather()

    said = f"{held.url} delivered a PDF without its end: it may be cut. It was stored as it came."
    assert said in report.problems
    assert report.counts["full texts likely cut"] == 1
    assert again.problems == []
    life = held.world.ledger.dark.questions.life(None, held.url)
    assert life is not None
    assert [each.flags for each in life.versions] == [(), ("likely-cut",), ()]
    assert held.world.is_sound()


def test_what_came_in_place_of_it_is_told_in_one_sentence_with_its_flags(held: Papers) -> None:
    held.serve(page())

    held.gather()

    ((detail,),) = held.world.rows("SELECT detail FROM probe WHERE outcome = 'wrong-content'")
    assert detail.endswith("where application/pdf was; landing-page")


def test_a_redirect_is_kept_by_its_target_and_the_named_one_is_held(papers: Papers) -> None:
    papers.serve(redirect("/there.pdf"))
    there = papers.server.serve("/there.pdf", paper())

    papers.gather()

    ((path, held),) = papers.world.rows(
        "SELECT c.path, s.held FROM content AS c JOIN version USING (sha256)"
        " JOIN obi_state AS s USING (obi_id) WHERE s.ident_n = ?",
        papers.url,
    )
    assert path.endswith("there.pdf")
    assert held
    hops = "SELECT hop, status, to_url FROM redirect"
    assert papers.world.rows(hops) == [(1, 302, there)]
    assert papers.log() == [(1, "appearance", None)]


def test_the_same_bytes_at_two_addresses_are_stored_once(papers: Papers) -> None:
    papers.serve(paper())
    other = papers.server.serve("/copy.pdf", paper())
    papers.name(papers.url, other)

    papers.gather()

    assert len(papers.log()) == 2
    assert len(papers.bytes_kept()) == 1
    assert papers.world.is_sound()


def test_a_file_that_several_templates_name_is_asked_for_once(papers: Papers) -> None:
    papers.serve(paper())
    both = template(handle(1), "A", file_url(papers.url)) + template(
        handle(2), "B", file_url(papers.url)
    )
    papers.world.write(a=both)

    papers.gather()

    assert papers.server.times_asked("/paper.pdf") == 1


def test_a_reference_that_goes_is_closed_and_the_full_text_is_not_lost(held: Papers) -> None:
    held.name()

    held.gather()
    held.gather(days=30)

    assert held.log() == [(1, "appearance", None)]
    assert held.state() == "present"
    assert held.server.times_asked("/paper.pdf") == 1
    (reference,) = held.world.rows("SELECT since < until FROM refipo")
    assert reference == (1,)


def test_what_only_a_lost_template_names_is_asked_for_no_more(held: Papers) -> None:
    held.world.write(a=template(handle(2)))

    held.gather()

    assert held.server.times_asked("/paper.pdf") == 1
    assert held.log() == [(1, "appearance", None)]


def with_restriction(what: str) -> Callable[[Papers], None]:
    archive = template("RePEc:aaa", "Archive", kind="ReDIF-Archive 1.0")
    series = template("RePEc:aaa:wpaper", "Series", kind="ReDIF-Series 1.0")
    closed = "Restriction: subscribers only\n"
    name = {"archive": archive, "series": series}

    def write(papers: Papers) -> None:
        lines = [file_url(papers.url)]
        if what == "file":
            lines.append(f"File-{closed.strip()}")
        if what == "template":
            lines.append(closed.strip())
        text = name[what].rstrip("\n") + "\n" + closed if what in name else ""
        papers.world.write(a=template(handle(1), "On Tides", *lines), z=text or "# nothing\n")

    return write


@pytest.mark.parametrize("what", ["file", "template", "series", "archive"])
def test_what_is_restricted_is_not_asked_for(papers: Papers, what: str) -> None:
    papers.serve(paper())
    with_restriction(what)(papers)

    papers.gather()

    assert papers.server.seen == []
    assert papers.log() == []


@pytest.mark.parametrize("what", ["file", "template", "series", "archive"])
def test_what_becomes_restricted_is_kept_and_left_alone(held: Papers, what: str) -> None:
    with_restriction(what)(held)
    held.serve(GONE_FOR_GOOD)

    held.gather()

    assert held.server.times_asked("/paper.pdf") == 1
    assert held.state() == "present"


def test_what_was_asked_for_lately_is_left_alone_until_it_is_due(held: Papers) -> None:
    held.gather(every_s=30 * 86_400)
    early = held.server.times_asked("/paper.pdf")

    held.gather(every_s=30 * 86_400, days=30)

    assert (early, held.server.times_asked("/paper.pdf")) == (1, 2)


def test_a_purged_text_is_not_kept_again(held: Papers) -> None:
    ((sha256, path),) = held.world.rows("SELECT sha256, path FROM content WHERE path LIKE '%http%'")
    with held.world.keeping() as keeping:
        keeping.commit([Purged(int(held.world.clock.seconds()), sha256, "asked for")])
        keeping.store.remove(path)

    held.gather()
    held.serve(paper("On Floods"), paper())
    held.gather()
    held.gather()

    stored = [each.read_bytes() for each in held.world.store.glob("*/*/*/http*")]
    assert stored == [pdf("On Floods")]
    assert [kind for _, kind, _ in held.log()] == ["appearance", "change", "change"]
    assert held.world.is_sound()


def test_a_run_that_is_stopped_keeps_what_has_come(papers: Papers) -> None:
    urls = [papers.server.serve(f"/{number}.pdf", paper(str(number))) for number in range(9)]
    papers.name(*urls)

    report = papers.gather(
        workers=1,
        is_cancelled=lambda: [each.phase for each in papers.world.told].count("full texts") > 2,
    )

    assert 3 <= report.counts["full texts appeared"] < 9
    assert len(papers.log()) == report.counts["full texts appeared"]
    assert papers.world.is_sound()
    assert not list((papers.world.store / ".incoming").iterdir())


def test_a_run_that_is_stopped_says_so_from_then_on(papers: Papers) -> None:
    papers.name(*(papers.server.serve(f"/{number}.pdf", paper()) for number in range(3)))

    report = papers.gather(workers=1, is_cancelled=lambda: len(papers.server.seen) > 0)
    (stopped,) = papers.world.ledger.dark.questions.runs()
    whole = papers.gather(workers=1)
    (newest, _) = papers.world.ledger.dark.questions.runs()

    assert (report.is_stopped, report.is_complete, stopped.is_stopped) == (True, False, True)
    assert (stopped.scope_ok, stopped.is_whole) == (True, False)
    assert not stopped.determined_losses
    assert (whole.is_stopped, whole.is_complete, newest.is_whole) == (False, True, True)
    assert papers.world.is_sound()


def test_a_run_that_is_stopped_when_all_was_asked_for_is_complete(papers: Papers) -> None:
    papers.serve(paper())

    told = papers.world.told
    report = papers.gather(is_cancelled=lambda: any(it.phase == "full texts" for it in told))

    assert (report.is_stopped, report.is_complete) == (False, True)


def test_a_run_that_is_interrupted_while_it_asks_has_determined_lost_templates_alone(
    held: Papers,
) -> None:
    held.world.write(a=template(handle(2), "On Floods", file_url(held.url)))

    def tell(progress: RunProgress) -> None:
        if progress.phase == "full texts":
            raise OSError("killed")

    held.world.tell = tell
    with pytest.raises(OSError, match="killed"):
        held.gather()

    newest = held.world.ledger.dark.questions.runs()[0]
    assert (newest.ended, newest.scope_ok, newest.determined_losses) == (None, True, False)
    assert newest.counts["lost"] == 1
    assert not newest.is_whole
    assert [each.kind for each in held.world.log(2) if each.ident == handle(1)] == ["deletion"]
    assert held.world.is_sound()


def test_when_something_goes_wrong_nobody_goes_on_asking(
    papers: Papers,
) -> None:
    papers.name(*(papers.server.serve(f"/{number}.pdf", paper()) for number in range(9)))

    def tell(progress: RunProgress) -> None:
        if progress.phase == "full texts":
            raise OSError("nobody to tell")

    papers.world.tell = tell

    with pytest.raises(OSError, match="nobody to tell"):
        papers.gather()

    assert [each for each in threading.enumerate() if "asking" in each.name] == []
