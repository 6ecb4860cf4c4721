"""What each team can be credited with on the no man's land, whatever its open cells hold.

An open cell may hold any colour of the game or nothing, stuck by any team or by nobody known; one with only its owner
open keeps its colour. Names used here and in the code:

- A *region* is a connected patch of cells that hold a colour or may hold it. Whatever the open cells hold, each merged
  shape lies inside one region of its colour. (Regions of a single cell score nothing and are left out.)
- A *core* is a connected patch, inside a region, of cells that surely hold its colour. Whatever the open cells hold,
  it stays inside one merged shape.
- Regions that share an open cell form a *knot*; what the knots are worth adds up.

A knot with few readings is tried out in every way, which is exact. In a large one, note that a standing (points and
stickers) grows with the team's stickers, and that ``award`` never gives a team less for a higher standing of its own
or a lower one of another. So, for a team in a region:

- its *highest* standing is the one with every open cell of the region its own, its *lowest* in a core the one without
  any open cell; in any reading its standing in the merged shape round the core lies between;
- *best*: a segment that scores for it touches only cores in which it is awarded a part even at its highest standing
  and all others' lowest in the core; the least of these parts bounds its part. Each segment that may score counts once;
- *worst*: in a core its part is at least the one at its lowest standing and all others' highest, and the merged shape
  is worth at least the core.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from poradek_vision.game.bounds import BUDGET, merge_overlapping
from poradek_vision.game.no_mans_land import Standing, award, merged_shape, patches, standing
from poradek_vision.game.runs import Cell, score_cells, segments
from poradek_vision.model import EMPTY, Board, OpenCell, Rules

UNSEEN = "\0"
"""A team that may exist where no list of teams is known."""


_PerTeam = dict[str, Fraction]
_Segment = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class _Land:
    """A no man's land and what may be in it: ``sure`` holds the cells whose colour is closed."""

    sure: Mapping[Cell, str]
    owner: Mapping[Cell, str]
    open: Mapping[Cell, OpenCell]
    codes: tuple[str, ...]
    teams: tuple[str, ...]
    rules: Rules

    def owners_of(self, cell: Cell) -> tuple[str, ...]:
        """Who may have stuck the sticker in a cell."""
        return (*self.teams, "") if cell in self.open and self.open[cell].owner else (self.owner[cell],)

    def may_hold(self, cell: Cell, colour: str) -> bool:
        """Whether a cell may hold a colour."""
        return self.sure.get(cell) == colour or (cell in self.open and self.open[cell].colour)


@dataclass(frozen=True, slots=True)
class _Region:
    """Connected cells that hold a colour or may hold it, and the cores in it."""

    colour: str
    cells: frozenset[Cell]
    cores: tuple[frozenset[Cell], ...]


@dataclass(frozen=True, slots=True)
class _Limits:
    """What standings can be in a region: of each team in all of it, of each team in each core.

    ``touched`` pairs each segment of the region with the cores that it touches.
    """

    highest: dict[str, Standing]
    lowest: dict[frozenset[Cell], dict[str, Standing]]
    touched: list[tuple[_Segment, set[frozenset[Cell]]]]


def land_bounds(
    board: Board, codes: Sequence[str], teams: Sequence[str], rules: Rules
) -> dict[str, tuple[float, float]]:
    """Bound what each team is credited with over all readings of the open cells.

    Parameters
    ----------
    board : Board
        The no man's land.
    codes : sequence of str
        The colours of the game.
    teams : sequence of str
        Who may own a sticker whose owner is open; include ``UNSEEN`` where no list of teams is known.
    rules : Rules

    Returns
    -------
    dict of str to (float, float)
        For each of ``teams``: the least and the most. Exact where each knot has few readings or a single open cell.

    Examples
    --------
    >>> board = Board(None, 2, ("RR", ".."), (("a", "a"), ("", "")), open=(OpenCell(0, 1, colour=False),))
    >>> land_bounds(board, "RY", ["a", "b"], Rules())
    {'a': (0.0, 1.0), 'b': (0.0, 0.0)}
    """
    land = _survey(board, codes, teams, rules)
    low = dict.fromkeys(teams, Fraction(0))
    high = dict.fromkeys(teams, Fraction(0))
    for knot in _knots(land):
        worst, best = _knot_bounds(tuple(knot), _held_in(knot, land), land.teams, rules)
        for team in teams:
            low[team] += worst.get(team, 0)
            high[team] += best.get(team, 0)
    return {team: (float(low[team]), float(high[team])) for team in teams}


def _survey(board: Board, codes: Sequence[str], teams: Sequence[str], rules: Rules) -> _Land:
    """Sort a board's cells into sure and open ones."""
    doubt = {(cell.row, cell.col): cell for cell in board.open}
    sure: dict[Cell, str] = {}
    owner: dict[Cell, str] = {}
    for row, col in itertools.product(range(board.size), repeat=2):
        cell = (row, col)
        owner[cell] = board.owners[row][col] if board.owners else ""
        if board.rows[row][col] != EMPTY and not (cell in doubt and doubt[cell].colour):
            sure[cell] = board.rows[row][col]
    colours = tuple(dict.fromkeys((*codes, *sure.values())))
    return _Land(sure, owner, doubt, colours, tuple(teams), rules)


def _knots(land: _Land) -> Iterator[list[_Region]]:
    """Regions, grouped by the open cells that they share."""
    regions = [
        _Region(colour, frozenset(patch), tuple(map(frozenset, patches(patch & held, land.rules.contact))))
        for colour in land.codes
        for held in [{cell for cell, code in land.sure.items() if code == colour}]
        for patch in patches({cell for cell in land.owner if land.may_hold(cell, colour)}, land.rules.contact)
        if len(patch) > 1
    ]
    for cells in merge_overlapping(region.cells for region in regions):
        yield [region for region in regions if region.cells <= cells]


_Held = tuple[tuple[Cell, str | None, str, OpenCell | None], ...]
"""Cells with their sure colour, their owner as read, and what is open in them."""


def _held_in(knot: list[_Region], land: _Land) -> _Held:
    """What the cells of a knot hold: all that its bounds depend on."""
    cells = sorted(frozenset().union(*(region.cells for region in knot)))
    return tuple((cell, land.sure.get(cell), land.owner[cell], land.open.get(cell)) for cell in cells)


@functools.lru_cache(maxsize=1 << 12)
def _knot_bounds(
    knot: tuple[_Region, ...], held: _Held, teams: tuple[str, ...], rules: Rules
) -> tuple[_PerTeam, _PerTeam]:
    """The least and the most for each team in a knot; remembered, since a person settles one cell at a time.

    Teams without a sure sticker in the knot are alike, and at most one of them for each open cell can have any: so
    many are tried, and the others do as well as they.
    """
    inside = {owner for _, _, owner, doubt in held if not (doubt and doubt.owner)}
    unsure = {cell: doubt for cell, _, _, doubt in held if doubt}
    alike = [team for team in teams if team not in inside]
    tried = (*(team for team in teams if team in inside), *alike[: len(unsure)])
    sure = {cell: colour for cell, colour, _, _ in held if colour}
    land = _Land(sure, {cell: owner for cell, _, owner, _ in held}, unsure, (), tried, rules)
    worst, best = _try_out(knot, land) if _is_small(knot, land) else _estimate(knot, land)
    for team in alike[len(unsure) :] if unsure else ():
        worst[team], best[team] = worst.get(alike[0], Fraction(0)), best.get(alike[0], Fraction(0))
    return worst, best


def _options(knot: Sequence[_Region], land: _Land) -> dict[Cell, list[tuple[str, str]]]:
    """What each open cell of a knot may hold, as (colour, owner); colours without a neighbour count as empty."""
    options: dict[Cell, list[tuple[str, str]]] = {}
    for region in knot:
        for cell in sorted(region.cells & land.open.keys()):
            here = options.setdefault(cell, [] if cell in land.sure else [(EMPTY, "")])
            here.extend((region.colour, owner) for owner in land.owners_of(cell))
    return options


def _is_small(knot: Sequence[_Region], land: _Land) -> bool:
    """Whether a knot can be tried out: a single open cell always can."""
    options = _options(knot, land)
    work = sum(len(region.cells) for region in knot)
    for choices in options.values():
        work *= len(choices)
    return len(options) < 2 or work <= BUDGET


def _try_out(knot: Sequence[_Region], land: _Land) -> tuple[_PerTeam, _PerTeam]:
    """The least and the most for each team over every reading of a knot."""
    options = _options(knot, land)
    readings = [_credited(knot, land, dict(zip(options, r, strict=True))) for r in itertools.product(*options.values())]
    credited = frozenset().union(*readings)
    return (
        {team: min(credit.get(team, Fraction(0)) for credit in readings) for team in credited},
        {team: max(credit.get(team, Fraction(0)) for credit in readings) for team in credited},
    )


def _credited(knot: Sequence[_Region], land: _Land, reading: Mapping[Cell, tuple[str, str]]) -> _PerTeam:
    """What each team is credited with in a knot under one reading of its open cells."""
    credit: _PerTeam = {}
    for region in knot:
        stickers = {cell: reading.get(cell, (region.colour, land.owner[cell])) for cell in region.cells}
        held = {cell for cell, (colour, _) in stickers.items() if colour == region.colour}
        for patch in patches(held, land.rules.contact):
            shape = merged_shape(region.colour, {cell: stickers[cell][1] for cell in patch}, land.rules)
            for team, points in shape.awarded:
                credit[team] = credit.get(team, Fraction(0)) + Fraction(points)
    return credit


def _estimate(knot: Sequence[_Region], land: _Land) -> tuple[_PerTeam, _PerTeam]:
    """A sound lower and upper bound for each team in a knot."""
    low = dict.fromkeys(land.teams, Fraction(0))
    ceilings: dict[str, dict[_Segment, Fraction]] = {team: {} for team in land.teams}
    for region in knot:
        limits = _limits(region, land)
        for team, own in limits.highest.items():
            low[team] += _worst(team, limits, land)
            parts = _best_parts(team, own, limits, land)
            ceiling = ceilings[team]
            for segment, cores in limits.touched:
                part = min((parts[core] for core in cores), default=Fraction(1))
                ceiling[segment] = max(part, ceiling.get(segment, part))
    return low, {team: sum(ceiling.values(), Fraction(0)) for team, ceiling in ceilings.items()}


def _limits(region: _Region, land: _Land) -> _Limits:
    """Work out a region's standings at their highest and lowest."""
    highest = {team: _highest(region, team, land) for team in land.teams}
    core_of = {cell: core for core in region.cores for cell in core}
    return _Limits(
        highest={team: own for team, own in highest.items() if own.stickers},
        lowest={core: _lowest(core, land) for core in region.cores},
        touched=[(seg, {core_of[cell] for cell in seg if cell in core_of}) for seg in segments(region.cells)],
    )


def _worst(team: str, limits: _Limits, land: _Land) -> Fraction:
    """The least that a team is credited with in a region."""
    total = Fraction(0)
    for core, lowest in limits.lowest.items():
        if team in lowest:
            part = award({**limits.highest, team: lowest[team]}, land.rules.tie).get(team, Fraction(0))
            total += part * score_cells(core)
    return total


def _best_parts(team: str, own: Standing, limits: _Limits, land: _Land) -> dict[frozenset[Cell], Fraction]:
    """The largest part that a team can get of the merged shape round each core."""
    return {
        core: award({**lowest, team: own}, land.rules.tie).get(team, Fraction(0))
        for core, lowest in limits.lowest.items()
    }


def _highest(region: _Region, team: str, land: _Land) -> Standing:
    """A team's standing in a region with every open cell its own."""
    own = {cell for cell in region.cells if team in land.owners_of(cell)}
    return standing(own, land.rules.contact)


def _lowest(core: frozenset[Cell], land: _Land) -> dict[str, Standing]:
    """Each team's standing in a core without any open cell, where it has a sticker."""
    own: dict[str, set[Cell]] = {}
    for cell in core:
        owners = land.owners_of(cell)
        if len(owners) == 1 and owners[0]:
            own.setdefault(owners[0], set()).add(cell)
    return {team: standing(cells, land.rules.contact) for team, cells in own.items()}
