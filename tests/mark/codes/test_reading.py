"""Printed codes, read by correlation."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from poradek_vision.mark.codes import IDS, CodeSettings, TrustSettings, judge_codes, read_codes, survey_codes
from poradek_vision.mark.codes.layouts import Blur, layouts, without_light
from poradek_vision.mark.codes.places import Prior
from poradek_vision.model import CellReading, Rectified

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
PX, FINE = 48, 4
COLOURS = ((200, 36, 44), (246, 205, 40), (44, 148, 74), (34, 84, 172))


def board_of(codes, turn_deg=0.0, side=0.85, shift=0.0, cells=7, colours=COLOURS):
    """A board of stickers with these codes, linear in light, ``FINE`` times as large as it is read."""
    fine = PX * FINE
    picture = np.full(((cells + 1) * fine, (cells + 1) * fine, 3), 232, np.uint8)
    for k, code in enumerate(codes):
        row, col = divmod(k, cells)
        window = picture[row * fine : (row + 2) * fine, col * fine : (col + 2) * fine]
        marker = np.pad(DICTIONARY.generateImageMarker(code, 6 * 16), 48, constant_values=255).astype(np.float32) / 255
        share, half = side * fine / len(marker), (len(marker) - 1) / 2
        turn = cv2.getRotationMatrix2D((half, half), -(turn_deg + 3 * (k % 5)), share)
        turn[:, 2] += np.array([1 + shift, 1 - shift]) * fine - half
        bare = cv2.warpAffine(marker, turn, window.shape[1::-1], flags=cv2.INTER_AREA, borderValue=0)
        stuck = cv2.warpAffine(np.ones_like(marker), turn, window.shape[1::-1]) > 0.5
        window[stuck] = (np.array(colours[k % 4]) * np.clip(bare, 0.08, 1)[..., None])[stuck]
    cells_read = [CellReading(*divmod(k, cells), "RYGB"[k % 4]) for k in range(len(codes))]
    return picture, cells_read


def photographed(picture, blur_cells=0.01, smear_cells=0.0, noise=2.0, seed=1):
    """A board as a camera sees it."""
    fine = PX * FINE
    soft = cv2.GaussianBlur(picture, (0, 0), max(blur_cells * fine, 0.5))
    if smear_cells:
        soft = cv2.blur(soft, (round(smear_cells * fine) | 1, 1))
    small = cv2.resize(soft, None, fx=1 / FINE, fy=1 / FINE, interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(seed).normal(0, noise, small.shape)
    pixels = np.clip(small + grain, 0, 255).astype(np.uint8)
    return Rectified(pixels, PX, (-0.5, -0.5), np.ones(pixels.shape[:2], bool))


def evidence_of(board, cells, count=IDS):
    survey = survey_codes(board, cells, count, CodeSettings())
    return survey, read_codes(survey, board, cells, count, CodeSettings())


def codes_of(evidence):
    """The likeliest code of each sticker, and which are sure."""
    scores, _, sure = judge_codes(evidence, TrustSettings())
    return scores.argmax(1).tolist(), sure


@pytest.mark.parametrize("turn_deg", [0, 12, 45, 90, 170, 281])
def test_every_code_is_read_in_every_turn(turn_deg):
    picture, cells = board_of(range(49), turn_deg)
    survey, evidence = evidence_of(photographed(picture), cells)
    read, sure = codes_of(evidence)
    assert read == list(range(49))
    assert sure.all()
    assert evidence.likeness.max() <= 1 + 1e-5
    assert survey.likeness > 0.95


def test_codes_are_read_whose_colours_jpeg_has_blurred():
    picture, cells = board_of([k % 8 for k in range(36)], 20, side=0.7)
    near = photographed(picture, blur_cells=0.02)
    far = cv2.resize(near.pixels, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    veiled = (0.75 * far + 40).astype(np.uint8)
    _, jpeg = cv2.imencode(".jpg", veiled[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 60])
    seen = cv2.resize(
        cv2.imdecode(jpeg, cv2.IMREAD_COLOR)[..., ::-1], near.pixels.shape[1::-1], None, 0, 0, cv2.INTER_CUBIC
    )
    read, sure = codes_of(evidence_of(replace(near, pixels=np.ascontiguousarray(seen)), cells, 8)[1])
    right = np.array(read) == np.arange(36) % 8
    assert right.sum() >= 35  # 31 by the brightest channel alone
    assert right[sure].all()


@pytest.mark.parametrize(
    ("blur", "smear", "side", "shift"),
    [(0.04, 0, 0.85, 0), (0.01, 0.1, 0.85, 0), (0.02, 0, 0.6, 0.15), (0.015, 0.05, 1, 0.1)],
)
def test_blurred_smeared_small_and_crooked_codes_are_read(blur, smear, side, shift):
    codes = [k % 8 for k in range(49)]
    picture, cells = board_of(codes, 20, side, shift)
    survey, evidence = evidence_of(photographed(picture, blur, smear, noise=4), cells, 8)
    read, sure = codes_of(evidence)
    assert read == codes
    assert sure.all()
    assert survey.usual_side == pytest.approx(side * PX / 2, rel=0.06)


def test_codes_on_dark_blue_are_read_through_blotches_of_colour():
    """In the channel where blue is brightest they hide the codes; in brightness, where blue is dark, there are none."""
    codes = [k % 8 for k in range(49)]
    picture, cells = board_of(codes, 20, 0.7, colours=(*COLOURS[:3], (20, 36, 90)))
    board = photographed(picture, 0.02)
    blotches = 127 * cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, board.pixels.shape), (0, 0), 1.5)
    blotches -= (blotches @ np.array([0.299, 0.587, 0.114]))[..., None]
    pixels = np.clip(board.pixels + blotches, 0, 255).astype(np.uint8)
    read, sure = codes_of(evidence_of(replace(board, pixels=pixels), cells, 8)[1])
    assert read == codes
    assert sure.all()


def test_the_edge_of_a_shade_across_a_code_does_not_hide_it():
    codes = [k % 8 for k in range(49)]
    picture, cells = board_of(codes, 8)
    for k in range(7):
        middle = round((k + 1) * PX * FINE)
        picture[middle : middle + PX * FINE // 2] = (picture[middle : middle + PX * FINE // 2] * 0.45).astype(np.uint8)
    read, sure = codes_of(evidence_of(photographed(picture, 0.02), cells, 8)[1])
    assert read == codes
    assert sure.all()


def test_codes_half_in_a_glare_are_read():
    """What a lamp adds is bright at one edge of the sticker and nothing at the other."""
    codes = [k % 8 for k in range(49)]
    picture, cells = board_of(codes, 8)
    board = photographed(picture, 0.02)
    glare = 90 * (1 + np.cos(np.arange(board.pixels.shape[1]) * (2 * np.pi / PX))) / 2
    pixels = np.clip(board.pixels * (1 - glare / 255)[:, None] + glare[:, None], 0, 255).astype(np.uint8)
    read, sure = codes_of(evidence_of(replace(board, pixels=pixels), cells, 8)[1])
    assert read == codes
    assert sure.mean() > 0.9


def test_stains_beside_stickers_are_not_taken_for_their_codes():
    codes = [k % 8 for k in range(49)]
    picture, cells = board_of(codes, 20, 0.62)
    for k in range(0, 49, 2):
        x, y = (k % 7 + 0.62) * PX * FINE, (k // 7 + 0.62) * PX * FINE
        cv2.circle(picture, (round(x), round(y)), 22, (20, 22, 24), -1)
    read, sure = codes_of(evidence_of(photographed(picture, 0.02), cells, 8)[1])
    assert read == codes
    assert sure.mean() > 0.9


def test_a_code_half_covered_is_never_taken_for_another_team_s():
    codes = [k % 6 for k in range(36)]
    picture, cells = board_of(codes, 8, cells=6)
    for k in range(0, 36, 3):
        row, col = divmod(k, 6)
        x, y = (col + 1) * PX * FINE, (row + 1) * PX * FINE
        picture[y - 60 : y + 90, x + 6 * (k % 4) : x + 90] = COLOURS[(k + 1) % 4]
    read, sure = codes_of(evidence_of(photographed(picture), cells, 6)[1])
    assert all(one == code for one, code, clear in zip(read, codes, sure, strict=True) if clear)
    assert all(sure[k] for k in range(36) if k % 3)


def test_a_code_of_no_team_belongs_to_nobody():
    codes = [k % 8 for k in range(24)] + [30]
    picture, cells = board_of(codes, 5, cells=5)
    _, evidence = evidence_of(photographed(picture), cells, 8)
    read, sure = codes_of(evidence)
    assert read[:-1] == codes[:-1]
    assert sure[:-1].all()
    assert not sure[-1]
    assert evidence.foreign_leads[-1] < -20
    assert (evidence.foreign_leads[:-1] > 0).all()


def test_the_one_sticker_of_its_colour_is_read():
    picture, cells = board_of([k % 8 for k in range(25)], 5, cells=5)
    cells[7] = replace(cells[7], colour="V")
    read, sure = codes_of(evidence_of(photographed(picture), cells, 8)[1])
    assert read[7] == 7
    assert sure[7]


def test_the_edge_of_a_sticker_is_no_sure_code():
    """One whose code is rubbed off: what lies round it looks a little like one."""
    for k in range(12):
        picture, cells = board_of([k % 8 for k in range(49)], 3 * k, 0.7)
        x = y = 4 * PX * FINE
        picture[y - 50 : y + 50, x - 50 : x + 50] = COLOURS[24 % 4]
        _, sure = codes_of(evidence_of(photographed(picture, 0.03, noise=6, seed=k), cells, 8)[1])
        assert not sure[24]


def test_scribbles_do_not_look_like_codes():
    picture, cells = board_of([0] * 16, side=0.85, cells=4)
    for k in range(16):
        x, y = (k % 4 + 1) * PX * FINE, (k // 4 + 1) * PX * FINE
        picture[y - 70 : y + 70, x - 70 : x + 70] = COLOURS[k % 4]
        cv2.polylines(picture, [np.array([[x - 40, y + 44], [x, y - 44], [x + 40, y + 44]])], False, (20, 20, 20), 14)
    assert survey_codes(photographed(picture), cells, 8, CodeSettings()).likeness < 0.65


def test_a_code_that_two_cells_claim_is_nobody_s_for_sure():
    """A grid may be off by half a cell, and its cells ask for their neighbours' codes."""
    picture, cells = board_of([k % 8 for k in range(49)], 8)
    cells = [cell for cell in cells if cell.row != 3]
    cells += [replace(cell, row=2.25) for cell in cells if cell.row == 2]
    _, evidence = evidence_of(photographed(picture), cells, 8)
    sure = codes_of(evidence)[1]
    claimed = [cell.row in (2, 2.25) for cell in cells]
    assert evidence.shared.tolist() == claimed
    assert sure.tolist() == [not shared for shared in claimed]


@pytest.mark.parametrize("wander", [0.0, 1.0])
def test_layouts_are_free_of_even_and_sloping_light(wander):
    columns = layouts(50, 2, Blur(0.3, 1.4, 45.0), wander)
    assert np.allclose((columns**2).sum(0), 1, atol=1e-5)
    slope = np.tile(np.linspace(0, 1, 16, dtype=np.float32), 16)
    assert np.abs(np.stack([np.ones(256), slope]) @ columns).max() < 1e-4


def test_what_wanders_is_as_strong_as_noise_after_it_was_weighed():
    rng = np.random.default_rng(1)
    wandering = [cv2.GaussianBlur(rng.normal(0, 1, (28, 28)), (0, 0), 2**0.5)[6:22, 6:22] for _ in range(6000)]
    smooth = np.reshape(wandering, (-1, 256)) / np.std(wandering)
    disturbed = (smooth + rng.normal(0, 1, smooth.shape)).astype(np.float32)
    spread = np.linalg.eigvalsh(np.cov(without_light(disturbed, 1.0).T))
    assert spread[6:].max() < 3 * spread[6:].min()  # before, 20 times


def test_a_place_on_paper_or_of_an_odd_size_is_unlikely():
    foreign = np.full((100, 100), 255, np.uint8)
    foreign[30:70, 30:70] = 0
    against = Prior(foreign, 24.0).against(np.array([[49.5, 49.5, 24, 0], [79, 49.5, 24, 0], [49.5, 49.5, 30, 0]]))
    assert against[0] == pytest.approx(0, abs=1e-6)
    assert against[1] > 0.2
    assert against[2] > 0.2
