"""The review in a real browser, from the command to the files: mouse, keyboard, drags, two tabs, a killed server."""

import csv
import http.server
import re
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from poradek_vision.files import load_corrections, load_game, load_readings
from poradek_vision.model import Flag
from poradek_vision.pipeline import Setup, score
from poradek_vision.web.overview import MOST_QUEUED
from web.lost_boards import DOUBTS, LINELESS, LINELESS_CORNERS, LINELESS_ROWS
from web.made_review import make_reading, make_results


def rows(results: Path, name: str):
    return list(csv.DictReader((results / name).read_text(encoding="utf-8").splitlines()))


def words(results: Path):
    return [(word.target, word.row, word.col, word.value) for word in load_corrections(results / "corrections.csv")]


def colour_of(results: Path, team: str, size: int, row: int, col: int):
    """What cells.csv says of a cell, and whether a person said so."""
    (cell,) = (
        line
        for line in rows(results, "cells.csv")
        if (line["team"], line["size"], line["row"], line["col"]) == (team, str(size), str(row + 1), str(col + 1))
    )
    return cell["colour"], cell["corrected"] == "1"


def total(results: Path, team: str) -> int:
    return int(next(line["total"] for line in rows(results, "results.csv") if line["team"] == team))


def chosen(page: Page):
    return page.locator(".doubt[aria-selected=true]")


def told(page: Page, part: str):
    expect(page.locator("#told.on")).to_contain_text(part)


def choose_doubt(page: Page, row: int, col: int):
    page.locator(f".doubt[data-row='{row}'][data-col='{col}'] .where").click()
    expect(chosen(page)).to_have_attribute("data-col", str(col))


def test_a_cell_is_corrected_by_mouse_and_the_table_follows(results, serve, browse):
    page = browse(serve(results).address)
    expect(page.locator("#sentence")).to_contain_text("3 políčka")
    expect(page.locator(".doubt")).to_have_count(3)
    expect(page.locator(".doubt .crop").first).to_have_js_property("naturalWidth", 192)
    before = total(results, "Vlci")
    choose_doubt(page, 0, 3)
    chosen(page).locator("button[data-value='.']").click()
    expect(page.locator(".doubt")).to_have_count(2)
    told(page, "řádek 1, sloupec 4")
    assert colour_of(results, "Vlci", 4, 0, 3) == (".", True)
    assert words(results) == [("cell", 0, 3, ".")]
    assert total(results, "Vlci") < before
    expect(page.locator("#totals tr", has_text="Vlci").locator(".total")).to_have_text(str(total(results, "Vlci")))


def test_a_cell_is_corrected_by_keyboard_alone_and_undone(results, serve, browse):
    page = browse(serve(results).address)
    places = [(place, cell) for place, cells in DOUBTS.items() for cell in cells]
    seen = set()
    for _ in places:
        seen.add((chosen(page).get_attribute("data-row"), chosen(page).get_attribute("data-col")))
        page.keyboard.press("ArrowDown")
    assert seen == {(str(row), str(col)) for _, (row, col) in places}
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    row, col = (int(chosen(page).get_attribute(f"data-{name}")) for name in ("row", "col"))
    page.keyboard.press("3")
    expect(page.locator(".doubt")).to_have_count(2)
    assert words(results) == [("cell", row, col, "G")]
    page.keyboard.press("Control+z")
    expect(page.locator(".doubt")).to_have_count(3)
    assert words(results) == []
    for left in (2, 1, 0):
        page.keyboard.press("Enter")
        expect(page.locator(".doubt")).to_have_count(left)
    assert len(words(results)) == 3
    expect(page.locator("#sentence")).to_contain_text("1 deska je nejistá jako celek")
    page.keyboard.press("Control+z")
    expect(page.locator(".doubt")).to_have_count(1)


def test_any_cell_of_a_board_is_corrected_by_mouse_and_arrows(results, serve, browse):
    page = browse(serve(results).address)
    page.locator(".ledger tr", has_text="Lišky").locator("a").first.click()
    page.locator("#c-2-2").click()
    expect(page.locator("#cell-words")).to_contain_text("řádek 3, sloupec 3")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#c-1-3")).to_have_class("cell chosen")
    page.keyboard.press("4")
    expect(page.locator("#c-1-3")).to_have_class("cell corrected chosen")
    assert colour_of(results, "Lišky", 4, 1, 3) == ("B", True)
    page.locator("#photo polygon.cell").nth(0).click()
    page.keyboard.press("1")
    expect(page.locator("#c-0-0")).to_have_class("cell corrected chosen")
    assert colour_of(results, "Lišky", 4, 0, 0) == ("R", True)
    page.locator("#strips li").first.hover()
    assert page.locator("#flat .lit").count() > 1
    page.locator("#c-0-1").hover()
    runs = page.locator("#cell-strips li").all_inner_texts()
    assert runs
    assert all(("bod" in run and "1, 2" in run) or "1, 1" in run for run in runs)


def test_letters_name_the_owners_of_stickers(tmp_path, serve, browse):
    (tmp_path / "game.toml").write_text(
        'language = "cs"\nsizes = [3]\nno_mans_land = 4\n'
        '[[teams]]\nname = "Vlci"\nmark = "B"\n[[teams]]\nname = "Lišky"\nmark = "7"\n',
        encoding="utf-8",
    )
    read = make_reading("a.jpg", "", ("RR..", "....", "....", "...."))
    cells = tuple(replace(cell, flags=(Flag.OWNER_UNCLEAR,)) if cell.colour == "R" else cell for cell in read.cells)
    land = replace(read, cells=cells, grid=replace(read.grid, kind="no_mans_land"))
    results = make_results(tmp_path / "results", [land], failures=(), from_file=True)
    page = browse(serve(results).address)
    expect(page.locator(".doubt")).to_have_count(2)
    page.keyboard.press("Enter")
    told(page, "čí samolepka")
    page.keyboard.press("b")
    expect(page.locator(".doubt")).to_have_count(1)
    page.keyboard.press("a")  # a mark that is a digit gets the first letter that is free
    expect(page.locator(".doubt")).to_have_count(0)
    assert words(results) == [("owner", 0, 0, "Vlci"), ("owner", 0, 1, "Lišky")]


def test_undo_survives_a_reload_and_so_does_what_was_said(results, serve, browse):
    page = browse(serve(results).address)
    choose_doubt(page, 1, 2)
    page.keyboard.press("1")
    expect(page.locator(".doubt")).to_have_count(2)
    page.reload()
    expect(page.locator(".doubt")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".doubt")).to_have_count(3)
    assert words(results) == []


def drag(page: Page, number: int, x: float, y: float):
    """Drag a corner to a place of the photo, in its pixels."""
    handle = page.locator(".handle").nth(number).locator(".dot").bounding_box()
    there = page.evaluate(
        """([x, y]) => {
            const photo = document.querySelector("#photo");
            const point = new DOMPoint(x, y).matrixTransform(photo.getScreenCTM());
            return [point.x, point.y];
        }""",
        [x, y],
    )
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(*there, steps=4)
    page.mouse.up()


def test_a_board_that_was_not_found_is_read_by_its_corners_and_given_to_a_team(results, serve, browse):
    page = browse(serve(results).address)
    assert [line["status"] for line in rows(results, "boards.csv") if line["photo"] == LINELESS] == ["not_found"]
    page.locator(".todo a", has_text=LINELESS).click()
    page.locator("#size").select_option("3")
    for number, (x, y) in enumerate(LINELESS_CORNERS):
        drag(page, number, x, y)
        if number != 1:  # whoever is quick drags two at once
            expect(page.locator("#quad")).to_have_attribute("data-corners", re.compile(rf"\b{x}\.\d {y}\.\d\b"))
    expect(page.locator("#flat .cell")).to_have_count(9)
    assert page.locator("body.cornering").count() == 1
    page.locator("#team").select_option("Vlci")
    expect(page.locator("h1")).to_have_text("Vlci 3×3")
    (line,) = (line for line in rows(results, "boards.csv") if line["photo"] == LINELESS)
    assert (line["team"], line["size"], line["found_by"]) == ("Vlci", "3", "by hand")
    cells = [line["colour"] for line in rows(results, "cells.csv") if line["photo"] == LINELESS]
    assert "".join(cells) == "".join(LINELESS_ROWS)
    (reading,) = (reading for reading in load_readings(results / "readings.jsonl") if reading.photo == LINELESS)
    assert reading.grid.how == "by hand"
    corners = next(word.value for word in load_corrections(results / "corrections.csv") if word.target == "corners")
    assert max(abs(float(a) - b) for a, b in zip(corners.split(), sum(LINELESS_CORNERS, ()), strict=True)) < 3


def test_corners_move_by_keyboard_too(results, serve, browse):
    page = browse(serve(results).address)
    page.locator(".todo a", has_text=LINELESS).click()
    page.locator("#size").select_option("3")
    page.locator(".handle").first.click()
    page.wait_for_timeout(400)
    assert load_corrections(results / "corrections.csv") == ()  # corners that nobody moved are nobody's word
    page.locator(".handle").first.focus()
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#told")).to_contain_text("Čtu")
    told(page, "podle rohů")
    assert [word.target for word in load_corrections(results / "corrections.csv")] == ["corners", "size"]


def test_a_board_of_nobody_gets_its_team_and_what_is_none_is_dropped(results, serve, browse):
    page = browse(serve(results).address)
    before = total(results, "Vlci")
    page.locator(".todo a", has_text="Neznámý").or_(page.locator(".todo a", has_text="neznámý")).first.click()
    page.locator("#team").select_option("Vlci")
    expect(page.locator("h1")).to_have_text("Vlci 3×3")
    assert total(results, "Vlci") > before
    page.locator("button", has_text="To není deska").click()
    told(page, "není deska")
    assert total(results, "Vlci") == before


def test_a_missing_board_is_typed_in(results, serve, browse):
    page = browse(serve(results).address)
    page.locator(".ledger tr", has_text="Vlci").locator(".missing a").click()
    page.locator("#rows").fill("rrr\n...")
    page.locator("button[type=submit]").click()
    told(page, "není čtverec")
    page.locator("#rows").fill("rrr\n...\n...")
    page.locator("button[type=submit]").click()
    expect(page.locator("#queue")).to_be_visible()
    expect(page.locator(".ledger tr", has_text="Vlci").locator("td").nth(1)).to_contain_text("opsaná")
    assert [line["points"] for line in rows(results, "boards.csv") if line["found_by"] == "typed"] == ["3"]


def test_two_tabs_see_each_other_and_lose_nothing(results, serve, browse):
    server = serve(results)
    one = browse(server.address)
    two = one.context.new_page()
    two.goto(server.home)
    choose_doubt(one, 0, 3)
    choose_doubt(two, 1, 2)
    one.keyboard.press("2")
    expect(two.locator(".doubt")).to_have_count(2)
    expect(chosen(two)).to_have_attribute("data-col", "2")
    two.keyboard.press("3")
    expect(one.locator(".doubt")).to_have_count(1)
    assert sorted(words(results)) == [("cell", 0, 3, "Y"), ("cell", 1, 2, "G")]


@pytest.mark.parametrize("after_ms", [0, 15, 40])
def test_a_server_killed_in_the_middle_of_a_change_loses_nothing(results, serve, browse, after_ms):
    server = serve(results)
    page = browse(server.address)
    choose_doubt(page, 0, 3)
    page.keyboard.press("2")
    expect(page.locator(".doubt")).to_have_count(2)
    choose_doubt(page, 1, 2)
    page.keyboard.press("4")
    time.sleep(after_ms / 1000)
    server.kill()
    told(page, "Spusťte znovu")
    again = browse(serve(results).address)
    said = words(results)
    assert ("cell", 0, 3, "Y") in said
    expect(again.locator(".doubt")).to_have_count(3 - len(said))
    readings = load_readings(results / "readings.jsonl")
    outcomes = [tuple(one for one in readings if one.photo == name) for name in {one.photo for one in readings}]
    setup = Setup(load_game(results.parent / "game.toml"))
    told_by_engine = score(outcomes, load_corrections(results / "corrections.csv"), setup).results.totals
    assert {line["team"]: float(line["total"]) for line in rows(results, "results.csv")} == {
        one.team: one.total for one in told_by_engine
    }


# --- phones, large batches, evil neighbours -------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 768)])
def test_nothing_is_wider_than_the_screen_nor_too_small_for_a_finger(results, serve, browse, width, height):
    server = serve(results)
    page = browse(server.address, width, height, has_touch=True)
    board = page.locator(".ledger .review a").first.get_attribute("href")
    for path in ("/", board, "/typed?team=Vlci&size=3"):
        page.goto(server.home + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sizes = page.locator("button:visible, .button:visible, select:visible, .place a").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
        )
        assert sizes
        assert min(min(size) for size in sizes) >= 40


def test_of_two_hundred_boards_pictures_are_loaded_as_they_come_into_sight(tmp_path, serve, browse):
    photos = [f"{k:03}.jpg" for k in range(200)]
    doubts = [(row, col, "Y") for row in range(2) for col in range(2)]
    readings = [make_reading(name, "", ("RRY", "YB.", "..."), doubts, f"{k:064x}") for k, name in enumerate(photos)]
    (tmp_path / "game.toml").write_text(
        'title = "Zkouška"\nlanguage = "cs"\nsizes = [3]\nno_mans_land = 0\n'
        '[[teams]]\nname = "Vlci"\nmark = "A"\n[[teams]]\nname = "Lišky"\nmark = "B"\n',
        encoding="utf-8",
    )
    server = serve(make_results(tmp_path / "results", readings, failures=(), from_file=True))
    page = browse("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.address)
    page.locator(".doubt[aria-selected=true]").wait_for()
    expect(page.locator("#sentence")).to_contain_text("800")
    expect(page.locator(".doubt")).to_have_count(MOST_QUEUED)
    assert sum("/thumb/" in url for url in asked) < 60
    page.locator(".tile").last.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    assert any("/thumb/" in url for url in asked)
    page.keyboard.press("1")
    expect(page.locator("#sentence")).to_contain_text("799")


def test_html_in_a_file_name_does_nothing(scored_camp, tmp_path, serve, browse):
    name = "<img src=x onerror=alert(1)>.jpg"
    camp = Path(shutil.copytree(scored_camp, tmp_path / "tábor"))
    results = camp / "results"
    for file in ("batch.json", "readings.jsonl"):
        text = (results / file).read_text(encoding="utf-8")
        (results / file).write_text(text.replace("IMG_1.jpg", name), encoding="utf-8")
    (camp / "IMG_1.jpg").rename(camp / name)
    page = browse(serve(results).address)
    expect(page.locator(".tile .file", has_text=name)).to_have_count(1)
    assert page.locator("img[src=x]").count() == 0
    page.locator(".tile a", has_text=name).click()
    expect(page.locator("#head .file")).to_have_text(name)
    assert page.locator("img[src=x]").count() == 0


def test_another_site_open_in_the_browser_can_neither_read_nor_write(results, serve, browse):
    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<p>evil</p>")

        def log_message(self, *_):
            pass

    server = serve(results)
    page = browse(server.address)
    doubt = page.locator(".doubt").first
    photo = doubt.get_attribute("data-photo")
    neighbour = http.server.HTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=neighbour.serve_forever, daemon=True).start()
    other = page.context.new_page()
    other.goto(f"http://127.0.0.1:{neighbour.server_port}/")
    tried = other.evaluate(
        """async ([home, photo]) => {
            const act = JSON.stringify({ do: "cell", photo, board: 0, row: 0, col: 3, value: "B" });
            const told = [];
            for (const more of [
                { method: "POST", body: act, mode: "no-cors" },
                { method: "POST", body: act, mode: "no-cors", headers: { "Content-Type": "text/plain" } },
                { method: "POST", body: act, headers: { "Content-Type": "application/json" } },
                {},
            ]) {
                try {
                    const path = more.method ? "/act" : "/";
                    const answer = await fetch(home + path, { credentials: "include", ...more });
                    told.push(answer.type === "opaque" ? "opaque" : await answer.text());
                } catch (error) { told.push("refused"); }
            }
            return told;
        }""",
        [server.home, photo],
    )
    neighbour.shutdown()
    neighbour.server_close()
    assert set(tried) <= {"opaque", "refused"}
    assert words(results) == []


def test_pictures_that_are_gone_are_not_drawn_as_torn_pages(results, serve, browse):
    page = browse(serve(results).address)
    page.locator(".tile img").first.scroll_into_view_if_needed()
    expect(page.locator(".tile img").first).to_be_visible()
    page.route("**/thumb/**", lambda route: route.fulfill(status=404))
    page.reload()
    page.locator(".tile").first.scroll_into_view_if_needed()
    expect(page.locator(".tile img").first).to_be_hidden()
