"""What seeing says about a photo: readings of boards, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poradek_vision.model.flags import Flag
from poradek_vision.model.photos import GridFit
from poradek_vision.model.plane import Point
from poradek_vision.model.text import Text


@dataclass(frozen=True, slots=True)
class CellReading:
    """What the machine saw in one cell.

    ``colour`` is a code or ``"."``; ``owner`` a team's name, ``""`` unknown or not asked; ``margin`` the
    difference of delta E between the two best explanations; ``second`` the runner-up's code;
    ``confidence`` the measured share of such cells that are right; a cell with a flag is open.
    """

    row: int
    col: int
    colour: str
    owner: str = ""
    margin: float = 0.0
    second: str = ""
    confidence: float = 0.0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkReading:
    """Whose board it is: the team's name (``""`` unknown), how that was found, and doubts.

    ``how`` is one of ``"fiducial"``, ``"mark"``, ``"file name"``, ``"elimination"``, ``"correction"``, ``""``.
    ``scores`` pairs each team of the game with how well it explains what is written, in nats, where a mark was read.
    """

    team: str
    how: str
    margin: float = 0.0
    flags: tuple[Flag, ...] = ()
    scores: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class BoardReading:
    """All that seeing knows about one board in one photo. Cache, debug pictures and review start from it."""

    photo: str
    sha256: str
    index: int
    grid: GridFit
    mark: MarkReading
    palette: str
    cells: tuple[CellReading, ...]
    flags: tuple[Flag, ...] = ()


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
