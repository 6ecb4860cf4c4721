"""Paper taken for a sticker: brown paper on grey ground is coloured against what is brightest near by.

Frame: pixels of the picture at half the work size.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

FloatPicture = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

_LEAST_SHARE = 0.006
"""Of the picture: a board on less is too small to be seen in it."""
_LEAST_THINGS, _THING_PX, _MOST_THING = 3, 5, 0.15
"""So many things lie within a page at least, how wide they are, and the largest as a share of the page: what is written
on a sticker, glare and the shade of a bent corner are fewer, or narrow, and between two stickers the outline goes."""
_LIGHTER, _MOST_LIGHTER = 1.15, 0.3
"""What is so much lighter in every channel is paper round a sticker, and so much of it may be glare on a page."""
_ALIKE, _LEAST_ALIKE = 0.25, 0.7
"""Paper has one tint: the channels' logs differ by so little more than in the middle of its rim, on so much of that."""
_RIM_PX = 9
_FEW = 3
"""Every so many pixels are enough to tell."""
_LOG = np.log(np.arange(256) + 8.0).astype(np.float32)
"""Of each level; 8 is added, so that noise in the dark has no tint."""


def own_white(coloured: Mask, half: npt.NDArray[np.uint8], white: FloatPicture) -> FloatPicture | None:
    """Paper white where a page has its own, instead of what is brightest around it; None if no page has.

    A coloured patch is a page, not a sticker, if its rim is of one tint, it encloses several other things, and these
    are not lighter than its rim: on paper all that is stuck or drawn takes light away.

    Parameters
    ----------
    coloured : ndarray of shape (h, w), uint8
        1 on patches that are coloured against ``white``.
    half : ndarray of shape (h, w, 3), uint8
        The picture, sRGB.
    white : ndarray of shape (h, w, 3), float32
        Levels of what is brightest around.
    """
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(coloured, connectivity=4)
    height, width = coloured.shape
    own: FloatPicture | None = None
    for label in np.flatnonzero(boxes[:, cv2.CC_STAT_AREA] > _LEAST_SHARE * coloured.size):
        left, top, across, down = boxes[label, :4]
        if not label or left == 0 or top == 0 or left + across == width or top + down == height:
            continue  # what the picture's edge cuts off is ground
        box = np.s_[top : top + down, left : left + across]
        patch = np.asarray(labels[box] == label, np.uint8)
        if found := _paper(patch, half[box]):
            page, paper = found
            own = white.copy() if own is None else own
            own[box][page > 0] = _spread(paper, half[box])[page > 0]
    return own


def _paper(patch: Mask, levels: npt.NDArray[np.uint8]) -> tuple[Mask, Mask] | None:
    """1 within the outline of a patch, and where its paper shows; None if it is no page."""
    outline = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    hull = cv2.convexHull(np.concatenate(outline))
    page = np.asarray(cv2.fillPoly(np.zeros_like(patch), [hull], 1), np.uint8)
    whole = cv2.drawContours(np.zeros_like(patch), outline, -1, 1, -1)
    wide = np.ones((_RIM_PX, _RIM_PX), np.uint8)
    inner = cv2.erode(whole, wide, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    rim = _LOG[levels[patch > inner][::_FEW]]
    middle = np.median(rim, axis=0)
    if (np.ptp(rim - middle, axis=-1) < _ALIKE).mean() < _LEAST_ALIKE:
        return None
    red, green, blue = (
        one - np.float32(its) for one, its in zip(cv2.split(cv2.LUT(levels, _LOG)), middle, strict=True)
    )
    least, most = cv2.min(cv2.min(red, green), blue), cv2.max(cv2.max(red, green), blue)
    alike = cv2.subtract(most, least) < _ALIKE
    paper = page & alike
    if _things(page, paper) < _LEAST_THINGS:
        return None
    lighter = (least[page > paper] > np.log(_LIGHTER)).mean()
    return (page, paper) if lighter < _MOST_LIGHTER else None


def _things(page: Mask, paper: Mask) -> int:
    """How many things as wide as stickers lie within a page, where something other than its paper shows."""
    wide = cv2.morphologyEx(page - paper, cv2.MORPH_OPEN, np.ones((_THING_PX, _THING_PX), np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(wide, connectivity=4)
    sizes = boxes[:, cv2.CC_STAT_AREA].copy()
    inner = cv2.erode(page, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    sizes[np.unique(labels[page > inner])] = page.size
    return int(np.count_nonzero(sizes[1:] < _MOST_THING * page.size))


def _spread(paper: Mask, levels: npt.NDArray[np.uint8]) -> FloatPicture:
    """The levels of paper, and between its parts those of what is nearest to it: its mean, weighted by distance."""
    shape = paper.shape[::-1]
    small = tuple(max(side // _COARSE, 1) for side in shape)
    weight = cv2.resize(paper.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    light = cv2.resize(levels * paper[..., None].astype(np.float32), small, interpolation=cv2.INTER_AREA)
    sigma = max(small) / 4
    near = [cv2.GaussianBlur(one, (0, 0), sigma) + np.float32(1e-6) for one in (weight, *cv2.split(light))]
    mean = np.dstack([one / near[0] for one in near[1:]])
    return np.asarray(cv2.resize(mean, shape, interpolation=cv2.INTER_LINEAR), np.float32)


_COARSE = 8
"""By how much the picture is reduced in which a page's light is spread: it changes slowly."""
