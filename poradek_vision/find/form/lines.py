"""A grid's lines looked at once more: are there any where nothing covers them, and do they end at its border."""

from __future__ import annotations

import cv2
import numpy as np

from poradek_vision.find.form.laid import BORDER_PX, BoolArray, Laid

_LONG = (0.2, 0.8)
"""The part of a cell's side along which its line is looked at."""
_ABOVE, _LEAST = 1.5, 0.02
"""Ink on a line, in those of the middle of the cells beside it, and what it has more at least, as a share of light."""


def run_on(board: Laid, empty: BoolArray, share: float) -> tuple[float, float, float, float]:
    """Share of the lines' ends at the top, left, bottom and right that go on beyond the border.

    Of all ends, or of those beside which no sticker lies, whichever is more: stickers may cover lines. What a hand drew
    a little too long does not go on.

    Parameters
    ----------
    board : Laid
    empty : ndarray of shape (rows, cols), bool
    share : float
        Ink of a line that goes on, in that of lines within the grid.
    """
    shares = []
    for turns in range(4):
        ink, seen = np.rot90(board.ink, -turns), np.rot90(board.seen, -turns)
        count = (ink.shape[1] - 2 * board.margin_px) // board.px
        lines = board.margin_px + board.px * np.arange(count + 1)
        near = np.asarray(cv2.dilate(ink, np.ones((1, 2 * BORDER_PX + 1), np.uint8)))
        within = near[board.margin_px : -board.margin_px, lines].reshape(-1, board.px, len(lines)).mean(1)
        outside = slice(0, board.margin_px - BORDER_PX)
        far, close = np.array_split(near[outside], 2)
        beyond, plain = (
            np.minimum(far[:, at].mean(0), close[:, at].mean(0)) for at in (lines, lines[:-1] + board.px // 2)
        )
        least = max(share * float(np.percentile(within, 60)), _ABOVE * float(np.median(plain)) + _LEAST)
        bare = np.pad(np.rot90(empty, -turns)[0], 1, constant_values=True)
        there = seen[outside, lines].all(0)
        ends = [which for which in (there, there & bare[1:] & bare[:-1]) if which.sum() > 1]
        shares.append(max((float((beyond > least)[which].mean()) for which in ends), default=0.0))
    return shares[0], shares[1], shares[2], shares[3]


def drawn(board: Laid, empty: BoolArray) -> float:
    """Share of the cells' sides beside which nothing is stuck along which a line is seen; 1 where there are none.

    Parameters
    ----------
    board : Laid
    empty : ndarray of shape (rows, cols), bool
    """
    seen = []
    for turns in (0, 1):
        near = np.asarray(cv2.dilate(np.rot90(board.ink, turns), np.ones((2 * BORDER_PX + 1, 1), np.uint8)))
        inner, bare = near[:, board.margin_px : -board.margin_px], np.rot90(empty, turns)
        first, last = (round(share * board.px) for share in _LONG)
        along = inner.reshape(len(near), -1, board.px)[..., first:last].mean(2)
        sides = along[board.margin_px :: board.px][: len(bare) + 1]
        middles = np.pad(along[board.margin_px + board.px // 2 :: board.px][: len(bare)], ((1, 1), (0, 0)), "edge")
        clear = np.pad(bare, ((1, 1), (0, 0)), constant_values=True)
        plain = (middles[1:] + middles[:-1]) / 2
        seen.append((sides > _ABOVE * plain + _LEAST)[clear[1:] & clear[:-1]])
    all_seen = np.concatenate(seen)
    return float(all_seen.mean()) if all_seen.size else 1.0
