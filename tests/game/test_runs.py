import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poradek_vision.game import find_runs, score_rows

WORKED = [
    ("RR.", 1),
    ("RRR", 3),
    ("RRRR", 6),
    ("RR RR", 6),
    ("R.R .R. R.R", 6),
    ("RRR RRR RRR", 28),
    (" ".join(["RRRRRR"] * 6), 290),
    ("", 0),
    ("R", 0),
    ("RY YR", 2),
    ("R.R", 0),
    ("RYR", 0),
    ("RR.RR", 2),
    ("RRYYY", 4),
    ("R.. .R. ..R", 3),
    (".R. R.. ...", 1),
    ("R R R", 3),
]


@pytest.mark.parametrize(("board", "points"), WORKED)
def test_boards_score_as_worked_out_by_hand(board, points):
    assert score_rows(board.split()) == points


@pytest.mark.parametrize(("length", "points"), [(2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (12, 66)])
def test_a_run_is_worth_its_segments(length, points):
    assert score_rows(["B" * length]) == points


def test_runs_are_maximal_and_in_order():
    runs = find_runs(["RRR", ".R.", "G.R"])
    assert [(run.colour, run.cells, run.points) for run in runs] == [
        ("R", ((0, 0), (0, 1), (0, 2)), 3),
        ("R", ((0, 1), (1, 1)), 1),
        ("R", ((0, 0), (1, 1), (2, 2)), 3),
        ("R", ((0, 2), (1, 1)), 1),
    ]


def test_ragged_rows_are_refused():
    with pytest.raises(ValueError, match="one length"):
        score_rows(["RR", "R"])


def segments_one_by_one(rows):
    """Every segment, tried from every cell, in every direction, at every length."""
    height, width = len(rows), len(rows[0])
    points = 0
    for row, col, (down, right) in itertools.product(range(height), range(width), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        for length in range(2, max(height, width) + 1):
            cells = [(row + i * down, col + i * right) for i in range(length)]
            if all(0 <= r < height and 0 <= c < width for r, c in cells):
                colours = {rows[r][c] for r, c in cells}
                points += len(colours) == 1 and "." not in colours
    return points


boards = st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from(["R.", "RY", "RYGB."])).flatmap(
    lambda shape: st.lists(
        st.text(shape[2], min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@given(boards)
def test_points_are_the_number_of_segments(rows):
    assert score_rows(rows) == segments_one_by_one(rows) == sum(run.points for run in find_runs(rows))


@given(boards)
def test_points_do_not_depend_on_which_side_is_up(rows):
    turned = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    mirrored = [row[::-1] for row in rows]
    assert score_rows(turned) == score_rows(mirrored) == score_rows(rows)


@given(boards)
def test_points_do_not_depend_on_the_names_of_colours(rows):
    renamed = [row.translate(str.maketrans("RYGB", "YGBR")) for row in rows]
    assert score_rows(renamed) == score_rows(rows)


@given(boards)
def test_no_run_can_be_made_longer(rows):
    for run in find_runs(rows):
        (row, col), (next_row, next_col) = run.cells[:2]
        down, right = next_row - row, next_col - col
        for r, c in ((row - down, col - right), (run.cells[-1][0] + down, run.cells[-1][1] + right)):
            inside = 0 <= r < len(rows) and 0 <= c < len(rows[0])
            assert not inside or rows[r][c] != run.colour
