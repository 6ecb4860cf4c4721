"""Codes printed on stickers are told from lines between them."""

import cv2
import numpy as np
import pytest

from poradek_vision.find.ruled.evidence import gather

PAPER, BLACK = (235, 235, 230), (30, 30, 35)
WHITE = np.array(PAPER, np.float64)


def drawn(*things):
    """Filled boxes (left, top, right, bottom, colour) on paper of 320 px, a little blurred and noisy."""
    picture = np.full((320, 320, 3), PAPER, np.uint8)
    for left, top, right, bottom, colour in things:
        picture[top:bottom, left:right] = colour
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("colour", [(240, 200, 40), (40, 70, 190), (30, 140, 70), (200, 40, 40)], ids=str)
def test_a_code_is_print_and_leaves_no_ink(colour):
    code = [(140, 140, 180, 180, BLACK), (148, 148, 172, 160, colour), (156, 160, 164, 172, colour)]
    evidence = gather(drawn((128, 128, 192, 192, colour), *code), 320 * 320, paper=WHITE)
    assert evidence.printed[141:179, 141:147].min() == 1
    assert evidence.ink[136:184, 136:184].max() == 0


def test_lines_are_no_print():
    stickers = [(100, 100, 158, 158, (240, 200, 40)), (162, 100, 220, 158, (200, 40, 40)),
                (100, 162, 158, 220, (40, 70, 190)), (162, 162, 220, 220, (30, 140, 70))]  # fmt: skip
    lines = [(158, 60, 162, 260, BLACK), (60, 158, 260, 162, BLACK)]
    ended = [(158, 100, 162, 220, BLACK), (100, 158, 220, 162, BLACK)]
    around = [(99, 99, 159, 159, BLACK), (103, 103, 155, 155, (200, 40, 40))]
    for these in (lines, ended, around):
        assert gather(drawn(*stickers, *these), 320 * 320, paper=WHITE).printed.max() == 0


def test_white_print_with_a_price_is_part_of_its_sticker():
    picture = drawn((128, 128, 192, 192, (200, 40, 40)))
    cv2.circle(picture, (160, 160), 17, PAPER, -1, cv2.LINE_AA)
    cv2.putText(picture, "5", (151, 169), cv2.FONT_HERSHEY_SIMPLEX, 0.8, BLACK, 3, cv2.LINE_AA)
    for paper in (None, WHITE):
        evidence = gather(picture, 320 * 320, paper=paper, white_print=True)
        assert evidence.stickers[136:184, 136:184].min() == 1
        assert evidence.ink[136:184, 136:184].max() == 0


def test_an_empty_cell_between_lines_of_a_coloured_pen_is_no_print():
    lines = [(40 + 60 * k, 40, 45 + 60 * k, 225, (40, 70, 190)) for k in range(4)]
    lines += [(40, 40 + 60 * k, 225, 45 + 60 * k, (40, 70, 190)) for k in range(4)]
    assert gather(drawn(*lines), 320 * 320, white_print=True).stickers.max() == 0
