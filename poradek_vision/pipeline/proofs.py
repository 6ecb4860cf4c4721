"""The printed proof: each board that counts, cut out of its photo again, beside what was read."""

from __future__ import annotations

import logging

from poradek_vision.errors import PhotoError
from poradek_vision.files import PhotoFile, load_photo
from poradek_vision.model import BoardReading
from poradek_vision.overlay import encode_jpeg, whole_board
from poradek_vision.pipeline.remarks import remarks
from poradek_vision.pipeline.review import Review
from poradek_vision.printing import Proof, draw_proofs
from poradek_vision.settle import readings_by_row

_log = logging.getLogger(__name__)

_CELL_PX = 48
"""About 170 dots per inch on paper."""


def prove(review: Review) -> bytes:
    """A PDF with the table and a page per team: each board, the grid as it was read, its points run by run.

    Parameters
    ----------
    review : Review
        Photos that can't be opened by now leave their places empty.
    """
    scored = review.scored
    reading_of = readings_by_row(scored.readings, scored.settlement)
    rows = [row for row in scored.settlement.ledger if row.board]
    pictures = _pictures(review, [reading for row in rows if (reading := reading_of.get(id(row)))])
    proofs = [
        Proof(row, score, pictures.get(id(reading_of.get(id(row))), b""))
        for row, score in zip(rows, scored.results.boards, strict=True)
    ]
    return draw_proofs(review.game, scored.results, proofs, remarks(scored, review.game))


def _pictures(review: Review, readings: list[BoardReading]) -> dict[int, bytes]:
    """Boards laid flat as JPEG, by the identity of their readings; photos are opened one at a time."""
    wanted: dict[str, list[BoardReading]] = {}
    for reading in readings:
        wanted.setdefault(reading.photo, []).append(reading)
    pictures: dict[int, bytes] = {}
    for file in (file for file in review.batch.photos if file.name in wanted):
        pictures |= _laid_flat(file, wanted[file.name])
    return pictures


def _laid_flat(file: PhotoFile, readings: list[BoardReading]) -> dict[int, bytes]:
    """The boards of one photo; none where it is gone or another one by now."""
    try:
        photo = load_photo(file)
    except PhotoError as error:
        _log.warning("%s", error)
        return {}
    return {
        id(reading): encode_jpeg(whole_board(photo, reading.grid, _CELL_PX, 0.0))
        for reading in readings
        if reading.sha256 == photo.sha256
    }
