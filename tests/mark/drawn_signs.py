"""Signs that are no character as pen strokes, each in a box about one unit high round the origin, y down."""

import numpy as np


def _arc(radius, begin=0.0, end=2 * np.pi, middle=(0.0, 0.0)):
    """A part of a circle, or all of it, angles in radians clockwise from the right."""
    turn = np.linspace(begin, end, 40)
    return np.stack([np.cos(turn), np.sin(turn)], 1) * radius + middle


def _line(text):
    """A line through points such as ``-5 0``, in tenths."""
    return np.array([[float(each) for each in point.split()] for point in text.split(",")]) / 10


def _heart():
    t = np.linspace(0, 2 * np.pi, 60)
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.stack([16 * np.sin(t) ** 3, -y], 1) / 34


_STAR = np.arange(11) * np.pi / 5 - np.pi / 2
SIGNS = {
    "heart": [_heart()],
    "star": [np.stack([np.cos(_STAR), np.sin(_STAR)], 1) * np.where(np.arange(11) % 2, 0.22, 0.5)[:, None]],
    "smiley": [_arc(0.5), _line("-1.8 -2, -1.8 -1"), _line("1.8 -2, 1.8 -1"), _arc(0.25, 0.3, np.pi - 0.3)],
    "flower": [_arc(0.15), *(_arc(0.17, middle=(0.3 * np.cos(t), 0.3 * np.sin(t))) for t in np.arange(5) * 1.2566)],
    "house": [_line("-4 -1, -4 5, 4 5, 4 -1, -4 -1, 0 -5, 4 -1")],
    "crown": [_line("-4.5 4, -5 -3, -2.2 .5, 0 -4.5, 2.2 .5, 5 -3, 4.5 4, -4.5 4")],
    "arrow": [_line("-5 0, 5 0"), _line("2 -2.5, 5 0, 2 2.5")],
    "arrow up": [_line("0 5, 0 -5"), _line("-2.5 -2, 0 -5, 2.5 -2")],
    "tree": [_line("0 -5, 3.5 2, -3.5 2, 0 -5"), _line("0 2, 0 5")],
    "triangle": [_line("0 -5, 5 4, -5 4, 0 -5")],
    "square": [_line("-4 -4, 4 -4, 4 4, -4 4, -4 -4")],
}
