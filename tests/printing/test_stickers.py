"""Stickers as they leave the printer: rasterised, and their codes read back."""

import cv2
import numpy as np
import pypdfium2
import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.mark import OwnerSettings, read_owners
from poradek_vision.model import CellReading, Game, Rectified, Team
from poradek_vision.printing import StickerPage, draw_stickers, sticker_pages

GAME = Game(
    title="Pořádek 2027",
    teams=(Team("Vlci", "V"), Team("Lišky", "L"), Team("Ťuhýci", "T"), Team("Ježci", "7")),
    cell_mm=20,
)
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
LOOKS = [
    {"each": 27},
    {"each": 27, "in_colour": True},
    {"each": 30, "outline": "round", "side_mm": 16},
    {"each": 30, "outline": "round", "side_mm": 16, "in_colour": True},
]


def printed(pages: tuple[StickerPage, ...], px_per_mm: float) -> list[np.ndarray]:
    """Each page in colour, RGB."""
    document = pypdfium2.PdfDocument(draw_stickers(GAME, pages))
    return [page.render(scale=px_per_mm * 25.4 / 72 * (1 - 1e-6)).to_numpy()[..., 2::-1] for page in document]


def on_coloured_paper(picture: np.ndarray, page: StickerPage) -> np.ndarray:
    """Black print on white as it looks on paper of the page's colour."""
    swatch = [int(page.colour.swatch[k : k + 2], 16) for k in (1, 3, 5)]
    return (picture * (np.array(swatch) / 255)).astype(np.uint8)


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_scanner_finds_every_code_in_the_middle_of_its_sticker(look):
    pages = sticker_pages(GAME, **look)
    for page, picture in zip(pages[:2], printed(pages[:2], 6), strict=True):
        detector = cv2.aruco.ArucoDetector(DICTIONARY)
        corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(picture.max(2)))
        stickers = [(block.team_index, square) for block in page.blocks for square in page.stickers(block)]
        assert len(ids) == len(stickers)
        found = {
            tuple(np.rint(quad.reshape(4, 2).mean(0) / 6).tolist()): int(number)
            for quad, number in zip(corners, ids.ravel(), strict=True)
        }
        for team, square in stickers:
            assert found[np.rint(square.x + square.w / 2 - 0.1), np.rint(square.y + square.h / 2 - 0.1)] == team


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("turns", [0, 1])
def test_the_tool_reads_back_what_it_prints(look, turns):
    px = OwnerSettings().px_per_cell
    for page, picture in zip(
        pages := sticker_pages(GAME, **look), printed(pages, px / look.get("side_mm", 20)), strict=True
    ):
        picture = picture if page.in_colour else on_coloured_paper(picture, page)
        for block in page.blocks:
            squares = list(page.stickers(block))
            rows = 3
            board = board_of(picture, squares[: rows * page.columns], page, px)
            cells = [CellReading(r, c, page.colour.code) for r in range(rows) for c in range(rows)]
            board = Rectified(np.rot90(board.pixels, turns).copy(), px, board.origin_cells, np.rot90(board.seen, turns))
            owners = [reading.owner for reading in read_owners(board, cells, GAME, OwnerSettings()).readings]
            assert owners == [GAME.teams[block.team_index].name] * rows**2


def board_of(picture, squares, page, px):
    """Three by three of a block's stickers as a rectified board: each in a cell of its own."""
    side = round(page.side_mm * px / page.side_mm)
    board = np.full((4 * side, 4 * side, 3), 235, np.uint8)
    for k in range(9):
        square = squares[k]
        x, y = (round(v * px / page.side_mm) for v in (square.x, square.y))
        top, left = (side * (k // 3) + side // 2, side * (k % 3) + side // 2)
        board[top : top + side, left : left + side] = picture[y : y + side, x : x + side]
    return Rectified(board, px, (-0.5, -0.5), np.ones(board.shape[:2], bool))


def test_blocks_name_team_mark_colour_and_number_in_the_game_s_language():
    pages = sticker_pages(GAME, each=10, in_colour=True)
    words = pypdfium2.PdfDocument(draw_stickers(GAME, pages[:1]))[0].get_textpage().get_text_range()
    assert "bílý samolepicí papír" in words
    assert "červená" in words
    assert "Ťuhýci · T · červená · 10×" in " ".join(words.split())
    assert words.count("T") == 10 + 1


@pytest.mark.parametrize("each", [1, 9, 100, 118, 250, None])
def test_every_team_gets_its_stickers_of_every_colour_on_the_page(each):
    pages = sticker_pages(GAME, each=each)
    full = 117
    for colour in GAME.colours:
        blocks = [block for page in pages if page.colour == colour for block in page.blocks]
        counts = [sum(block.count for block in blocks if block.team_index == team) for team in range(4)]
        assert counts == [each or full] * 4
    for page in pages:
        squares = [square for block in page.blocks for square in page.stickers(block)]
        assert min(square.x for square in squares) >= 8
        assert max(square.x + square.w for square in squares) <= 210 - 8 + 1e-9
        assert max(square.y + square.h for square in squares) <= 297 - 8 + 1e-9
        assert len({(round(s.x, 3), round(s.y, 3)) for s in squares}) == len(squares)


def test_only_some_teams_by_name_or_mark():
    pages = sticker_pages(GAME, teams=["7", "vlci"], each=5)
    assert [[block.team_index for block in page.blocks] for page in pages] == [[3, 0]] * 4


@pytest.mark.parametrize(
    ("game", "wishes", "told"),
    [
        (Game(language="en"), {}, "no teams"),
        (Game(teams=GAME.teams, no_mans_land=0), {}, "no no man's land"),
        (GAME, {"side_mm": 21}, "--size 21: a sticker must measure 8 to 20 mm"),
        (GAME, {"side_mm": 5}, "--size 5"),
        (GAME, {"teams": ["Sovy"]}, 'no team "Sovy"'),
    ],
)
def test_what_can_not_be_printed_is_told(game, wishes, told):
    with pytest.raises(SettingsError, match=told):
        sticker_pages(game, **wishes)
