"""The printed proof: every team, every board, what was read, corrected and left open, in words and letters."""

from dataclasses import replace

import numpy as np
import pypdfium2
import pytest

from poradek_vision.game import score_game
from poradek_vision.model import Board, Flag, Game, LedgerRow, OpenCell, SettledCell, Team
from poradek_vision.overlay import encode_jpeg
from poradek_vision.printing import Proof, draw_proofs

GAME = Game("Pořádek", sizes=(3, 2), no_mans_land=2, teams=(Team("Vlci", "A"), Team("Lišky", "B")))
ORANGE = (240, 120, 10)


def make_proof(team, rows, owners=(), corrected=(), doubtful=(), photo="č. 1 狼.jpg", picture=True):
    cells = tuple(
        SettledCell(
            r,
            c,
            colour,
            owners[r][c] if owners else "",
            1.0,
            (Flag.GLARE,) if (r, c) in doubtful else (),
            (r, c) in corrected,
        )
        for r, row in enumerate(rows)
        for c, colour in enumerate(row)
    )
    board = Board(team, len(rows), tuple(rows), owners, tuple(OpenCell(*cell) for cell in doubtful))
    row = LedgerRow(photo, team, len(rows), "ok", board=board, cells=cells)
    jpeg = encode_jpeg(np.full((60, 60, 3), ORANGE, np.uint8)) if picture else b""
    return row, board, jpeg


def drawn(*made, game=GAME):
    results = score_game([board for _, board, _ in made], game)
    proofs = [Proof(row, score, jpeg) for (row, _, jpeg), score in zip(made, results.boards, strict=True)]
    return draw_proofs(game, results, proofs)


def texts(pdf):
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]


@pytest.fixture(scope="module")
def pages():
    land = make_proof(None, ("RR", ".."), (("Vlci", "Lišky"), ("", "")))
    return texts(drawn(make_proof("Vlci", ("RRR", "Y..", "..."), corrected=[(1, 0)], doubtful=[(2, 2)]), land))


def test_a_page_for_the_table_each_team_and_the_land(pages):
    assert len(pages) == 4
    assert "Pořádek" in pages[0]
    assert all(team in pages[0] for team in ("Vlci", "Lišky"))
    assert [name in page for name, page in zip(("Vlci", "Lišky", "Území"), pages[1:], strict=True)] == [True] * 3


def test_a_board_tells_its_source_points_and_runs(pages):
    assert "3×3 · bodů: 3" in pages[1]
    assert "č. 1 ?.jpg" in pages[1]
    assert "R 1,1 – 1,3: 3" in " ".join(pages[1].split())


@pytest.mark.parametrize(("language", "half"), [("cs", "0,5"), ("en", "0.5")])
def test_shares_of_points_are_written_as_the_language_does(language, half):
    shared = replace(GAME, language=language, rules=replace(GAME.rules, tie="share"))
    told = texts(drawn(make_proof(None, ("RR", ".."), (("Vlci", "Lišky"), ("", ""))), game=shared))
    assert [page.count(half) for page in told] == [4, 1, 1, 2]  # the land and the total; the headline; who was awarded


def test_corrections_and_doubts_are_marked(pages):
    assert "Y*" in pages[1]
    assert pages[1].count("?") >= 2


def test_a_typed_board_has_no_mark_in_each_cell_since_all_were_set():
    cells = [(row, col) for row in range(3) for col in range(3)]
    page = texts(drawn(make_proof("Vlci", ("RRR", "Y..", "..."), corrected=cells, photo="", picture=False)))[1]
    assert "opsáno rukou" in page
    assert page.count("*") == 1  # the key to the signs


def test_a_missing_board_is_told(pages):
    assert "2×2 · deska chybí" in pages[1]
    assert pages[2].count("deska chybí") == 2


def test_the_land_tells_owners_and_awards(pages):
    assert "RA" in pages[3]
    assert "RB" in pages[3]
    assert "nikdo" in pages[3]


def test_the_picture_of_the_board_is_on_its_page():
    page = pypdfium2.PdfDocument(drawn(make_proof("Vlci", ("RRR", "...", "..."))))[1]
    pixels = page.render(scale=1, rev_byteorder=True).to_numpy()[..., :3].astype(int)
    near = np.all(np.abs(pixels - ORANGE) < 20, axis=-1)
    assert 0.9 < near.sum() / (42 / 25.4 * 72) ** 2 < 1.1


def test_without_its_photo_a_board_is_proved_all_the_same():
    assert "R 1,1 – 1,3: 3" in " ".join(
        texts(drawn(make_proof("Vlci", ("RRR", "...", "..."), picture=False)))[1].split()
    )


def test_runs_that_find_no_room_are_summed_up():
    game = replace(GAME, sizes=(12,), no_mans_land=0)
    page = texts(drawn(make_proof("Vlci", ("R" * 12,) * 12), game=game))[1]
    assert "a další, bodů:" in page


def test_the_same_result_gives_the_same_bytes():
    made = make_proof("Vlci", ("RRR", "...", "..."))
    assert drawn(made) == drawn(made)
