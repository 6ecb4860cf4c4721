"""Homographies and polygons: exact without noise, an error where nothing is determined."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from poradek_vision.geometry import fit_homography, plain_matrix, plain_points, polygon_area, project, remap

PHOTO_FROM_BOARD = np.array([[310.0, 42.0, 1200.0], [-25.0, 280.0, 900.0], [0.02, 0.05, 1.0]])
GRID = np.stack(np.meshgrid(np.arange(7.0), np.arange(7.0)), -1)


def test_project_divides_by_the_third_coordinate():
    x, y = 3.0, 2.0
    w = 0.02 * x + 0.05 * y + 1
    expected = [(310 * x + 42 * y + 1200) / w, (-25 * x + 280 * y + 900) / w]
    assert_allclose(project(PHOTO_FROM_BOARD, [[x, y]]), [expected], rtol=1e-14)


def test_project_keeps_the_shape_of_its_points():
    assert project(PHOTO_FROM_BOARD, GRID).shape == (7, 7, 2)
    assert project(PHOTO_FROM_BOARD, [1.0, 2.0]).shape == (2,)


def test_project_refuses_points_on_the_horizon_and_other_shapes():
    with pytest.raises(ValueError, match="horizon"):
        project([[1, 0, 0], [0, 1, 0], [1, 0, 0]], [[0, 5]])
    with pytest.raises(ValueError, match="axis of 2"):
        project(np.eye(3), [[1, 2, 3]])


@pytest.mark.parametrize("points", [GRID.reshape(-1, 2), [[0, 0], [6, 0], [6, 6], [0, 6]]])
def test_fit_finds_the_homography_exactly(points):
    found = fit_homography(points, project(PHOTO_FROM_BOARD, points))
    assert_allclose(found, PHOTO_FROM_BOARD, rtol=1e-9, atol=1e-9)
    assert_allclose(project(found, GRID), project(PHOTO_FROM_BOARD, GRID), rtol=1e-9)


def test_weights_rule_out_a_wrong_pair():
    source = GRID.reshape(-1, 2)
    target = project(PHOTO_FROM_BOARD, source)
    target[10] += 500
    weights = np.ones(len(source))
    assert np.abs(project(fit_homography(source, target, weights), GRID) - project(PHOTO_FROM_BOARD, GRID)).max() > 1
    weights[10] = 0
    assert_allclose(fit_homography(source, target, weights), PHOTO_FROM_BOARD, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "source",
    [
        [[0, 0], [1, 0], [1, 1]],
        [[0, 0], [1, 1], [2, 2], [3, 3]],
        [[0, 0], [1, 0], [2, 0], [0, 5]],
        [[4, 4], [4, 4], [4, 4], [4, 4]],
    ],
    ids=["three points", "all on a line", "three on a line", "one place"],
)
def test_points_that_determine_nothing_are_refused(source):
    with pytest.raises(ValueError, match="homography"):
        fit_homography(source, source)


@pytest.mark.parametrize("cells", [3, 5, 12])
@pytest.mark.parametrize("middle", [[25.0, 5.0], [25.3, 15.1]])
def test_a_line_that_would_go_to_a_corner_is_refused_either_way(cells, middle):
    line = np.array([[5.3, 5.1], middle, [0, 0], [5, 45]])
    line[2] = 2 * line[1] - line[0]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * cells
    for source, target in ((line, square), (square, line)):
        with pytest.raises(ValueError, match="homography"):
            fit_homography(source, target)


def test_area_is_signed_clockwise_as_seen():
    square = [[0, 0], [3, 0], [3, 3], [0, 3]]
    assert polygon_area(square) == 9
    assert polygon_area(square[::-1]) == -9


def test_remap_takes_pixel_centres_at_whole_numbers():
    picture = np.arange(12, dtype=np.uint8).reshape(3, 4) * 10
    centres = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1)
    assert_array_equal(remap(picture, centres), picture)
    assert remap(picture, [[[0.5, 0.0]]])[0, 0] == 5
    assert remap(picture, [[[-9.0, 0.0]]])[0, 0] == picture[0, 0]


def test_plain_records_hold_plain_numbers():
    matrix = plain_matrix(PHOTO_FROM_BOARD)
    assert_array_equal(matrix, PHOTO_FROM_BOARD)
    assert all(type(value) is float for row in matrix for value in row)
    assert plain_points(np.float32([[1, 2]])) == ((1.0, 2.0),)
