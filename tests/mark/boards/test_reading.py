"""Whose board, by what is written near its grid."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from training.strokes import drawn

from mark.boards.drawn_board import draw_board, printed, written
from mark.drawn_signs import SIGNS
from poradek_vision.mark import BoardMarkSettings, read_chalk, read_mark
from poradek_vision.mark.boards.writing import find_lines
from poradek_vision.model import Flag, Game, Team

NAMED = Game(
    teams=tuple(Team(name, mark) for name, mark in zip(("Vlci", "Ježci", "Havrani", "Krtci"), "ABCD", strict=True))
)
NUMBERED = Game(teams=tuple(Team(f"Tým {mark}", mark) for mark in "12345"))
SETTINGS = BoardMarkSettings()


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize(
    ("text", "team"),
    [("Ježci", "Ježci"), ("JEŽCI", "Ježci"), ("tým Krtci", "Krtci"), ("Havrani", "Havrani"), ("jezci", "Ježci")],
)
def test_a_name_is_read_in_any_turn_and_case(text, team, turned):
    mark, turns = read_mark(draw_board(printed(text), turned=turned), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.how, mark.flags) == (team, "mark", ())
    assert turns == turned


@pytest.mark.parametrize("text", ["Tým 3", "T: 3", "3", "TÝM 3", "skupina 3", "č. 3", "Tým č. 3"])
def test_a_mark_is_read_with_and_without_its_team(text):
    mark, turns = read_mark(draw_board(printed(text), below=True), 4, 4, NUMBERED, SETTINGS)
    assert (mark.team, mark.flags, turns) == ("Tým 3", (), 0)


@pytest.mark.parametrize("below", [False, True])
def test_a_heart_is_no_number(below):
    assert read_mark(draw_board(printed("<3"), below=below), 4, 4, NUMBERED, SETTINGS)[0].flags


@pytest.mark.parametrize("sign", sorted(SIGNS.keys() - {"tree"}))  # a tree of one triangle is a closed 4
def test_a_sign_is_no_teams_mark(sign):
    letters = Game(teams=tuple(Team(f"Tým {mark}", mark) for mark in "ABCDEFGHJKLMNPRSTUVZ123456789"))
    rng = np.random.default_rng(3)
    ink = drawn([line + rng.normal(0, 0.01, line.shape) for line in SIGNS[sign]], 0.09, 64, rng) / 255
    assert read_mark(draw_board(ink), 4, 4, letters, SETTINGS)[0].flags


def stacked(word, mark):
    """A word over a mark: ink (h, w), 0 to 1."""
    upper, lower = printed(word), printed(mark)
    side = max(upper.shape[1], lower.shape[1])
    wide = [
        np.pad(each, ((0, 8), ((side - each.shape[1]) // 2, -(-(side - each.shape[1]) // 2))))
        for each in (upper, lower)
    ]
    return np.concatenate(wide)


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize("word", ["TÝM", "družina", "skupina"])
def test_a_mark_is_read_under_its_word(word, turned):
    mark, turns = read_mark(draw_board(stacked(word, "3"), height=1.8, turned=turned), 4, 4, NUMBERED, SETTINGS)
    assert (mark.team, mark.flags, turns) == ("Tým 3", (), turned)


@pytest.mark.parametrize("word", ["Motýli", "Lesní hra"])
def test_what_stands_under_another_word_may_be_anything(word):
    assert read_mark(draw_board(stacked(word, "3"), height=1.8), 4, 4, NUMBERED, SETTINGS)[0].flags


@pytest.mark.parametrize("text", ["tým 7", "skupina Z", "družina Q"])
def test_the_word_before_a_mark_speaks_for_no_team(text):
    assert read_mark(draw_board(printed(text), below=True), 4, 4, NUMBERED, SETTINGS)[0].flags


@pytest.mark.parametrize("text", ["Ježci", "tým Krtci", "skupina Havrani"])
def test_small_writing_is_read_with_all_its_pixels(text):
    mark, _ = read_mark(draw_board(printed(text), height=0.35), 4, 4, NAMED, SETTINGS)
    assert mark.team == text.split()[-1]


def test_a_five_may_be_round_where_no_s_plays():
    five, _ = read_mark(draw_board(printed("S")), 4, 4, NUMBERED, SETTINGS)
    assert five.team == "Tým 5"
    both = Game(teams=(*NUMBERED.teams, Team("Sovy", "S")))
    assert read_mark(draw_board(printed("S")), 4, 4, both, SETTINGS)[0].team == "Sovy"


@pytest.mark.parametrize("mark", "ABCD")
@pytest.mark.parametrize("ring", [False, True])
def test_a_letter_by_a_pen_is_read_or_flagged(mark, ring):
    reading, _ = read_mark(draw_board(written(mark, 3), height=1.2, ring=ring), 4, 4, NAMED, SETTINGS)
    assert reading.team in ("", NAMED.teams["ABCD".index(mark)].name)
    assert (reading.team == "") == (reading.flags == (Flag.TEAM_UNCLEAR,))


@pytest.mark.parametrize("pen", [(190, 40, 40), (30, 120, 60), (110, 110, 115)])
def test_any_pen_on_any_paper(pen):
    board = draw_board(printed("Vlci"), pen=pen, paper=(196, 170, 130))
    assert read_mark(board, 4, 4, NAMED, SETTINGS)[0].team == "Vlci"


def test_a_board_without_writing_is_nobodys():
    mark, turns = read_mark(draw_board(printed("Vlci") * 0), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags, turns) == ("", (Flag.TEAM_UNCLEAR,), 0)


@pytest.mark.parametrize("text", ["Kohouti", "Motýli", "Z", "8"])
def test_who_does_not_play_is_nobody(text):
    mark, _ = read_mark(draw_board(printed(text)), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("", (Flag.TEAM_UNCLEAR,))


@pytest.mark.parametrize("turned", range(4))
def test_a_three_is_no_e_the_other_way_up(turned):
    game = Game(teams=tuple(Team(f"Team {mark}", mark) for mark in "ABCDEFG12345"))
    for mark in "3E":
        reading, turns = read_mark(draw_board(printed(mark), turned=turned), 4, 4, game, SETTINGS)
        assert (reading.team, reading.flags, turns) == (f"Team {mark}", (), turned)


@pytest.mark.parametrize("ink", [np.rot90(printed("N")), printed("E")[::-1, ::-1]])
def test_a_stranger_lying_there_is_nobody(ink):
    assert read_mark(draw_board(ink), 4, 4, NUMBERED, SETTINGS)[0].flags == (Flag.TEAM_UNCLEAR,)


def test_what_ends_in_a_mark_may_go_on():
    game = Game(teams=(Team("Tým C", "C"), Team("Tým Z", "Z")))
    mark, _ = read_mark(draw_board(printed("Tým C. Z")), 4, 4, game, SETTINGS)
    assert mark.team == "Tým Z" or mark.flags


@pytest.mark.parametrize("letter", "GO")
def test_the_halo_of_a_coloured_pen_is_no_ink(letter):
    board = draw_board(printed(letter), height=0.8, pen=(40, 60, 200), paper=(186, 148, 106))
    luma, *chroma = cv2.split(cv2.cvtColor(board.pixels, cv2.COLOR_RGB2YCrCb))
    bled = cv2.merge([luma, *(cv2.GaussianBlur(one, (0, 0), 4) for one in chroma)])
    haloed = replace(board, pixels=cv2.cvtColor(bled, cv2.COLOR_YCrCb2RGB))
    darkness = max((line.darkness for line in find_lines(haloed, 4, 4, SETTINGS.writing)), key=np.size)
    assert np.median(darkness[darkness != 0]) < 0.25 * darkness.max()


def test_six_and_nine_depend_on_the_side_and_are_flagged():
    game = Game(teams=(Team("šestky", "6"), Team("devítky", "9")))
    mark, _ = read_mark(draw_board(printed("6")), 4, 4, game, SETTINGS)
    assert mark.flags == (Flag.TEAM_UNCLEAR,)


def test_without_a_team_list_the_mark_is_the_team():
    assert read_mark(draw_board(printed("K")), 4, 4, Game(), SETTINGS)[0].team in ("K", "")


def test_a_letter_of_a_name_is_not_another_teams_mark():
    game = Game(teams=(Team("Ježci", "A"), Team("Krtci", "E"), Team("Sovy", "I")))
    mark, _ = read_mark(draw_board(printed("JEŽCI")), 4, 4, game, SETTINGS)
    assert (mark.team, mark.flags) == ("Ježci", ())
    assert {team for team, _ in mark.scores} == {"Ježci", "Krtci", "Sovy"}


@pytest.mark.parametrize("mark", "ABC")
@pytest.mark.parametrize("height", [0.65, 0.8])
def test_a_box_drawn_round_a_mark_is_nobodys(mark, height):
    ink = np.pad(printed(mark), 20)
    cv2.rectangle(ink, (3, 3), (ink.shape[1] - 4, ink.shape[0] - 4), 1.0, 6)
    both = Game(teams=(*NAMED.teams, Team("Orli", "O")))
    assert (
        read_mark(draw_board(ink, height=2 * height), 4, 4, both, SETTINGS)[0].team
        == NAMED.teams["ABC".index(mark)].name
    )


def test_who_is_o_and_who_is_nought_nobody_can_tell():
    both = Game(teams=(Team("Orli", "O"), Team("Nuly", "0"), Team("Vlci", "A")))
    assert all(read_mark(draw_board(printed(mark)), 4, 4, both, SETTINGS)[0].flags for mark in "O0")
    assert read_mark(draw_board(printed("A")), 4, 4, both, SETTINGS)[0].team == "Vlci"


@pytest.mark.parametrize("paper", [(45, 52, 48), (178, 143, 102)])
def test_chalk_on_dark_paper_is_read(paper):
    board = draw_board(printed("Krtci"), pen=(238, 238, 232), paper=paper)
    assert read_mark(board, 4, 4, NAMED, SETTINGS)[0].flags
    mark, turns = read_chalk(board, 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags, turns) == ("Krtci", (), 0)


@pytest.mark.parametrize("slope", [-0.2, 0.2])
def test_a_name_may_climb(slope):
    ink = np.pad(printed("Havrani").astype(np.float32), ((40, 40), (0, 0)))
    climbing = cv2.warpAffine(ink, np.array([[1, 0, 0], [slope, 1, -slope * ink.shape[1] / 2]]), ink.shape[::-1])
    mark, _ = read_mark(draw_board(climbing, height=1.8), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("Havrani", ())


def test_labels_of_columns_are_no_marks():
    board = draw_board(printed("C"), height=0.9)
    pixels = np.array(board.pixels)
    for k, letter in enumerate("ABCD"):
        at = (round((2.6 + k + 0.42) * 80), round((2.6 + 4 + 0.72) * 80))
        cv2.putText(pixels, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (40, 50, 110), 3, cv2.LINE_AA)
    mark, _ = read_mark(replace(board, pixels=pixels), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("Havrani", ())


def test_a_ring_close_to_the_end_of_the_page_is_seen_as_a_whole():
    board = draw_board(np.pad(printed("B"), 30), height=1.8, ring=True)
    pixels = np.array(board.pixels)
    weave = np.random.default_rng(3).integers(20, 230, (8, 160, 3)).repeat(6, 0).repeat(6, 1).astype(np.uint8)
    end = int(np.flatnonzero((pixels[:, pixels.shape[1] // 2] < 150).any(1))[0]) - 14
    pixels[:end] = weave[:end, : pixels.shape[1]]
    mark, _ = read_mark(replace(board, pixels=pixels), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("Ježci", ())


def test_a_name_across_the_sharp_edge_of_a_shadow_is_read():
    board = draw_board(printed("Havrani"))
    height, width = board.pixels.shape[:2]
    y, x = np.mgrid[:height, :width]
    light = cv2.GaussianBlur(0.35 + 0.65 * (x + 0.5 * y < 0.6 * width), (0, 0), 3)
    shaded = np.rint(board.pixels * light[..., None]).astype(np.uint8)
    mark, _ = read_mark(replace(board, pixels=shaded), 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("Havrani", ())


@pytest.mark.parametrize("text", ["TÝM", "TÝM C", "HAVRANI"])
def test_what_is_between_dark_letters_is_no_chalk(text):
    board = draw_board(printed(text), height=0.35, paper=(178, 143, 102), pen=(30, 30, 34))
    assert read_chalk(board, 4, 4, NAMED, SETTINGS)[0].flags


@pytest.mark.parametrize("turned", range(4))
def test_a_bold_name_over_two_bold_lines_is_no_letter_of_its_own(turned):
    ink = np.pad(cv2.dilate(printed("Ahoj").astype(np.float32), np.ones((4, 4))), ((0, 26), (6, 6)))
    ink[-20:-13] = ink[-8:-1] = 1
    mark, _ = read_mark(draw_board(ink, height=1.7, turned=turned), 4, 4, NAMED, SETTINGS)
    assert not mark.team or mark.flags  # the A of a stranger's name is nobody's mark


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize("text", ["3 4x4", "3. 4×4"])
def test_the_size_of_the_board_may_follow(text, turned):
    mark, turns = read_mark(draw_board(printed(text), height=0.7, turned=turned), 4, 4, NUMBERED, SETTINGS)
    assert (mark.team, turns) == ("Tým 3", turned)


@pytest.mark.parametrize("text", ["4 3. 5.", "3. 5. 2026", "1  2  3"])
def test_a_figure_among_figures_is_no_mark_for_sure(text):
    assert read_mark(draw_board(printed(text), height=0.7), 4, 4, NUMBERED, SETTINGS)[0].flags


@pytest.mark.parametrize("letter", "23458ABE")
def test_a_tiny_mark_is_read(letter):
    game = Game(teams=tuple(Team(f"Tým {mark}", mark) for mark in "23458ABE"))
    mark, _ = read_mark(draw_board(printed(letter), height=0.36), 4, 4, game, SETTINGS)
    assert (mark.team, mark.flags) == (f"Tým {letter}", ())


@pytest.mark.parametrize("letter", "DA")
def test_grey_on_brown_is_ink_and_not_what_it_goes_round(letter):
    board = draw_board(printed(letter), pen=(126, 118, 112), paper=(150, 122, 92))
    game = Game(teams=tuple(Team(f"Tým {mark}", mark) for mark in "ABCDO"))
    mark, _ = read_mark(board, 4, 4, game, SETTINGS)
    assert (mark.team, mark.flags) == (f"Tým {letter}", ())


def test_pale_ink_is_found_where_there_is_no_other():
    board = draw_board(printed("A"), pen=(222, 219, 209))
    assert read_mark(board, 4, 4, NAMED, SETTINGS)[0].team == "Vlci"


@pytest.mark.parametrize("turned", range(4))
def test_a_round_five_on_its_side_is_no_u(turned):
    mark, _ = read_mark(draw_board(printed("S"), turned=turned), 4, 4, NUMBERED, SETTINGS)
    assert (mark.team, mark.flags) == ("Tým 5", ())


def test_what_lies_among_stones_must_be_clear():
    board = draw_board(printed("A"))
    stones = np.random.default_rng(2).uniform(0, 1, (60, 60)) < 0.5
    lying = cv2.resize(stones.astype(np.uint8), board.pixels.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    around = np.full(board.pixels.shape[:2], True)
    around[230:500, 230:560] = False  # the grid and the mark keep clear of them
    pixels = np.where((lying & around)[..., None] > 0, 110, board.pixels).astype(np.uint8)
    lines = find_lines(replace(board, pixels=pixels), 4, 4, SETTINGS.writing)
    assert all(line.at_end for line in lines if line.box[1] > 300)


@pytest.mark.parametrize(("one", "other"), [("A", "C"), ("Vlci", "D"), ("Ježci", "Krtci")])
def test_two_teams_marks_on_one_board_leave_it_in_doubt(one, other):
    above, below = draw_board(printed(one)), draw_board(printed(other), height=0.5, below=True)
    both = replace(above, pixels=np.minimum(above.pixels, below.pixels))
    assert read_mark(both, 4, 4, NAMED, SETTINGS)[0].flags


def test_a_teams_mark_and_its_name_on_one_board_agree():
    above, below = draw_board(printed("Vlci")), draw_board(printed("A"), height=0.5, below=True)
    both = replace(above, pixels=np.minimum(above.pixels, below.pixels))
    mark, _ = read_mark(both, 4, 4, NAMED, SETTINGS)
    assert (mark.team, mark.flags) == ("Vlci", ())


@pytest.mark.parametrize("text", ["C, B", "C. A", "C + D"])
def test_the_mark_of_a_team_is_no_short_word_before_anothers(text):
    assert read_mark(draw_board(printed(text)), 4, 4, NAMED, SETTINGS)[0].flags
