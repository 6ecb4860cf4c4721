"""Paper with a tint of its own is no sticker, and a sticker, a tarpaulin or a block of stickers is no paper."""

import cv2
import numpy as np
import pytest

from poradek_vision.find.ruled.evidence import gather

KRAFT, GREY, WHITE = (178, 142, 100), (168, 172, 176), (245, 245, 240)
RED, BLUE, TARP = (200, 35, 45), (34, 84, 172), (40, 74, 132)
PAGE, SIDE = (300, 200, 700, 640), 70


def picture(paper, ground, stickers, *, gap=0):
    """A page on a ground with rows of square stickers on it, each gap px from the next, and their places."""
    rng = np.random.default_rng(5)
    pixels = np.full((900, 1000, 3), ground, np.float64) * rng.uniform(0.6, 1.2, (900, 1000, 1))
    left, top, right, bottom = PAGE
    pixels[top:bottom, left:right] = paper + rng.normal(0, 1, (bottom - top, right - left, 3))
    places = []
    for row, tones in enumerate(stickers):
        for col, tone in enumerate(tones):
            x, y = left + 60 + col * (SIDE + gap), top + 80 + row * (SIDE + gap)
            cv2.rectangle(pixels, (x, y), (x + SIDE - 1, y + SIDE - 1), tone, -1)
            places.append((x + SIDE // 2, y + SIDE // 2))
    return np.clip(pixels, 0, 255).astype(np.uint8), places


def stuck(pixels, places):
    evidence = gather(pixels, 750_000)
    x, y = np.round(evidence.work_px(np.array(places, np.float64))).astype(int).T
    return evidence.stickers[y, x]


@pytest.mark.parametrize("ground", [GREY, WHITE])
def test_brown_paper_on_brighter_ground_is_paper_and_what_is_stuck_on_it_stickers(ground):
    pixels, places = picture(KRAFT, ground, [[RED, BLUE, RED]] * 3, gap=35)
    assert stuck(pixels, places).all()
    margins = [(x, y) for x in (PAGE[0] + 25, PAGE[2] - 25) for y in range(PAGE[1] + 40, PAGE[3] - 40, 40)]
    assert not stuck(pixels, margins).any()


def test_a_block_of_stickers_of_one_colour_is_no_paper():
    pixels, places = picture(WHITE, GREY, [[RED, RED, RED], [RED], [RED, RED, RED]])
    assert stuck(pixels, places).all()


def test_a_tarpaulin_round_a_page_is_not_the_pages_paper():
    pixels, places = picture(WHITE, GREY, [[RED, BLUE], [BLUE, RED]], gap=35)
    cloth = np.full_like(pixels, TARP)
    cloth[:, :60] = cloth[:60] = cloth[:, -60:] = cloth[-60:] = pixels[0, 0]
    cloth[PAGE[1] : PAGE[3], PAGE[0] : PAGE[2]] = pixels[PAGE[1] : PAGE[3], PAGE[0] : PAGE[2]]
    assert stuck(cloth, places).all()
    assert not stuck(cloth, [(PAGE[0] + 30, PAGE[1] + 30), (PAGE[2] - 30, PAGE[3] - 30)]).any()
