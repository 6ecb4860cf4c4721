"""What seeing says about a photo: readings of boards, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poradek_vision.model.flags import Flag
from poradek_vision.model.palettes import Lab
from poradek_vision.model.photos import GridFit
from poradek_vision.model.plane import Point
from poradek_vision.model.text import Text


@dataclass(frozen=True, slots=True)
class CellReading:
    """What the machine saw in one cell.

    ``colour`` is a code or ``"."``; ``owner`` a team's name, ``""`` unknown or not asked; ``margin`` the
    difference of delta E between the two best explanations; ``second`` the runner-up's code;
    ``confidence`` the measured share of such cells that are right; a cell with a flag is open.
    ``lab`` is the mean of what shows its colour, None on an empty cell and where light has clipped;
    ``by_batch`` says that the other boards of the batch decided it, which no photo does by itself.
    """

    row: int
    col: int
    colour: str
    owner: str = ""
    margin: float = 0.0
    second: str = ""
    confidence: float = 0.0
    flags: tuple[Flag, ...] = ()
    lab: Lab | None = None
    by_batch: bool = False


@dataclass(frozen=True, slots=True)
class MarkReading:
    """Whose board it is: the team's name (``""`` unknown), how that was found, and doubts.

    ``how`` is one of ``"fiducial"``, ``"mark"``, ``"file name"``, ``"elimination"``, ``""``.
    ``scores`` pairs each team of the game with how well it explains what is written, in nats, where a mark was read.
    """

    team: str
    how: str
    margin: float = 0.0
    flags: tuple[Flag, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardLook:
    """What light does to the colours of one board in its photo.

    Attributes
    ----------
    light : (float, float, float)
        White paper on the board, linear RGB, 0-1.
    paper : (float, float, float)
        The paper's own reflectance against white paper.
    key : tuple of (code, Lab)
        The boxes of the colour key that show their colour.
    """

    light: tuple[float, float, float]
    paper: tuple[float, float, float]
    key: tuple[tuple[str, Lab], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardReading:
    """All that seeing knows about one board in one photo. Cache, debug pictures and review start from it.

    ``camera`` is what the photo says of it, ``palette`` whose palette was used; ``look`` is None where no cell was
    judged by its colour.
    """

    photo: str
    sha256: str
    index: int
    grid: GridFit
    mark: MarkReading
    palette: str
    cells: tuple[CellReading, ...]
    flags: tuple[Flag, ...] = ()
    camera: str = ""
    look: BoardLook | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A photo from which no board could be read, and what to do about it.

    ``status`` is ``"unreadable"`` (not a usable picture) or ``"not_found"`` (no board in it) or ``"card"`` (a
    calibration card, which has no board by design); ``seen`` holds quads of what was found so far, in file pixels.
    """

    photo: str
    sha256: str
    status: Literal["unreadable", "not_found", "card"]
    reason: Text
    seen: tuple[tuple[Point, ...], ...] = ()


Outcome = tuple[BoardReading, ...] | Failure
"""What reading one photo comes to: its boards, one at least, or why there is none."""


def photo_of(outcome: Outcome) -> tuple[str, str]:
    """The photo of an outcome: its name, and its content, which is empty where its file can't be opened."""
    first = outcome if isinstance(outcome, Failure) else outcome[0]
    return first.photo, first.sha256
