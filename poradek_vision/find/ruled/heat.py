"""Cells of a drawn grid as a small network sees them: also where stickers hide its lines, or marks on them drown it.

The network paints two heat maps, of crossings and of cells' centres; it was trained on drawn scenes only
(``tests/training``). Frames: *work* px as everywhere here, and *map* px, ``_STRIDE`` px of the picture shown to it.

References
----------
DeTone, Malisiewicz & Rabinovich, SuperPoint: self-supervised interest point detection and description, CVPR-W 2018
(MagicPoint), for training on drawn shapes.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import resources

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.find.ruled.evidence import Evidence, FloatPicture, Part
from poradek_vision.find.ruled.seeds import Seed, sample
from poradek_vision.geometry import FloatArray, fill

_LONG_SIDES_PX = (256, 512)
"""Of the pictures shown to it: in the smaller one large cells are seen whole, in the larger one small ones are seen."""
_MOST_ENLARGED = 4.0
"""By how much what is hot in the larger one is enlarged, at most, to be shown once more."""
_AROUND_PX, _WARM, _MARGIN = 9, (0.25, 0.4, 0.55), 0.1
"""Mean heat of a square of so many map px from which it is part of that, and in which it may be several; and the share
of its sides added round it."""
_WORTH_A_LOOK = 0.85
"""No such look where that part is larger than this share of the sides."""
_MOST_PARTS, _MOST_CLOSER, _WORTH_HEAT = 5, 2, 0.15
"""Hot parts, those looked at so, and the least share of the hottest one's heat that they hold."""
_BLOCK_PX = 32
"""Their sides are multiples of this."""
_STRIDE = 4
_LEAST_HEAT = 0.2
"""Of a spot."""
_MOST_SPOTS = 500
_MOST_STARTS, _NEIGHBOURS = 120, 10
"""Centres from which lattices are tried, the hottest, and how many others near each are taken for its neighbours."""
_APART = 1.2
"""Two centres nearer than this are one, map px."""
_ACROSS, _ALIKE = 0.6, 2.0
"""Sine of the angle between a cell's sides, and the ratio of their lengths, at the worst."""
_BETWEEN = 0.7
"""Weight of heat on the middle of cells' sides, where none belongs."""
_LEAST_SCORE = 3.0
"""Of 25 places around a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """What the network painted.

    Attributes
    ----------
    crossings, centres : ndarray of shape (h, w), float32
        How sure it is that there is one, 0–1.
    scale : ndarray of shape (2,)
        Map pixels per work pixel, along x and y.
    corner : ndarray of shape (2,)
        The top left edge of the part that was shown, work px from the edge of the whole.
    """

    crossings: FloatPicture
    centres: FloatPicture
    scale: FloatArray
    corner: FloatArray

    def work_px(self, points: FloatArray) -> FloatArray:
        """Map pixels (..., 2) as work pixels."""
        return (points + 0.5) / self.scale + self.corner - 0.5

    def map_px(self, points: FloatArray) -> FloatArray:
        """Work pixels (..., 2) as map pixels."""
        return (points + 0.5 - self.corner) * self.scale - 0.5


def hottest_cell(heat: Heat) -> Seed | None:
    """The cell that the network sees best, None where it sees none.

    Each hot centre with each two of its neighbours makes an affine lattice, scored by the heat of 3×3 cells where
    crossings and centres should be, less what is where none should.
    """
    origin, along, down = lattices(heat.centres)
    score = scores(heat, origin, along, down)
    if not score.size or score.max() < _LEAST_SCORE:
        return None
    best = score.argmax()
    across, below = along[best] / heat.scale, down[best] / heat.scale
    return Seed(heat.work_px(origin[best]) - (across + below) / 2, across, below)


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """The heat maps of one picture, each painted when it is first asked for.

    Attributes
    ----------
    rgb : ndarray of shape (H, W, 3), uint8
        The whole decoded photo.
    painted : dict of int to (ndarray of shape (2, h, w), (int, int))
        Crossings and centres, and the size of the picture shown to the network, by its long side, px.
    """

    rgb: npt.NDArray[np.uint8]
    painted: dict[int, tuple[FloatPicture, tuple[int, int]]] = field(default_factory=dict)

    def coarse(self, work_per_px: float = 1.0) -> Heat:
        """The coarse map, at so many work px per decoded px."""
        return self._of(_LONG_SIDES_PX[0], work_per_px)

    def fine(self, work_per_px: float = 1.0, times: int = 1) -> Heat:
        """The fine map, or one so many times finer, which takes that time squared."""
        return self._of(times * _LONG_SIDES_PX[1], work_per_px)

    def _of(self, long_side_px: int, work_per_px: float) -> Heat:
        if long_side_px not in self.painted:
            shown = _shrunk(self.rgb, max(long_side_px, _LONG_SIDES_PX[1]))
            self.painted[long_side_px] = _paint(
                _shrunk(shown, long_side_px) if long_side_px < max(shown.shape) else shown
            )
        height, width = self.rgb.shape[:2]
        return _heat(self.painted[long_side_px], (0, 0, width, height), work_per_px)


def paint_closer(rgb: npt.NDArray[np.uint8], evidence: Evidence, heat: Heat) -> list[Heat]:
    """The heat of a photo once more, finer, where its ``heat`` is; none where that is all over (gravel, leaves)."""
    closer = []
    for left, top, right, bottom in hot_parts(heat, evidence, (rgb.shape[1], rgb.shape[0]), _MARGIN)[:_MOST_CLOSER]:
        shown = _shrunk(rgb[top:bottom, left:right], _LONG_SIDES_PX[-1])
        closer.append(_heat(_paint(shown), (left, top, right, bottom), evidence.scale))
    return closer


def without(heat: Heat, outline: FloatArray) -> Heat:
    """Heat that is cold within an outline (N, 2), work px."""
    mask = np.ones(heat.crossings.shape, np.float32)
    fill(mask, heat.map_px(outline), 0)
    return replace(heat, crossings=heat.crossings * mask, centres=heat.centres * mask)


def _shrunk(rgb: npt.NDArray[np.uint8], long_side_px: int) -> npt.NDArray[np.uint8]:
    """A picture reduced, or enlarged a little, so that its long side has so many px and both fill whole blocks."""
    shape = np.array(rgb.shape[1::-1])
    scale = min(long_side_px / shape.max(), _MOST_ENLARGED)
    size = np.maximum(np.round(shape * scale / _BLOCK_PX), 1).astype(int) * _BLOCK_PX
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    if scale < 0.5:  # twice as fast: exact halves take hardly any time
        rgb = np.asarray(cv2.resize(rgb, (shape // 2).tolist(), interpolation=how), np.uint8)
    return np.asarray(cv2.resize(rgb, size.tolist(), interpolation=how), np.uint8)


def _paint(picture: npt.NDArray[np.uint8]) -> tuple[FloatPicture, tuple[int, int]]:
    """What the network paints of a picture, crossings and centres, (2, h, w), and the picture's width and height."""
    network = _network(threading.get_ident())
    network.setInput(cv2.dnn.blobFromImage(picture, 1 / 255))
    return np.asarray(network.forward(), np.float32)[0], (picture.shape[1], picture.shape[0])


def _heat(painted: tuple[FloatPicture, tuple[int, int]], part: Part, work_per_px: float) -> Heat:
    """What was painted of a part of the photo as heat."""
    (crossings, centres), shown = painted
    corner, size = np.array(part[:2]), np.array(part[2:]) - part[:2]
    scale = np.array(shown) / _STRIDE / (size * work_per_px)
    return Heat(crossings, centres, scale, corner * work_per_px)


def hot_parts(heat: Heat, evidence: Evidence, size: tuple[int, int], margin: float) -> list[Part]:
    """Parts of the photo, decoded px, round the hottest patches of a map, but for one that is all.

    Parameters
    ----------
    heat : Heat
    evidence : Evidence
    size : (int, int)
        Width and height of the photo, decoded px.
    margin : float
        What is added round a patch, as a share of its longer side.
    """
    patches = sorted(_patches(_mean_heat(heat)), key=lambda patch: -patch[0])[:_MOST_PARTS]
    parts = (
        _part_round(heat, box, evidence, size, margin) for held, box in patches if held > _WORTH_HEAT * patches[0][0]
    )
    return [part for part in parts if part]


def _mean_heat(heat: Heat) -> FloatPicture:
    """Heat around each place of a map."""
    return np.asarray(cv2.boxFilter(np.maximum(heat.crossings, heat.centres), -1, (_AROUND_PX, _AROUND_PX)))


def _patches(mean: FloatPicture, warm: Sequence[float] = _WARM) -> list[tuple[float, FloatArray]]:
    """How much heat each warm patch holds, and its box (left, top, right, bottom), map px.

    Boards beside each other are one patch where there is some warmth between them, and several where that is asked
    to be hotter.
    """
    first, *hotter = warm
    count, labels, stats, _ = cv2.connectedComponentsWithStats((mean > first).astype(np.uint8))
    held = np.bincount(labels.ravel(), mean.ravel(), count)
    patches = list[tuple[float, FloatArray]]()
    for k in range(1, count):
        inner = _patches(np.where(labels == k, mean, np.float32(0)), hotter) if hotter else []
        several = [patch for patch in inner if patch[0] > _WORTH_HEAT * held[k]]
        box = np.concatenate([stats[k, :2], stats[k, :2] + stats[k, 2:4]]).astype(np.float64)
        patches += several if len(several) > 1 else [(float(held[k]), box)]
    return patches


def _part_round(heat: Heat, box: FloatArray, evidence: Evidence, size: tuple[int, int], margin: float) -> Part | None:
    """The part of the photo, decoded px, round a patch's box, map px; None where it is nearly all."""
    corners = box.reshape(2, 2)
    edges = heat.work_px(corners - 0.5) + 0.5
    first, last = np.clip(edges / evidence.scale, 0, size)
    if max((last - first) / size) > _WORTH_A_LOOK:
        return None
    more = margin * max(last - first)
    (left, top), (right, bottom) = (np.clip(edge, 0, size).astype(int).tolist() for edge in (first - more, last + more))
    return left, top, right, bottom


@functools.lru_cache(maxsize=4)
def _network(thread: int) -> cv2.dnn.Net:
    """The network as it lies beside this module, one for each thread: to prepare it takes as long as a picture does."""
    stored = resources.files(__package__).joinpath("heat.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(stored, np.uint8))


def spots(heat: FloatPicture) -> tuple[FloatArray, FloatArray]:
    """The hottest places of a map, (N, 2) map px, finer than its pixels, and how hot they are, (N,).

    Examples
    --------
    >>> at, hot = spots(np.array([[0, 0, 0, 0, 0], [0, 0.5, 0.5, 0.1, 0], [0, 0, 0, 0, 0]], np.float32))
    >>> at[0].round(2).tolist()
    [1.5, 1.0]
    """
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= highest) & (heat > _LEAST_HEAT))
    best = np.argsort(-heat[y, x], kind="stable")[:_MOST_SPOTS]
    y, x = y[best], x[best]
    framed = np.log(np.maximum(np.pad(heat, 1), 1e-3).astype(np.float64))
    beside = [framed[y + 1, x], framed[y + 1, x + 2], framed[y, x + 1], framed[y + 2, x + 1]]
    bend = [beside[k] + beside[k + 1] - 2 * framed[y + 1, x + 1] for k in (0, 2)]
    step = [(beside[k] - beside[k + 1]) / 2 / np.minimum(bend[k // 2], -1e-6) for k in (0, 2)]
    return np.stack([x, y], 1) + np.clip(np.stack(step, 1), -0.5, 0.5), heat[y, x].astype(np.float64)


def lattices(centres: FloatPicture) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Middle of a cell and its steps to the cell beside and below it, each (N, 2) map px, of all that spots allow."""
    at, _ = spots(centres)
    starts = at[:_MOST_STARTS]
    step = at[None] - starts[:, None]
    length = np.hypot(step[..., 0], step[..., 1])
    length[length < _APART] = np.inf
    nearest = np.argsort(length, axis=1)[:, :_NEIGHBOURS]
    step = np.take_along_axis(step, nearest[..., None], 1)
    length = np.take_along_axis(length, nearest, 1)
    a, b, la, lb = step[:, :, None], step[:, None], length[:, :, None], length[:, None]
    with np.errstate(invalid="ignore"):
        across = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0] > _ACROSS * la * lb
    rightmost = (a[..., 0] > np.abs(a[..., 1])) | (a[..., 0] == -a[..., 1])  # one of the four turns of a lattice
    good = across & rightmost & np.isfinite(la) & np.isfinite(lb) & (la < _ALIKE * lb) & (lb < _ALIKE * la)
    start, along, down = np.nonzero(good)
    return starts[start], step[start, along], step[start, down]


def scores(heat: Heat, middle: FloatArray, along: FloatArray, down: FloatArray) -> FloatArray:
    """Heat of 3×3 cells round each cell (N,): what lies where it belongs, less what doesn't."""

    def total(picture: FloatPicture, places: FloatArray) -> FloatArray:
        points = middle[:, None] + places[:, :1] * along[:, None] + places[:, 1:] * down[:, None]
        summed: FloatArray = sample(picture, points).sum(1)
        return summed

    cells, lines = np.arange(-1.0, 2), np.arange(-1.5, 2)
    inner, corners = (np.stack(np.meshgrid(u, u), -1).reshape(-1, 2) for u in (cells, lines))
    sides = np.stack(np.meshgrid(cells, lines), -1).reshape(-1, 2)
    sides = np.concatenate([sides, sides[:, ::-1]])
    right = total(heat.centres, inner) + total(heat.crossings, corners)
    wrong = total(heat.crossings, inner) + total(heat.centres, corners)
    return right - wrong - _BETWEEN * (total(heat.crossings, sides) + total(heat.centres, sides))
