"""What speaks for a ruled grid in a photo: thin dark lines of any pen, and stickers, both freed of light and paper."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.channels import channel_sum
from poradek_vision.find.drawing import is_drawing
from poradek_vision.find.ruled.prints import light_prints, prints
from poradek_vision.find.ruled.tinted import own_white
from poradek_vision.geometry import FloatArray, fill

Part = tuple[int, int, int, int]
"""Left, top, right, bottom of a part of the photo, decoded px."""
FloatPicture = npt.NDArray[np.float32]

_MOST_ENLARGED = 3.0
_AS_IT_IS = 0.95
"""From this scale on a picture is left as it is: to take a few per cent away costs as much as all else here."""
_LINE_PX = 13
"""Dark things wider than this are no lines, work px."""
_BLACK = 8
"""Added to levels before dividing, so that noise in the dark does not pass for ink."""
_BRIGHT = 255
"""Light of the three channels together from which ink counts by levels: paper is mostly brighter than the ground."""
_CLUTTER = 0.06
"""Share of ink up to which a pixel counts as clutter of its neighbourhood."""
_CLUTTER_PX = 31
_CLUTTER_TIMES, _CLUTTER_TIMES_ON_PAPER = 2.5, 1.3
"""Ink counts from this many times the mean clutter around it; less where it is known to lie on a board's paper."""
_WHITE_STEP = 8
"""Paper white is sought on a picture reduced by this much."""
_WHITE_PX = 27
"""Nothing wider than this hides the paper, px of the reduced picture."""
_OTHER_PEN = 0.3
"""Difference of colour at which ink counts half, as a share of the light that it takes."""
_PEN_SHARE, _LEAST_INK = 0.8, 0.02
"""Share of the pen's usual ink that counts as full, and the faintest pen."""
_COLOURED = 0.3
"""Saturation against paper from which a patch is a sticker; tinted paper in shade reaches 0.15."""
_BLOWN = 235
"""What is brighter in every channel has lost its colour: paper in glare."""
_LINE_DARK = 0.6
"""What is darker than this share of what lies right beside it is a line between the filled cells of a drawing."""
_BLACK_MARK = 0.4
"""What is darker than this share of paper white right beside a colour is written on a sticker."""
_PRINT_DARK, _PRINT_PX = 0.6, 15
"""What is darker than this share of the colours around is print on a sticker, and how far around, px of the picture at
half the work size."""
_STICKER_PX = 7
"""Coloured things narrower than this are lines, px of the picture at half the work size."""
_MOST_DOT_PX, _DOT_ASPECT, _DOT_FILL = 13, 0.6, 0.6
"""Largest side of a small sticker, px of that picture, and its least shape: a disk fills 0.79 of its box, letters and
crosses half and less."""
_CORNER_PX = 7
"""What is coloured and so near a patch is its corner, which the opening took away; px of that picture."""
_PAPER_LIGHT = 0.6
"""Paper next to a sticker reflects at least this share of paper white in every channel, also in its shadow."""
_PAPER_AROUND = 0.3
"""Least share of a patch's rim that must be paper."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Two maps of a photo at work size.

    Attributes
    ----------
    ink : ndarray of shape (H, W), float32
        How much darker than both its sides a thin line is, 0–1; 0 on stickers and where all is cluttered.
    stickers : ndarray of shape (H, W), float32
        1 on coloured patches, 0 elsewhere.
    colour : ndarray of shape (H, W), float32
        1 where a sticker shows its colour or its print, not what is drawn on it or the line beside it.
    printed : ndarray of shape (H, W), float32
        1 on prints, codes above all.
    taken : ndarray of shape (H, W, 3), uint8
        What thin dark lines take of the light, levels.
    levels : ndarray of shape (H, W, 3), uint8
        The picture at work size, sRGB.
    white : ndarray of shape (h, w, 3), float32
        Levels of the paper, or of what is brightest, around; a smaller picture of the same part.
    scale : float
        Work pixels per pixel of the decoded photo.
    corner : (int, int)
        Left and top of the part of the photo that this is, decoded px.
    drawing : bool
        Whether it is no photo but flat all over.
    white_print : bool
        Whether white that a colour surrounds was taken for print on a sticker.
    """

    ink: FloatPicture
    stickers: FloatPicture
    colour: FloatPicture
    printed: FloatPicture
    taken: npt.NDArray[np.uint8]
    levels: npt.NDArray[np.uint8]
    white: FloatPicture
    scale: float
    corner: tuple[int, int]
    drawing: bool = False
    white_print: bool = False

    @property
    def masks(self) -> tuple[FloatPicture, FloatPicture]:
        """Where stickers are, and where they show their colour, both (h, w)."""
        return self.stickers, self.colour

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, work px."""
        return self.ink.shape[1], self.ink.shape[0]

    def decoded_px(self, points: FloatArray) -> FloatArray:
        """Work pixels (..., 2) as pixels of the decoded photo."""
        return (points + 0.5) / self.scale - 0.5 + self.corner

    def work_px(self, points: FloatArray) -> FloatArray:
        """Pixels (..., 2) of the decoded photo as work pixels."""
        return (points - self.corner + 0.5) * self.scale - 0.5


def gather(
    rgb: npt.NDArray[np.uint8],
    work_px: int,
    part: Part | None = None,
    paper: FloatArray | None = None,
    *,
    white_print: bool = False,
) -> Evidence:
    """The evidence of a photo's pixels (H, W, 3), RGB, or of a part of it, brought to ``work_px`` pixels.

    1. ``filled``: the picture with everything thin and dark closed; ``ink`` is what that took away, all channels
       together, so that a red line counts by its green and blue.
    2. Clutter around (gravel, grass, weave; also squared paper) is taken off the ink.
    3. Coloured patches against the paper's own white are stickers; what is drawn on them is no ink.

    ``paper`` is its colour (3,), where that is known; else it is sought all over. With ``white_print`` white that one
    colour surrounds is part of a sticker, as are stars and smiles; it may be what is left of paper between a coloured
    pen's lines and stickers, too.
    """
    left, top, right, bottom = part or (0, 0, rgb.shape[1], rgb.shape[0])
    rgb = rgb[top:bottom, left:right]
    drawing = is_drawing(rgb)
    if drawing:
        frame = max(_LINE_PX, min(rgb.shape[:2]) // 20)
        rgb, left, top = _with_paper(rgb, frame), left - frame, top - frame
    scale = min(float(np.sqrt(work_px / (rgb.shape[0] * rgb.shape[1]))), _MOST_ENLARGED)
    work, scale = _resized(rgb, scale)
    stickers, colour, printed, white = _stickers(work, paper, drawing, white_print)
    ink, taken = _ink(work, on_paper=paper is not None)
    ink *= 1 - cv2.erode(colour, np.ones((3, 3), np.uint8))
    return Evidence(ink, stickers, colour, printed, taken, work, white, scale, (left, top), drawing, white_print)


def find_stickers(
    rgb: npt.NDArray[np.uint8], least_px: int, taken: Sequence[FloatArray]
) -> tuple[npt.NDArray[np.uint8], int]:
    """The stickers in a photo's pixels alone: 1 on them in a picture reduced by a whole number, and that number.

    They are sought in ``least_px`` pixels or a little more, outside the outlines (N, 2) px of what is known.
    """
    height, width = rgb.shape[:2]
    by = max(int(np.sqrt(height * width / least_px)), 1)
    size = width // by, height // by
    exact = rgb[: by * size[1], : by * size[0]]
    small = np.asarray(cv2.resize(exact, size, interpolation=cv2.INTER_AREA), np.uint8)
    free = np.ones(small.shape[:2], np.uint8)
    for outline in taken:
        fill(free, (outline + 0.5) / by - 0.5, 0)
    return _masks(small, None, drawing=False, white_print=False, free=free)[0], by


def _resized(rgb: npt.NDArray[np.uint8], scale: float) -> tuple[npt.NDArray[np.uint8], float]:
    """A picture with about ``scale`` times its pixels each way, and how many times they really are."""
    if _AS_IT_IS < scale < 1 / _AS_IT_IS:
        return rgb, 1.0
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=how), np.uint8), scale


def _with_paper(rgb: npt.NDArray[np.uint8], frame: int) -> npt.NDArray[np.uint8]:
    """A drawing with its paper round it: a border at its very edge is a line between two light sides then.

    Where the brightest there is has a colour, every cell is filled, and the paper is white.
    """
    paper = rgb.reshape(-1, 3)[cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).argmax()].tolist()
    if min(paper) < (1 - _COLOURED) * max(paper):
        paper = [255, 255, 255]
    framed = cv2.copyMakeBorder(rgb, frame, frame, frame, frame, cv2.BORDER_CONSTANT, value=paper)
    return np.asarray(framed, np.uint8)


def by_pen(evidence: Evidence, points: FloatArray) -> Evidence:
    """The evidence with its ink as a likeness, 0–1, to what the pen left at points (N, 2) on its lines.

    Letters in another pen, sticker rims and shadows take light of other colours away; what is darker counts no more.
    In a drawing lines may lie between cells that are filled, and take just their colours away: there any line counts.
    """
    if evidence.drawing:
        strength = max(_PEN_SHARE * float(np.median(_at(evidence.ink, points))), _LEAST_INK)
        return replace(evidence, ink=np.minimum(evidence.ink / np.float32(strength), 1))
    taken = _at(evidence.taken, points)
    share = np.median(taken / np.maximum(taken.sum(1, keepdims=True), 1), axis=0)
    share /= max(share.sum(), 1e-6)
    whole = channel_sum(evidence.taken)
    unlike, other = np.zeros_like(whole), np.empty_like(whole)
    for one, its_share in zip(cv2.split(evidence.taken), share.tolist(), strict=True):
        np.subtract(one, np.multiply(whole, np.float32(its_share), out=other), out=other)
        unlike += np.abs(other, out=other)
    whole *= _OTHER_PEN
    whole += _BLACK
    unlike /= whole
    unlike *= unlike
    unlike += 1
    unlike *= max(_PEN_SHARE * float(np.median(_at(evidence.ink, points))), _LEAST_INK)
    ink = np.divide(evidence.ink, unlike, out=unlike)
    return replace(evidence, ink=np.minimum(ink, 1, out=ink))


def _at(picture: npt.NDArray[np.uint8] | FloatPicture, points: FloatArray) -> FloatArray:
    """Values of a picture (H, W, …) at the pixels nearest to points (N, 2)."""
    x, y = np.round(points).astype(np.intp).T
    height, width = picture.shape[:2]
    values: FloatArray = picture[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float64)
    return values


def _ink(work: npt.NDArray[np.uint8], on_paper: bool) -> tuple[FloatPicture, npt.NDArray[np.uint8]]:
    """Share of light that thin dark lines take away, less the clutter around; and what they take, by channel."""
    smooth = cv2.GaussianBlur(work, (3, 3), 0.6)
    filled = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((_LINE_PX, _LINE_PX), np.uint8))
    taken = np.asarray(cv2.subtract(filled, smooth), np.uint8)
    most, times = (765, _CLUTTER_TIMES_ON_PAPER) if on_paper else (_BRIGHT, _CLUTTER_TIMES)
    ink, light = channel_sum(taken), channel_sum(np.asarray(filled, np.uint8))
    np.minimum(ink, most, out=ink)
    np.minimum(light, most, out=light)
    light += 3 * _BLACK
    ink /= light
    clutter = np.minimum(ink, _CLUTTER, out=light)
    cv2.boxFilter(clutter, -1, (_CLUTTER_PX, _CLUTTER_PX), clutter)
    clutter *= times
    ink -= clutter
    return np.maximum(ink, 0, out=ink), taken


def _stickers(
    work: npt.NDArray[np.uint8], paper: FloatArray | None, drawing: bool, white_print: bool
) -> tuple[FloatPicture, FloatPicture, FloatPicture, FloatPicture]:
    """1 on patches coloured against the paper around, where they show their colour, on prints; that paper's white."""
    height, width = work.shape[:2]
    half = np.asarray(cv2.resize(work, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
    *masks, white = _masks(half, paper, drawing, white_print)
    resized = (cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST) for mask in masks)
    stickers, colour, print_ = (np.asarray(mask, np.float32) for mask in resized)
    return stickers, colour, print_, white


def _masks(
    half: npt.NDArray[np.uint8],
    paper: FloatArray | None,
    drawing: bool,
    white_print: bool,
    free: npt.NDArray[np.uint8] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], FloatPicture]:
    """The same of a picture at half the work size, where it is ``free``, 0 or 1."""
    height, width = half.shape[:2]
    size = max(2 * width // _WHITE_STEP, 1), max(2 * height // _WHITE_STEP, 1)
    small = cv2.resize(half, size, interpolation=cv2.INTER_AREA)
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((_WHITE_PX, _WHITE_PX), np.uint8))
    white = np.asarray(closed, np.float32)
    if drawing:  # its light is even, and its cells may be wider than any sticker in a photo
        white[:] = small[np.unravel_index(small.sum(-1).argmax(), small.shape[:2])]
    elif paper is not None:
        white = np.max(white / paper, axis=-1, keepdims=True) * paper.astype(np.float32)
    white = np.asarray(cv2.resize(white, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    seen = _against(half, white)
    if paper is None and not drawing and (own := own_white(_patches(seen[2]), half, white)) is not None:
        white = own
        seen = _against(half, white)
    most, least, plain = seen
    printed = np.zeros_like(plain) if paper is None else _prints(plain, most, least)
    plain |= printed
    if white_print:
        plain |= light_prints(plain, least, half)
    if free is not None:
        plain &= free
    coloured = plain.copy()
    marks = (most < _BLACK_MARK) & (cv2.dilate(coloured, np.ones((_STICKER_PX, _STICKER_PX), np.uint8)) > 0)
    coloured[marks] = 1
    patches = _patches(coloured)
    if paper is None:
        patches = patches | _dots(coloured, patches)
    else:
        patches = np.asarray(cv2.dilate(patches, np.ones((_CORNER_PX, _CORNER_PX), np.uint8)), np.uint8) & coloured
    dark = _LINE_DARK if drawing else 0.0
    lit = (most > dark * cv2.dilate(most, np.ones((5, 5), np.uint8))).astype(np.uint8)
    on_paper = _on_paper(np.asarray(patches, np.uint8), least)
    return on_paper, on_paper & (plain & lit | printed), printed, white


def _prints(plain: npt.NDArray[np.uint8], most: FloatPicture, least: FloatPicture) -> npt.NDArray[np.uint8]:
    """1 on prints among what shows colours, with the brightest and the darkest share of paper white."""
    near = cv2.dilate(most * plain, np.ones((_PRINT_PX, _PRINT_PX), np.uint8))
    return prints(plain & (most > _PRINT_DARK * near).astype(np.uint8), least)


def _against(
    half: npt.NDArray[np.uint8], white: FloatPicture
) -> tuple[FloatPicture, FloatPicture, npt.NDArray[np.uint8]]:
    """What pixels reflect of paper's light, by their most and least channel; and 1 where they have a colour."""
    red, green, blue = cv2.split((half.astype(np.float32) + _BLACK) / (white + _BLACK))
    most, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    darkest = functools.reduce(cv2.min, cv2.split(half))
    plain = ((least < (1 - _COLOURED) * most) & (darkest < _BLOWN)).astype(np.uint8)
    return np.asarray(most, np.float32), np.asarray(least, np.float32), plain


def _patches(coloured: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Coloured things wide enough for a sticker."""
    wide = np.ones((_STICKER_PX, _STICKER_PX), np.uint8)
    return np.asarray(cv2.morphologyEx(coloured, cv2.MORPH_OPEN, wide), np.uint8)


def _dots(coloured: npt.NDArray[np.uint8], patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """1 on coloured things smaller than any patch that are as compact as stickers: lines and letters are not.

    Opening tells them from lines that they touch.
    """
    opened = cv2.morphologyEx(coloured, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].astype(np.float64)
    compact = (sides.max(1) <= _MOST_DOT_PX) & (sides.min(1) >= _DOT_ASPECT * sides.max(1))
    compact &= stats[:, cv2.CC_STAT_AREA] >= _DOT_FILL * sides.prod(1)
    compact[0] = False
    return np.asarray(compact[labels] & (patches == 0), np.uint8)


def _on_paper(patches: npt.NDArray[np.uint8], least: FloatPicture) -> npt.NDArray[np.uint8]:
    """The patches with paper around them: what touches the picture's edge, or other things, is ground."""
    count, labels = cv2.connectedComponents(patches, connectivity=4)
    labels = labels.astype(np.float32)
    ring = cv2.dilate(labels, np.ones((_STICKER_PX, _STICKER_PX), np.uint8))
    ring[patches > 0] = 0
    where = np.flatnonzero(ring)
    patch = ring.ravel()[where].astype(np.intp)
    around = np.bincount(patch, minlength=count)
    light = np.bincount(patch[least.ravel()[where] > _PAPER_LIGHT], minlength=count)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]).astype(np.intp)
    good = (light > _PAPER_AROUND * around) & (np.bincount(edge, minlength=count) < 0.2 * around)
    good[0] = False
    return good[labels.astype(np.intp)].astype(np.uint8)
