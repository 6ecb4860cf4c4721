"""The debug picture of a photo without a board: what was seen of one, and why that was not enough."""

from __future__ import annotations

import poradek_vision.overlay.pen as pen
from poradek_vision.model import Failure, Game, Photo
from poradek_vision.overlay.legend import EDGE
from poradek_vision.overlay.paragraphs import Paragraph, height_of, paragraph, write_paragraphs
from poradek_vision.overlay.pen import Picture
from poradek_vision.overlay.views import whole
from poradek_vision.texts import say, say_text

LONGER_SIDE = 1200
_LEAST_WIDTH = 900
"""Room for words above a slim photo, px."""


def paint_failure(photo: Photo, failure: Failure, game: Game) -> Picture:
    """Paint the whole photo with what was seen so far outlined and numbered, and the reason above it.

    Parameters
    ----------
    photo : Photo
    failure : Failure
    game : Game
        Its language.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8
        RGB; the photo's longer side is 1200 px in it.
    """
    view = whole(photo, LONGER_SIDE, LONGER_SIDE)
    width, height = view.size
    across = max(_LEAST_WIDTH, width + 2 * EDGE)
    head = _head_lines(failure, game, across - 2 * EDGE)
    top = height_of(head) + 2 * EDGE
    picture = pen.blank(across, top + height + EDGE)
    write_paragraphs(picture, head, EDGE, EDGE)
    left = (across - width) // 2
    pane = picture[top : top + height, left : left + width]
    view.paint(photo, pane)
    quads = [view.place(photo, quad) for quad in failure.seen]
    pen.lines(pane, quads, True, pen.FOUND, 3)
    for k, quad in enumerate(quads):
        pen.centred(pane, f"{k + 1}", quad.mean(0), 26, pen.FOUND)
    return picture


def _head_lines(failure: Failure, game: Game, width: int) -> tuple[Paragraph, ...]:
    """The photo's name, the reason, and what the outlines are."""
    reason = say_text(failure.reason, game.language)
    seen = [say("overlay.seen", game.language, count=len(failure.seen))] if failure.seen else []
    return (
        paragraph([failure.photo], width, 26, pen.INK, bold=True),
        paragraph([reason], width, 21, pen.DOUBT),
        paragraph(seen, width, 17, pen.FAINT),
    )
