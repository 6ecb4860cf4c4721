"""Scenes with and without a hand-drawn grid, as a phone's photo of about 512 px would show them, with heat maps.

Frames: *board* cells, origin the grid's first corner, and *canvas* px, drawn twice as fine as the scene that comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from training.grounds import paint_any_ground

SIDE_PX, STRIDE = 256, 4
FINE = 2
"""Canvas px per px of the scene."""
HEAT_SIGMA = 0.85
"""Of a point in the heat maps, in their px."""

Picture = npt.NDArray[np.uint8]
F32Array = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture (SIDE_PX, SIDE_PX, 3) uint8 RGB and its heat (2, SIDE_PX / STRIDE, …), 0–255: crossings, centres."""

    pixels: Picture
    heat: Picture


def draw_scene(seed: list[int]) -> Scene:
    """One scene; a fifth have no grid."""
    rng = np.random.default_rng(seed)
    canvas = paint_any_ground(rng, SIDE_PX, FINE)
    points = np.zeros((0, 2)), np.zeros((0, 2))
    drawing = rng.random() < 0.12
    if rng.random() < 0.8:
        points = _draw_board(canvas, rng, drawing)
    elif rng.random() < 0.5:
        _draw_loose(canvas, rng)
    pixels = _develop(canvas, rng, drawing)
    heat = np.stack([_heat(at / FINE) for at in points])
    return Scene(pixels, heat)


def _heat(points: FloatArray) -> Picture:
    """Points (N, 2) of the scene as soft spots."""
    side = SIDE_PX // STRIDE
    at = (points + 0.5) / STRIDE - 0.5
    near = at[np.all((at > -2) & (at < side + 1), axis=1)]
    grid = np.arange(side)
    x, y = (np.exp(-((grid - near[:, k, None]) ** 2) / (2 * HEAT_SIGMA**2)) for k in (0, 1))
    spots = np.einsum("ny,nx->nyx", y, x) if len(near) < 30 else None
    heat = spots.max(0, initial=0) if spots is not None else _splat(x, y)
    return np.asarray(heat * 255, np.uint8)


def _splat(x: FloatArray, y: FloatArray) -> FloatArray:
    """The same for many points, one after another."""
    heat = np.zeros((y.shape[1], x.shape[1]))
    for row, col in zip(y, x, strict=True):
        cx, cy = int(col.argmax()), int(row.argmax())
        rows, cols = slice(max(cy - 3, 0), cy + 4), slice(max(cx - 3, 0), cx + 4)
        heat[rows, cols] = np.maximum(heat[rows, cols], np.outer(row[rows], col[cols]))
    return heat


class _View:
    """A camera over a bent sheet: canvas px of board cells."""

    def __init__(self, rng: np.random.Generator, cells: int) -> None:
        side = FINE * SIDE_PX
        self.cell_px = FINE * float(np.exp(rng.uniform(np.log(9), np.log(max(min(330 / cells, 100), 14)))))
        tilt = np.radians(rng.uniform(0, 58) * rng.random() ** 0.7)
        roll = rng.normal(0, 0.2) if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
        way = rng.uniform(0, 2 * np.pi)
        turn = cv2.Rodrigues(np.array([0, 0, roll]))[0]
        lean = cv2.Rodrigues(np.array([np.cos(way), np.sin(way), 0]) * tilt)[0]
        self.turn = lean @ turn
        self.far = cells * rng.uniform(1.3, 4)
        self.middle = np.array([cells / 2, cells / 2])
        free = max(side / 2 - 0.3 * cells * self.cell_px, 0.12 * side)
        self.at = side / 2 + rng.uniform(-1, 1, 2) * free
        self.bend = rng.uniform(0, 0.02) * cells * rng.random()
        self.waves = rng.uniform(0.5, 1.7, 2) * 2 * np.pi / cells
        self.phase = rng.uniform(0, 2 * np.pi, 2)

    def __call__(self, board: FloatArray) -> FloatArray:
        """Canvas px (..., 2) of board cells (..., 2)."""
        flat = board + self.bend * np.sin(board[..., ::-1] * self.waves + self.phase) - self.middle
        space = flat @ self.turn[:, :2].T
        depth = np.maximum(1 + space[..., 2:] / self.far, 0.25)
        return self.at + self.cell_px * space[..., :2] / depth

    def side_px(self, cell: FloatArray) -> float:
        """Mean side of the cell at a board point, canvas px."""
        around = self(cell + np.array([[0, 0], [1, 0], [0, 1]])) - self(cell)
        return float(np.sqrt(abs(np.linalg.det(around[1:]))))


def _draw_board(canvas: Picture, rng: np.random.Generator, drawing: bool) -> tuple[FloatArray, FloatArray]:
    """Draw paper, grid, stickers and writing; crossings and centres, (N, 2) canvas px."""
    kind = rng.random()
    cells = int(rng.integers(3, 8)) if kind < 0.45 else int(rng.integers(3, 21)) if kind < 0.75 else 12
    view = _View(rng, cells)
    paper = _paper(rng, drawing)
    _lay_paper(canvas, rng, view, cells, paper, drawing)
    lines = np.arange(cells + 1.0)
    crossings = np.stack(np.meshgrid(lines, lines), -1)
    if not drawing:
        uneven, wobble = rng.uniform(0, 0.04), rng.uniform(0, 0.025)
        crossings[..., 0] += rng.normal(0, uneven, cells + 1)[None, :]
        crossings[..., 1] += rng.normal(0, uneven, cells + 1)[:, None]
        crossings += rng.normal(0, wobble, crossings.shape)
    _rule(canvas, rng, view, crossings, paper, drawing)
    _write_near(canvas, rng, view, cells, paper)
    centres = (crossings[:-1, :-1] + crossings[:-1, 1:] + crossings[1:, :-1] + crossings[1:, 1:]) / 4
    _fill(canvas, rng, view, centres)
    return view(crossings).reshape(-1, 2), view(centres).reshape(-1, 2)


def _paper(rng: np.random.Generator, drawing: bool) -> FloatArray:
    """A paper's colour, (3,) levels."""
    if drawing:
        return np.array([255.0, 255.0, 255.0])
    kinds = np.array([[250, 250, 247], [245, 238, 218], [214, 207, 192], [186, 148, 106], [200, 202, 205]], np.float64)
    kind = kinds[rng.choice(5, p=[0.4, 0.2, 0.15, 0.13, 0.12])]
    return np.clip(kind * rng.uniform(0.85, 1.03) + rng.normal(0, 5, 3), 0, 255)


def _lay_paper(
    canvas: Picture, rng: np.random.Generator, view: _View, cells: int, paper: FloatArray, drawing: bool
) -> None:
    """The sheet on its ground, squared or lined perhaps, with a frame or the sheet's edge near the grid perhaps."""
    low, high = -rng.uniform(0.15, 0.6, 2) * max(cells, 4), cells + rng.uniform(0.15, 0.6, 2) * max(cells, 4)
    if rng.random() < 0.25:
        low, high = -rng.uniform(0.1, 1.2, 2), cells + rng.uniform(0.1, 1.2, 2)
    if drawing:
        low, high = np.array([-50.0, -50.0]), np.array([50.0, 50.0]) + cells
        canvas[:] = 255
    else:
        t = np.linspace(0, 1, 12)[:, None]
        corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        edge = np.concatenate([corners[k] + t * (corners[(k + 1) % 4] - corners[k]) for k in range(4)])
        _fill_polygon(canvas, view(edge), paper)
    if rng.random() < 0.4 and not drawing:
        _rule_paper(canvas, rng, view, (low, high), paper)
    if rng.random() < 0.12:
        apart = rng.uniform(0.2, 0.8)
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * (cells / 2 + apart) + cells / 2
        _stroke(canvas, view(_dense(box)), rng.uniform(20, 150, 3), int(rng.integers(1, 4)))


def _rule_paper(
    canvas: Picture, rng: np.random.Generator, view: _View, room: tuple[FloatArray, FloatArray], paper: FloatArray
) -> None:
    """Print the lines of squared or lined paper, along the drawn grid or not."""
    (left, top), (right, bottom) = room
    pitch = float(rng.choice([1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6])) if rng.random() < 0.5 else rng.uniform(0.13, 0.6)
    pitch = max(pitch, 2.5 * FINE / view.cell_px)
    tone = paper * (1 - rng.uniform(0.06, 0.3) * rng.uniform(0.4, 1, 3))
    start = 0.0 if rng.random() < 0.5 else rng.uniform(0, pitch)
    for y in np.arange(start + pitch * np.ceil((top - start) / pitch), bottom, pitch):
        _stroke(canvas, view(np.stack([np.linspace(left, right, 6), np.full(6, y)], 1)), tone, 1)
    if rng.random() < 0.7:
        for x in np.arange(start + pitch * np.ceil((left - start) / pitch), right, pitch):
            _stroke(canvas, view(np.stack([np.full(6, x), np.linspace(top, bottom, 6)], 1)), tone, 1)


def _rule(
    canvas: Picture, rng: np.random.Generator, view: _View, crossings: FloatArray, paper: FloatArray, drawing: bool
) -> None:
    """Draw the grid's lines: any pen, pressed unevenly, gone over twice, interrupted, forgotten, too long."""
    dark = rng.uniform(0.15, 1) ** 0.7
    ink = paper * (1 - dark * rng.choice([[0.9, 0.9, 0.9], [0.9, 0.8, 0.4], [0.2, 0.85, 0.85], [0.85, 0.4, 0.7]]))
    wide = int(np.clip(round(rng.gamma(2, 0.03) * view.cell_px), 1, 7))
    shake, gone, broken = rng.uniform(0, 0.02), rng.uniform(0, 0.06), rng.uniform(0, 0.15)
    if drawing:
        shake = gone = broken = 0.0
        ink = np.zeros(3) if rng.random() < 0.7 else ink
    for k, line in enumerate([*crossings, *crossings.transpose(1, 0, 2)]):
        inner = 0 < k % len(crossings) < len(crossings) - 1
        if inner and rng.random() < gone:
            continue
        points = _dense(line)
        points[1:-1] += cv2.blur(rng.normal(0, 2 * shake, points.shape), (1, 5))[1:-1]
        reach = rng.normal(0, 0.04, 2) if not drawing else np.zeros(2)
        points[0] -= reach[0] * (line[1] - line[0])
        points[-1] += reach[1] * (line[-1] - line[-2])
        seen = view(points)
        if rng.random() < broken:
            cut = int(rng.integers(2, len(seen) - 1))
            _stroke(canvas, seen[:cut], ink, wide)
            seen = seen[cut + int(rng.integers(1, 4)) :]
        if len(seen) > 1:
            _stroke(canvas, seen, np.clip(ink + rng.normal(0, 8, 3) * (not drawing), 0, 255), wide)


def _fill(canvas: Picture, rng: np.random.Generator, view: _View, centres: FloatArray) -> None:
    """Stick stickers into cells, some or all."""
    share = float(rng.choice([0.0, rng.uniform(0, 1), 1.0], p=[0.08, 0.67, 0.25]))
    big, off = rng.uniform(0.5, 1.02), rng.uniform(0, 0.1)
    if share == 1:
        big = rng.uniform(0.75, 1.06)
    turn, roundness = rng.uniform(0, 0.35), float(rng.choice([0.0, 0.5, 1.0]))
    stock = _stock(rng)
    patchy = rng.random() < 0.5
    marked = str(rng.choice(["", "letters", "codes"], p=[0.6, 0.2, 0.2]))
    last = stock[0]
    for centre in centres.reshape(-1, 2):
        if rng.random() < share:
            if not patchy or rng.random() < 0.4:
                last = stock[rng.integers(len(stock))]
            at = centre + rng.normal(0, off, 2)
            _stick(canvas, rng, view, at, big, rng.normal(0, turn), rng.random() < roundness, last, marked)


def _stock(rng: np.random.Generator) -> FloatArray:
    """Two to eight colours, most of them strong, (N, 3) levels."""
    hues = rng.uniform(0, 180, int(rng.integers(2, 9)))
    strong = np.stack([hues, rng.uniform(130, 256, len(hues)), rng.uniform(90, 256, len(hues))], -1)
    stock = cv2.cvtColor(strong[None].astype(np.uint8), cv2.COLOR_HSV2RGB)[0].astype(np.float64)
    if rng.random() < 0.5:
        usual = np.array([(200, 32, 42), (244, 205, 40), (42, 148, 74), (34, 84, 172)])
        stock = np.clip(usual + rng.normal(0, 18, (4, 3)), 0, 255)
    return stock


def _stick(
    canvas: Picture, rng: np.random.Generator, view: _View, at: FloatArray, big: float, turn: float, is_round: bool,
    colour: FloatArray, marked: str = "",
) -> None:  # fmt: skip
    """One sticker of side ``big`` cells round a board point, with letters or codes on it perhaps."""
    if is_round:
        angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        shape = np.stack([np.cos(angle), np.sin(angle)], 1) * big / 2
    else:
        c, s = np.cos(turn), np.sin(turn)
        shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[c, s], [-s, c]]) * big / 2
    outline = view(at + shape)
    shade = np.clip(colour * rng.uniform(0.93, 1.05), 0, 255)
    _fill_polygon(canvas, outline, shade)
    if marked:
        _mark(canvas, rng, view, at, turn, big, marked == "letters")


def _mark(
    canvas: Picture, rng: np.random.Generator, view: _View, at: FloatArray, turn: float, big: float, letters: bool
) -> None:
    """A letter's strokes or a printed code on a sticker."""
    half = big * rng.uniform(0.2, 0.3)
    dark = rng.uniform(0, 60, 3)
    if letters:
        ends = at + rng.uniform(-half, half, (int(rng.integers(2, 5)), 2))
        _stroke(canvas, view(ends), dark, max(1, round(half * view.side_px(at) / 4)))
        return
    c, s = np.cos(turn), np.sin(turn)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[c, s], [-s, c]]) * half
    _fill_polygon(canvas, view(at + square), dark)
    light = rng.uniform(110, 255, 3)
    for _ in range(int(rng.integers(1, 4))):
        _fill_polygon(canvas, view(at + rng.uniform(-0.5, 0.5, 2) * half + square * rng.uniform(0.2, 0.45)), light)


def _write_near(canvas: Picture, rng: np.random.Generator, view: _View, cells: int, paper: FloatArray) -> None:
    """Letters, names and underlines round the grid."""
    for _ in range(int(rng.integers(0, 4))):
        way, apart = rng.uniform(0, 2 * np.pi), cells / 2 * 1.15 + rng.uniform(0.3, 1.5)
        toward = np.array([np.cos(way), np.sin(way)])
        at = view(cells / 2 + toward / np.abs(toward).max() * apart)
        text = "".join(rng.choice(list("ABCDEFGHJKLMNPRSTUVXYZ0123456789aeionr"), int(rng.integers(1, 8))))
        size = float(rng.uniform(0.5, 3) * FINE)
        tone = tuple(float(v) for v in paper * rng.uniform(0.1, 0.8))
        place = (int(np.clip(at[0], -2000, 2000)), int(np.clip(at[1], -2000, 2000)))
        cv2.putText(
            canvas, text, place, int(rng.integers(0, 8)), size * 0.6, tone, int(rng.integers(1, 4)), cv2.LINE_AA
        )


def _draw_loose(canvas: Picture, rng: np.random.Generator) -> None:
    """A sheet with stickers and strokes anyhow, and no grid."""
    view = _View(rng, 6)
    paper = _paper(rng, False)
    _lay_paper(canvas, rng, view, 6, paper, False)
    stock = _stock(rng)
    for _ in range(int(rng.integers(0, 20))):
        at = rng.uniform(-2, 8, 2)
        _stick(canvas, rng, view, at, rng.uniform(0.4, 1.2), rng.uniform(0, 6), rng.random() < 0.5, stock[0])
        stock = np.roll(stock, 1, 0)
    for _ in range(int(rng.integers(0, 14))):
        _stroke(canvas, view(rng.uniform(-2, 8, (int(rng.integers(2, 4)), 2))), paper * rng.uniform(0.1, 0.8), 2)
    _write_near(canvas, rng, view, 2, paper)


def _dense(line: FloatArray) -> FloatArray:
    """Points on a polyline (N, 2), four to each piece."""
    t = np.linspace(0, len(line) - 1, 4 * (len(line) - 1) + 1)
    return np.stack([np.interp(t, np.arange(len(line)), line[:, k]) for k in (0, 1)], 1)


def _stroke(canvas: Picture, points: FloatArray, colour: FloatArray, wide: int) -> None:
    """Draw a polyline (N, 2) canvas px."""
    fixed = np.int32(np.clip(points, -3000, 3000) * 16)
    cv2.polylines(canvas, [fixed], False, tuple(map(float, colour)), wide, cv2.LINE_AA, 4)


def _fill_polygon(canvas: Picture, points: FloatArray, colour: FloatArray) -> None:
    """Fill a polygon (N, 2) canvas px."""
    cv2.fillPoly(canvas, [np.int32(np.clip(points, -3000, 3000) * 16)], tuple(map(float, colour)), cv2.LINE_AA, 4)


def _develop(canvas: Picture, rng: np.random.Generator, drawing: bool) -> Picture:
    """Light and shade, something lying on it, blur, noise and JPEG."""
    scene = cv2.resize(canvas, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    if drawing and rng.random() < 0.7:
        return scene
    lit = scene.astype(np.float32)
    if rng.random() < 0.75:
        lit *= _shade(rng)[..., None]
    lit *= (np.exp(rng.normal(0, 0.12, 3)) * rng.uniform(0.35, 1.15)).astype(np.float32)
    if rng.random() < 0.15:
        lit += _glare(rng)[..., None]
    if rng.random() < 0.6:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.12:
        lit = _smear(lit, rng)
    lit += rng.normal(0, rng.gamma(1.5, 2.0), (SIDE_PX, SIDE_PX, 1)).astype(np.float32)
    pixels = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        quality = int(rng.integers(35, 95))
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return np.ascontiguousarray(pixels)


def _shade(rng: np.random.Generator) -> F32Array:
    """Shadows with soft or sharp edges, of leaves or of something large, (SIDE_PX, SIDE_PX)."""
    coarse = rng.uniform(0, 1, (int(rng.integers(2, 12)), int(rng.integers(2, 12)))).astype(np.float32)
    field = cv2.resize(coarse, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)
    least = rng.uniform(0.25, 1)
    shade: F32Array = least + (1 - least) / (1 + np.exp(-(field - rng.uniform(0.3, 0.7)) * rng.uniform(3, 60)))
    return shade.astype(np.float32)


def _glare(rng: np.random.Generator) -> F32Array:
    """A bright spot, (SIDE_PX, SIDE_PX) levels."""
    x, y = np.meshgrid(np.arange(SIDE_PX), np.arange(SIDE_PX))
    at, reach = rng.uniform(0, SIDE_PX, 2), rng.uniform(15, 90)
    spot: F32Array = (rng.uniform(40, 200) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / reach**2)).astype(
        np.float32
    )
    return spot


def _smear(lit: F32Array, rng: np.random.Generator) -> F32Array:
    """Motion blur of up to five px."""
    kernel = np.zeros((7, 7), np.float32)
    way, reach = rng.uniform(0, np.pi), rng.uniform(1, 2.5)
    for t in np.linspace(-reach, reach, 15):
        kernel[round(3 + t * np.sin(way)), round(3 + t * np.cos(way))] += 1
    return np.asarray(cv2.filter2D(lit, -1, kernel / kernel.sum()), np.float32)
