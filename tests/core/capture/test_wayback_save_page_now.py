# SPDX-License-Identifier: AGPL-3.0-or-later
"""Save Page Now: asked before, paced, polled, and never trusted with more than it needs."""

from collections.abc import Iterator

import pytest

from carrel.capture.client import Cancelled, Client
from carrel.capture.throttle import Throttle
from carrel.capture.wayback.pauses import Waiting
from carrel.capture.wayback.save_page_now import Saved, SavePageNow, ServiceStop
from carrel.credentials import Keys
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.settings import Network
from support.wayback import ACCESS, SECRET, Answer, FakeClock, Plan, Wayback, html, json_answer

URL = "http://data.example/file?x=1&y=2"


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(clock: FakeClock) -> Iterator[Client]:
    network = Network(timeout_s=20)
    with Client(network, throttle=Throttle(network, now=clock.wall, sleep=clock.sleep)) as running:
        yield running


@pytest.fixture
def service(wayback: Wayback, client: Client, clock: FakeClock) -> SavePageNow:
    waiting = Waiting(lambda: False, 3.0, 3, clock.sleep, clock.now)
    return SavePageNow(client, wayback.origin, Keys(ACCESS, SECRET), waiting, 600.0)


def capture(service: SavePageNow, tell: list[str] | None = None) -> Saved:
    return service.capture(URL, "1h", (tell if tell is not None else []).append)


def refusal(service: SavePageNow) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        capture(service)
    assert str(stop.value).endswith(".")
    assert SECRET not in repr(stop.value)
    assert ACCESS not in repr(stop.value)
    return stop.value


def test_a_capture_is_asked_for_as_a_plain_download(wayback: Wayback, service: SavePageNow) -> None:
    held = wayback.will_capture(URL, b"x")

    saved = capture(service)

    assert saved.moment is not None
    assert f"{saved.moment:%Y%m%d%H%M%S}" == held.timestamp
    (submitted,) = [asked for asked in wayback.asked if asked.method == "POST"]
    assert submitted.form == {
        "url": URL,
        "capture_all": "1",
        "force_get": "1",
        "skip_first_archive": "1",
        "js_behavior_timeout": "0",
        "if_not_archived_within": "1h",
    }
    assert submitted.headers["authorization"] == f"LOW {ACCESS}:{SECRET}"
    assert submitted.headers["accept"] == "application/json"
    assert wayback.paths("/save")[:2] == ["/save/status/user", "/save"]


def test_keys_are_in_no_exchange(wayback: Wayback, service: SavePageNow) -> None:
    wayback.will_capture(URL, b"x")

    saved = capture(service)

    assert saved.exchange is not None
    assert SECRET.encode() not in saved.exchange.request_bytes()
    assert SECRET not in repr(saved)


def test_a_form_that_is_sent_is_an_exchange_without_the_form(
    wayback: Wayback, client: Client
) -> None:
    headers = {"Authorization": f"LOW {ACCESS}:{SECRET}", "X-Own": "yes"}
    wayback.answers["/save"] = [json_answer({"job_id": "spn2-x"})]

    exchange = client.post(f"{wayback.origin}/save", {"url": URL, "a": "ä&="}, headers)

    assert wayback.asked[0].form == {"url": URL, "a": "ä&="}
    assert (exchange.method, exchange.body) == ("POST", b'{"job_id": "spn2-x"}')
    assert exchange.request_bytes().startswith(b"POST /save HTTP/1.1\r\n")
    assert b"X-Own: yes" in exchange.request_bytes()
    assert SECRET.encode() not in repr(exchange).encode() + exchange.request_bytes()


def test_a_job_is_asked_after_every_few_seconds(
    wayback: Wayback, service: SavePageNow, clock: FakeClock
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.plans[URL][0].pending = 4

    capture(service)

    assert len(wayback.paths("/save/status/spn2")) == 5
    assert clock.now() == pytest.approx(15, abs=4)


def test_a_job_that_never_ends_is_given_up(
    wayback: Wayback, service: SavePageNow, clock: FakeClock
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.plans[URL][0].pending = 10**6

    stop = refusal(service)

    assert stop.status is Status.SPN2_ERROR
    assert "within 600 seconds" in str(stop)
    assert clock.now() == pytest.approx(600, abs=10)


def test_the_job_that_made_the_capture_is_the_one_that_counts(
    wayback: Wayback, service: SavePageNow
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.plans[URL][0].final = {"original_job_id": "spn2-first", "timestamp": None}
    first = json_answer({"status": "success", "timestamp": "20240501120000", "original_url": URL})
    wayback.answers["/save/status/job"] = [
        json_answer({"status": "success", "original_job_id": "spn2-first"}),
        first,
    ]

    saved = capture(service)

    assert f"{saved.moment:%Y}" == "2024"
    assert wayback.paths("/save/status/spn2")[-1] == "/save/status/spn2-first"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("invalid-url", Status.INVALID_URL),
        ("not-found", Status.NOT_FOUND),
        ("invalid-host-resolution", Status.INVALID_HOST_RESOLUTION),
        ("gateway-timeout", Status.GATEWAY_TIMEOUT),
        ("too-many-redirects", Status.REDIRECTS_EXCEEDED),
        ("read-timeout", Status.READ_TIMEOUT),
        ("no-access", Status.FORBIDDEN),
        ("forbidden", Status.FORBIDDEN),
        ("internal-server-error", Status.REMOTE_SERVER_ERROR),
        ("filesize-limit", Status.SPN2_ERROR),
        ("<b>celery</b>", Status.SPN2_ERROR),
    ],
)
def test_a_failure_has_the_word_for_it(
    wayback: Wayback, service: SavePageNow, error: str, status: Status
) -> None:
    wayback.plan(URL, Plan(error=f"error:{error}", message=f"Sorry {SECRET}\x00 no"))

    stop = refusal(service)

    assert stop.status is status
    assert error.replace("<b>", "b").replace("</b>", "b") in str(stop)
    assert "Sorry …" in str(stop)


def test_it_waits_while_no_place_is_free(
    wayback: Wayback, service: SavePageNow, clock: FakeClock
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.places = [0, 0, 0, 4]
    told: list[str] = []

    capture(service, told)

    assert wayback.paths("/save").count("/save/status/user") == 4
    assert told == ["Save Page Now has no free slot for you."] * 3
    assert clock.now() >= 3 + 6 + 12


def test_it_slows_down_when_few_places_are_left(
    wayback: Wayback, service: SavePageNow, clock: FakeClock
) -> None:
    wayback.will_capture(URL, b"x")
    capture(service)
    at_ease = clock.now()
    wayback.places = [1]

    capture(service)

    assert clock.now() - at_ease >= at_ease + 3


def test_no_place_all_the_time_ends_it_for_every_file(
    wayback: Wayback, service: SavePageNow
) -> None:
    wayback.places = [0]

    stop = refusal(service)

    assert isinstance(stop, ServiceStop)
    assert wayback.submitted == []


def test_captures_of_a_day_that_are_used_up_end_it_for_every_file(
    wayback: Wayback, service: SavePageNow
) -> None:
    wayback.daily = (1000, 1000)

    stop = refusal(service)

    assert isinstance(stop, ServiceStop)
    assert "1,000 captures" in str(stop)


@pytest.mark.parametrize("path", ["/save", "/save/status/user", "/save/status/job"])
def test_retry_after_is_obeyed(
    wayback: Wayback, service: SavePageNow, clock: FakeClock, path: str
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.answers[path] = [json_answer({}, 429, Retry_After="100")]

    saved = capture(service)

    assert saved.moment is not None
    assert 100 <= clock.now() < 120


def test_too_many_sessions_are_waited_for(wayback: Wayback, service: SavePageNow) -> None:
    wayback.will_capture(URL, b"x")
    limit = {"status": "error", "status_ext": "error:user-session-limit", "message": "Wait."}
    wayback.answers["/save"] = [json_answer(limit)]
    wayback.answers["/save/status/job"] = [json_answer(limit)]

    saved = capture(service)

    assert saved.moment is not None
    assert len(wayback.submitted) == 3


@pytest.mark.parametrize("path", ["/save", "/save/status/user", "/save/status/job"])
@pytest.mark.parametrize(
    "answer",
    [html(), html(502), Answer(200, b"{"), json_answer([1]), json_answer({"job_id": {}})],
)
def test_an_answer_that_makes_no_sense_is_asked_for_again(
    wayback: Wayback, service: SavePageNow, path: str, answer: Answer
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.answers[path] = [answer]

    assert capture(service).moment is not None


@pytest.mark.parametrize("path", ["/save", "/save/status/user", "/save/status/job"])
def test_answers_that_never_make_sense_are_an_error(
    wayback: Wayback, service: SavePageNow, path: str
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.answers[path] = [html()] * 3

    stop = refusal(service)

    assert stop.status is Status.SPN2_ERROR
    assert "no JSON" in str(stop)


@pytest.mark.parametrize("final", [{"status": "done"}, {"status": None}, {}])
def test_a_strange_end_of_a_job_is_an_error(
    wayback: Wayback, service: SavePageNow, final: dict[str, str]
) -> None:
    wayback.answers["/save"] = [json_answer({"job_id": "spn2-x"})]
    wayback.answers["/save/status/job"] = [json_answer(final)]

    assert refusal(service).status is Status.SPN2_ERROR


@pytest.mark.parametrize("timestamp", ["soon", "20249999999999", "2024", 7])
def test_a_success_of_no_time_has_none(
    wayback: Wayback, service: SavePageNow, timestamp: object
) -> None:
    wayback.answers["/save"] = [json_answer({"job_id": "spn2-x"})]
    done = {"status": "success", "original_url": URL, "timestamp": timestamp}
    wayback.answers["/save/status/job"] = [json_answer(done)]

    assert capture(service).moment is None


@pytest.mark.parametrize("job_id", ["../user", "a/b", "x" * 201, "", "a?b"])
def test_a_job_with_an_impossible_name_is_not_asked_after(
    wayback: Wayback, service: SavePageNow, job_id: str
) -> None:
    wayback.answers["/save"] = [json_answer({"job_id": job_id})]

    assert refusal(service).status is Status.SPN2_ERROR
    assert [path for path in wayback.paths("/save/status") if not path.endswith("user")] == []


def test_a_recent_capture_is_reported_without_its_time(
    wayback: Wayback, service: SavePageNow
) -> None:
    told = {"message": "The same snapshot had been made 12 minutes ago.", "job_id": None}
    wayback.answers["/save"] = [json_answer(told)]

    saved = capture(service)

    assert (saved.url, saved.moment) == (None, None)


@pytest.mark.parametrize("answer", [html(401), html(403), json_answer({"message": "no"}, 401)])
def test_keys_that_are_not_accepted_end_it_for_every_file(
    wayback: Wayback, service: SavePageNow, answer: Answer
) -> None:
    wayback.answers["/save"] = [answer]

    stop = refusal(service)

    assert isinstance(stop, ServiceStop)
    assert stop.status is Status.CREDENTIALS_REQUIRED


def test_keys_do_not_follow_a_redirect(wayback: Wayback, service: SavePageNow) -> None:
    with Wayback() as other:
        location = {"Location": f"{other.origin}/save"}
        wayback.answers["/save"] = [Answer(307, b"", location)] * 3

        assert refusal(service).status is Status.SPN2_ERROR
        assert other.asked == []


@pytest.mark.parametrize(
    "origin",
    [
        "https://web.archive.org.example",
        "https://notarchive.org",
        "http://web.archive.org",
        "https://example.org",
    ],
)
def test_keys_are_not_told_to_others(client: Client, origin: str) -> None:
    waiting = Waiting(lambda: False, 3.0, 3)

    with pytest.raises(ServiceStop, match="are not sent to"):
        SavePageNow(client, origin, Keys(ACCESS, SECRET), waiting, 600)


def test_a_wish_to_stop_ends_the_polling(
    wayback: Wayback, client: Client, clock: FakeClock
) -> None:
    wayback.will_capture(URL, b"x")
    wayback.plans[URL][0].pending = 10**6
    waiting = Waiting(lambda: clock.now() > 30, 3.0, 3, clock.sleep, clock.now)
    service = SavePageNow(client, wayback.origin, Keys(ACCESS, SECRET), waiting, 600)

    with pytest.raises(Cancelled):
        capture(service)

    assert clock.now() < 32
