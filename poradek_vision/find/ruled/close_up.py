"""A board's lines followed in a close-up of it, and its record in pixels of the photo's file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poradek_vision.find.ruled.candidates import Candidate, RuledSettings
from poradek_vision.find.ruled.choice import worth_of
from poradek_vision.find.ruled.doubts import is_doubtful, unsure_cells
from poradek_vision.find.ruled.evidence import Evidence, gather
from poradek_vision.find.ruled.facing import upright, upright_cells
from poradek_vision.find.ruled.looks import look, pen_px
from poradek_vision.find.ruled.refine import Mesh, fine_mesh, follow
from poradek_vision.find.ruled.seeds import sample
from poradek_vision.find.turning import marked_cells
from poradek_vision.geometry import FloatArray, fit_homography, plain_matrix, plain_points
from poradek_vision.model import Flag, GridFit, Photo


def grid_of(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> GridFit | None:
    """Follow a board's lines.

    Parameters
    ----------
    photo : Photo
    evidence : Evidence
        In which the board was seen.
    candidate : Candidate
    settings : RuledSettings

    Returns
    -------
    GridFit or None
        Its record in file px; None where its lines lead away from it.
    """
    window = candidate.choice.window
    corner, size = np.array([window[0], window[2]], np.float64), window[1] - window[0]
    closer = _close_up(photo, evidence, candidate, settings)

    def place(board: FloatArray) -> FloatArray:
        return closer.work_px(evidence.decoded_px(candidate.lattice(board + corner)))

    ruling = follow(closer, place, size, settings.hold if candidate.vouched else 0.0)
    lines = np.arange(size + 1.0)
    board = np.stack(np.meshgrid(lines, lines), -1)
    away = np.hypot(*np.moveaxis(ruling.crossings - place(board), -1, 0))
    if not away.max() < _LOST * settings.follow_cell_px:
        return None
    work = upright(ruling.crossings)
    crossings = file_px(work, closer, photo)
    side_px = float(np.median(np.hypot(*np.moveaxis(np.diff(crossings, axis=1), -1, 0))))
    flags = []
    ends = np.array(photo.pixels.shape[1::-1]) - 0.5
    if np.any(closer.decoded_px(work) < -0.5) or np.any(closer.decoded_px(work) > ends):
        flags.append(Flag.CROPPED)
    if candidate.worth < settings.doubt_worth and candidate.choice.lead > settings.sure_lead:
        candidate = replace(candidate, closer_worth=worth_of(closer, fine_mesh(Mesh(ruling.crossings), size), size))
    doubtful = is_doubtful(candidate, ruling, settings)
    if doubtful:
        flags.append(Flag.GRID_UNCERTAIN)
    unsure = upright_cells(unsure_cells(candidate, ruling, settings), ruling.crossings)
    return GridFit(
        rows=size,
        cols=size,
        photo_from_board=plain_matrix(fit_homography(board.reshape(-1, 2), crossings.reshape(-1, 2))),
        crossings=tuple(plain_points(line) for line in crossings),
        error_px=ruling.error_cells * side_px,
        how="ruled",
        flags=tuple(flags),
        unsure=() if doubtful else marked_cells(unsure),
    )


_LOST = 5.0
"""So far from where a lattice has them crossings are those of no board, cells: where a board's corner bends away they
were up to 1.2 off, and right."""


def _close_up(photo: Photo, evidence: Evidence, candidate: Candidate, settings: RuledSettings) -> Evidence:
    """The evidence around a candidate, at a scale at which its cells have the same size in every photo fine enough."""
    quad = evidence.decoded_px(candidate.quad)
    margin = settings.follow_margin_cells * candidate.cell_px / evidence.scale
    room = np.array(photo.pixels.shape[1::-1])
    low = np.clip(quad.min(0) - margin, 0, room - 8).astype(int)
    high = np.clip(quad.max(0) + margin, low + 8, room).astype(int)
    scale = settings.follow_cell_px * evidence.scale / candidate.cell_px
    scale = min(scale, max(settings.follow_enlarged, evidence.scale))
    scale = min(
        scale,
        evidence.scale
        * settings.follow_pen_px
        / max(pen_px(evidence, candidate.lattice, candidate.choice.window), 1.0),
    )
    return gather(
        photo.pixels,
        int(np.prod((high - low) * scale)),
        (*low.tolist(), *high.tolist()),
        _paper(photo, evidence, candidate),
        white_print=evidence.white_print,
    )


def _paper(photo: Photo, evidence: Evidence, candidate: Candidate) -> FloatArray | None:
    """Colour of the paper beside the lines that are seen best, (3,) levels; None where stickers leave too little."""
    seen = look(evidence, candidate.lattice, candidate.choice.window, _LINE_REACH)
    clear = seen.ink >= np.percentile(seen.ink, _SEEN_WELL)
    beside = (seen.points + (seen.shift + _BESIDE_LINE * seen.cell_px)[..., None] * seen.normal)[clear]
    bare = beside[sample(evidence.stickers, beside[:, None])[:, 0] < _COVERED]
    if len(bare) < _LEAST_BARE:
        return None
    x, y = np.round(evidence.decoded_px(bare)).astype(np.intp).T
    height, width = photo.pixels.shape[:2]
    colours = photo.pixels[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float64) + 1
    paper: FloatArray = np.exp(np.median(np.log(colours), axis=0))
    return paper


_LINE_REACH, _BESIDE_LINE = 0.15, 0.13
"""Where lines are looked for round their places, and how far beside them there is paper, cells."""
_COVERED, _LEAST_BARE = 0.1, 12
"""Share of a sticker from which a place is no paper, and places whose median is its colour."""
_SEEN_WELL = 60.0
"""Per cent of the samples of lines that are fainter than those beside which the paper is looked at."""


def file_px(work: FloatArray, evidence: Evidence, photo: Photo) -> FloatArray:
    """Work pixels as pixels of the photo's file."""
    return (evidence.decoded_px(work) + 0.5) / photo.scale - 0.5
