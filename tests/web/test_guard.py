"""Who may ask: a wrong token, host or origin is refused; names of files are shown harmlessly, and never open any."""

import re
from dataclasses import replace

import pytest

from poradek_vision.model import Failure, Text
from poradek_vision.web import Server
from poradek_vision.web.app import LARGEST_ACT, make_app
from poradek_vision.web.desk import Desk
from poradek_vision.web.guard import Guard
from web.made_review import EVIL, GAME, READINGS, SHA, make_reading, open_made

PORT = 8123
HOME = {"Host": f"127.0.0.1:{PORT}"}
ACT = {"do": "cell", "photo": SHA["a.jpg"], "board": 0, "row": 0, "col": 2, "value": "R", "tab": "t"}
OWN = {**HOME, "Origin": f"http://127.0.0.1:{PORT}"}


@pytest.fixture
def guard():
    guard = Guard("cs")
    guard.port = PORT
    return guard


@pytest.fixture
def results(tmp_path):
    return tmp_path / "results"


@pytest.fixture
def stranger(results, guard):
    """Somebody who has not been let in."""
    return make_app(Desk(open_made(results)), guard).test_client()


@pytest.fixture
def friend(stranger, guard):
    """The browser that was given the address."""
    assert stranger.get(f"/?token={guard.token}", headers=HOME).status_code == 303
    return stranger


def test_the_token_lets_in_once_and_leaves_no_trace_in_the_address(stranger, guard):
    answer = stranger.get(f"/?token={guard.token}", headers=HOME)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert guard.token not in cookie
    assert stranger.get("/", headers=HOME).status_code == 200
    another = stranger.application.test_client()
    assert another.get(f"/?token={guard.token}", headers=HOME).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=x", "/?token=ž", "/version", "/static/review.js", f"/photo/{'a' * 64}.jpg"]
)
def test_without_the_token_nothing_is_shown(stranger, path):
    answer = stranger.get(path, headers=HOME)
    assert answer.status_code == 403
    assert "Vlci" not in answer.text


def test_a_cookie_that_is_not_ascii_is_wrong_like_any_other(stranger):
    client = stranger.application.test_client(use_cookies=False)
    cookie = f"poradek_{PORT}=klíč".encode().decode("latin-1")
    assert client.get("/", headers={**HOME, "Cookie": cookie}).status_code == 403


def test_a_wrong_token_does_not_use_up_the_right_one(stranger, guard):
    assert stranger.get("/?token=x", headers=HOME).status_code == 403
    assert stranger.get(f"/?token={guard.token}", headers=HOME).status_code == 303


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(friend, host):
    assert friend.get("/", headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", None]
)
def test_another_origin_can_not_write(friend, results, origin):
    headers = {**HOME, **({"Origin": origin} if origin else {})}
    assert friend.post("/act", json=ACT, headers=headers).status_code == 403
    assert not (results / "corrections.csv").exists()


def test_a_form_can_not_write(friend, results):
    assert friend.post("/act", data=ACT, headers=OWN).status_code == 403
    assert not (results / "corrections.csv").exists()


def test_the_page_itself_can_write(friend, results):
    assert friend.post("/act", json=ACT, headers=OWN).status_code == 200
    assert "a.jpg" in (results / "corrections.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path",
    [
        "/photo/../../../etc/passwd.jpg",
        "/photo/..%2f..%2f..%2fetc%2fpasswd.jpg",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/thumb/../0.jpg",
        "/board/..%2f..%2fresults/0",
        f"/board/{'d' * 64}/0",
        f"/cell/{SHA['a.jpg']}/0/99-99.jpg",
        f"/flat/{SHA['a.jpg']}/7.jpg",
        "/typed?team=Vlci&size=99",
        "/typed?team=../..&size=3",
    ],
)
def test_paths_lead_to_nothing_but_the_batch(friend, path):
    assert friend.get(path, headers=HOME).status_code in (400, 404)


@pytest.mark.parametrize(
    "act",
    [
        [],
        "x",
        {},
        {"do": "no such act"},
        {**ACT, "photo": "../a.jpg"},
        {**ACT, "row": 99},
        {**ACT, "row": -1},
        {**ACT, "row": "0"},
        {**ACT, "board": 3},
        {**ACT, "value": "Z"},
        {**ACT, "value": None},
        {**ACT, "do": "team", "value": "Nikdo"},
        {**ACT, "do": "corners", "value": [1, 2, 3], "size": 3},
        {**ACT, "do": "corners", "value": [0, 0, 9, 0, 9, 9, 0, "x"], "size": 3},
        {**ACT, "do": "corners", "value": [0, 0, 9, 0, 9, 9, 0, 9], "size": 99},
        {**ACT, "do": "corners", "value": [0, 0, 9, 0, 9, 9, 0, 10**400], "size": 3},
        {**ACT, "do": "corners", "value": [0, 0, 1e300, 0, 1e300, 1e300, 0, 1e300], "size": 3},
        {**ACT, "do": "corners", "value": [False, 0, 9, 0, 9, 9, 0, True], "size": 3},
        {**ACT, "do": "corners", "value": [0, 0, 9, 0, 9, 9, 0, 9], "size": 3, "board": 2},
        {**ACT, "do": "board", "value": "maybe"},
    ],
)
def test_nonsense_is_refused_and_changes_nothing(friend, results, act):
    assert friend.post("/act", json=act, headers=OWN).status_code == 400
    assert not (results / "corrections.csv").exists()


def test_brackets_within_brackets_are_nonsense_too(friend):
    sent = friend.post("/act", data="[" * 30000, headers=OWN, content_type="application/json")
    assert sent.status_code == 400


@pytest.fixture
def pages(results, guard):
    """The pages of a batch made of readings."""

    def opened(*readings):
        client = make_app(Desk(open_made(results, readings=readings, failures=())), guard).test_client()
        client.get(f"/?token={guard.token}", headers=HOME)
        return client

    return opened


def test_a_board_whose_photo_is_gone_says_so_and_loads_no_picture(pages):
    page = pages(*READINGS).get(f"/board/{SHA['a.jpg']}/0", headers=HOME).text
    assert "Fotka tu už není" in page
    assert "<image" not in page
    assert page.count('role="gridcell"') == 9


def test_what_is_not_there_is_said_in_the_language_of_the_game(friend):
    answer = friend.get("/board/0/0", headers=HOME)
    assert answer.status_code == 404
    assert "Taková stránka tu není" in answer.text
    assert '<a class="button" href="/">' in answer.text


def test_no_link_leads_to_a_photo_that_can_not_be_opened(results, guard):
    lost = Failure("nic.jpg", SHA["nic.jpg"], "unreadable", Text("photo.empty", (("photo", "nic.jpg"),)))
    client = make_app(Desk(open_made(results, failures=(lost,))), guard).test_client()
    client.get(f"/?token={guard.token}", headers=HOME)
    page = client.get("/", headers=HOME).text
    assert "<b>nic.jpg</b><p>soubor je prázdný;" in page  # its name once
    assert SHA["nic.jpg"] not in page


SLOT = re.compile(r'<div class="slot" id="board-slot"( hidden)?>')


def test_cells_that_do_not_count_can_not_be_set(pages):
    client = pages(READINGS[1], make_reading("a.jpg", "Lišky", ("YYY", "...", "..."), [(1, 1, "R")]))
    counts, other = (client.get(f"/board/{SHA[name]}/0", headers=HOME).text for name in ("b.jpg", "a.jpg"))
    assert [SLOT.search(page)[1] for page in (counts, other)] == [None, " hidden"]
    assert ["not-settable" in page for page in (counts, other)] == [False, True]


def test_a_size_that_the_game_lacks_is_chosen_where_it_was_read(pages):
    page = pages(make_reading("a.jpg", "Vlci", ("RR", ".."))).get(f"/board/{SHA['a.jpg']}/0", headers=HOME).text
    assert re.findall(r'<option value="(\d+)"( selected)?>', page) == [("3", ""), ("2", " selected")]


@pytest.mark.parametrize(("size", "told"), [(3, "3 řádky po 3 písmenech"), (5, "5 řádků po 5 písmenech")])
def test_how_a_board_is_typed_agrees_with_its_size(results, guard, size, told):
    client = make_app(Desk(open_made(results, game=replace(GAME, sizes=(3, size)))), guard).test_client()
    client.get(f"/?token={guard.token}", headers=HOME)
    assert told in client.get(f"/typed?team=Vlci&size={size}", headers=HOME).text


def test_the_server_takes_no_large_request_from_anybody(results):
    server = Server(open_made(results))
    try:
        assert server._server.adj.max_request_body_size == LARGEST_ACT
    finally:
        server._server.close()


def test_html_in_the_name_of_a_file_stays_text(results, guard):
    evil = make_reading(EVIL, "Vlci", ("RR.", "...", "..."), [(0, 2, "R")], sha256="e" * 64)
    client = make_app(Desk(open_made(results, readings=(evil, READINGS[1]))), guard).test_client()
    client.get(f"/?token={guard.token}", headers=HOME)
    page = client.get("/", headers=HOME).text
    assert "<img src=x" not in page
    assert "&lt;img src=x onerror=" in page


def test_the_page_loads_nothing_from_elsewhere_and_shows_in_no_frame(friend):
    answer = friend.get("/", headers=HOME)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Cache-Control"] == "no-store"
    addresses = re.findall(r'(?:src|href)="([^"#]+)', answer.text)
    assert addresses
    assert all(address.startswith("/") and not address.startswith("//") for address in addresses)
    assert " style=" not in answer.text
