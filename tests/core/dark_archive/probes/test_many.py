# SPDX-License-Identifier: AGPL-3.0-or-later
"""Many looks: several hosts at once, one at a time at each, and a clean end whenever it comes."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.dark_archive.probes import Asker, Look, Question, look_at_all
from carrel.dark_archive.probes import many as many_module
from support.full_texts import Stall, page, paper, pdf
from support.wire import Reply, WireServer, head, html

Incoming = Callable[[], Path]
Asked = tuple[str, Question]


class Busy:
    """Answers that count how many of them are given at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def paper(self) -> Reply:
        def pieces() -> Iterator[bytes]:
            whole = pdf("On Order")
            with self._lock:
                self._now += 1
                self.most = max(self.most, self._now)
            yield head("200 OK", {"Content-Length": len(whole)}) + whole[:9]
            with self._lock:
                self._now -= 1
            yield whole[9:]

        return Reply(pieces)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    yield
    left = [each.name for each in threading.enumerate() if each.name.startswith("asking")]
    assert left == []


def questions(server: WireServer, count: int, answer: Reply) -> Iterator[Asked]:
    for number in range(count):
        yield f"{server.port}/{number}", Question(server.serve(f"/{number}", answer))


def never() -> bool:
    return False


def test_every_question_gets_its_look(
    server: WireServer, elsewhere: WireServer, asker: Asker, incoming: Incoming
) -> None:
    asked = [
        *questions(server, 20, paper()),
        *questions(elsewhere, 20, page()),
        ("book", Question("a book about tides")),
        ("gone", Question(server.origin + "/gone")),
    ]

    found = dict(look_at_all(asker, asked, incoming, never, workers=4))

    assert len(found) == len(asked)
    assert Counter(each.outcome for each in found.values()) == {
        "ok": 40,
        "not-fetchable": 1,
        "http-404": 1,
    }
    assert found[f"{server.port}/7"].final_url == f"{server.origin}/7"


def test_a_host_gets_one_question_at_a_time(
    server: WireServer, asker: Asker, incoming: Incoming
) -> None:
    busy = Busy()

    found = list(
        look_at_all(asker, questions(server, 30, busy.paper()), incoming, never, workers=8)
    )

    assert (len(found), busy.most) == (30, 1)


def test_a_slow_host_keeps_nobody_waiting(
    server: WireServer, elsewhere: WireServer, asker: Asker, incoming: Incoming, stall: Stall
) -> None:
    slow = [("slow", Question(server.serve("/slow", stall.paper())))]
    looks = look_at_all(
        asker, [*slow, *questions(elsewhere, 10, paper())], incoming, never, workers=2
    )

    first = [next(looks)[0] for _ in range(10)]
    stall.go_on()

    assert "slow" not in first
    assert [key for key, _ in looks] == ["slow"]


def test_questions_are_taken_as_they_are_needed(
    server: WireServer, asker: Asker, incoming: Incoming, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many_module, "_IN_ADVANCE", 5)
    taken: list[str] = []
    endless = (
        (str(number), Question(server.serve(f"/{number}", paper()))) for number in range(10**9)
    )
    noted = ((taken.append(key) or key, question) for key, question in endless)  # type: ignore[func-returns-value]

    looks = look_at_all(asker, noted, incoming, never, workers=2)
    next(looks)
    looks.close()  # type: ignore[attr-defined]

    assert len(taken) <= 10


def test_who_closes_it_early_leaves_no_file_but_those_that_were_given(
    server: WireServer,
    elsewhere: WireServer,
    asker: Asker,
    incoming: Incoming,
    folder: Path,
    stall: Stall,
) -> None:
    slow = [("slow", Question(server.serve("/slow", stall.paper())))]
    looks = look_at_all(
        asker, [*slow, *questions(elsewhere, 9, paper())], incoming, never, workers=2
    )

    _, given = next(looks)
    assert stall.began.wait(10)
    looks.close()  # type: ignore[attr-defined]

    assert given.payload is not None
    assert list(folder.iterdir()) == [given.payload.path]


def test_a_wish_to_stop_ends_it_after_what_was_finished(
    server: WireServer, asker: Asker, incoming: Incoming, folder: Path
) -> None:
    found: list[Look] = []

    found += (
        look
        for _, look in look_at_all(
            asker,
            questions(server, 99, paper()),
            incoming,
            lambda: server.times_asked("/2") > 0,
            workers=2,
        )
    )

    kept = {each.payload.path for each in found if each.payload is not None}
    assert 2 <= len(found) <= 4
    assert set(folder.iterdir()) == kept


def test_a_disk_that_fails_ends_it(server: WireServer, asker: Asker, folder: Path) -> None:
    looks = look_at_all(
        asker, questions(server, 5, paper()), lambda: folder / "no" / "way", never, workers=2
    )

    with pytest.raises(FileNotFoundError):
        list(looks)


def test_a_fault_of_the_list_ends_it(
    server: WireServer, asker: Asker, incoming: Incoming, folder: Path
) -> None:
    def broken() -> Iterator[Asked]:
        yield from questions(server, 2, paper())
        raise RuntimeError("the list is cut")

    with pytest.raises(RuntimeError, match="cut"):
        list(look_at_all(asker, broken(), incoming, never, workers=2))

    assert list(folder.iterdir()) == []


def test_hosts_that_are_down_cost_three_questions_each(
    server: WireServer, asker: Asker, incoming: Incoming
) -> None:
    with WireServer() as closed:
        down = [(str(each), Question(f"{closed.origin}/{each}")) for each in range(500)]
    fine = list(questions(server, 3, html("no", "404 Not Found")))

    found = dict(look_at_all(asker, [*down, *fine], incoming, never, workers=4))

    assert Counter(each.outcome for each in found.values()) == {
        "host-down": 497,
        "refused": 3,
        "http-404": 3,
    }
