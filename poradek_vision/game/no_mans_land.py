"""The no man's land: patches of one colour by several teams merge, and the strongest team takes the whole.

A *shape* is a connected patch of one colour by one team, a *merged shape* a connected patch of one colour by
whomever. A sticker whose owner is unknown (``""``) belongs to the merged shape and strengthens nobody. The points of
either are counted on its own cells alone: under ``contact = "edge"`` a diagonal across two shapes counts in neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from poradek_vision.game.runs import Cell, cells_by_colour, score_cells
from poradek_vision.model import Contact, MergedShape, Rules, Tie, natural_key

_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
_CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True, slots=True)
class Standing:
    """A team's strength in a merged shape: the points of its own shapes, and its stickers."""

    points: int
    stickers: int


def merged_shapes(
    rows: Sequence[str], owners: Sequence[Sequence[str]], rules: Rules | None = None
) -> tuple[MergedShape, ...]:
    """Find the merged shapes of a no man's land and award them.

    A shape of one team alone is that team's, whatever its points; one in which no owner is known goes to nobody,
    and is no tie.

    Parameters
    ----------
    rows : sequence of str
        Colour codes, ``"."`` empty.
    owners : sequence of sequences of str
        Team names, ``""`` unknown; empty when none is known.
    rules : Rules, optional
        What counts as contact, and what becomes of a tie.

    Returns
    -------
    tuple of MergedShape
        In the order of their first cells, row by row.

    Raises
    ------
    ValueError
        If the rows differ in length.

    Examples
    --------
    >>> [shape] = merged_shapes(["RRR"], [["a", "a", "b"]])
    >>> shape.points_by_team, shape.points, shape.awarded
    ((('a', 1), ('b', 0)), 3, (('a', 3.0),))
    """
    rules = rules or Rules()
    shapes = [
        merged_shape(colour, {cell: owners[cell[0]][cell[1]] if owners else "" for cell in patch}, rules)
        for colour, cells in cells_by_colour(rows).items()
        for patch in patches(cells, rules.contact)
    ]
    return tuple(sorted(shapes, key=lambda shape: shape.cells))


def credit_by_team(shapes: Iterable[MergedShape]) -> dict[str, float]:
    """What each team in some merged shapes is credited with altogether, in name order.

    Examples
    --------
    >>> credit_by_team(merged_shapes(["RRR"], [["a", "a", "b"]]))
    {'a': 3.0, 'b': 0.0}
    """
    shapes = tuple(shapes)
    teams = {team for shape in shapes for team, _ in shape.points_by_team}
    credit = dict.fromkeys(sorted(teams, key=natural_key), 0.0)
    for shape in shapes:
        for team, points in shape.awarded:
            credit[team] += points
    return credit


def exact(points: float) -> float:
    """Points without the noise of adding thirds, so that equal totals are equal.

    Examples
    --------
    >>> exact(0.1 + 0.2) == exact(0.3)
    True
    """
    return round(points, _DECIMALS)


_DECIMALS = 9


def merged_shape(colour: str, owners: Mapping[Cell, str], rules: Rules) -> MergedShape:
    """Award one merged shape.

    Parameters
    ----------
    colour : str
    owners : mapping of cell to str
        The owner of each sticker of the shape, ``""`` unknown.
    rules : Rules
    """
    points = score_cells(owners.keys())
    standings = _standings(owners, rules.contact)
    parts = award(standings, rules.tie)
    best = max((standing.points for standing in standings.values()), default=0)
    return MergedShape(
        colour=colour,
        cells=tuple(sorted(owners)),
        points_by_team=tuple((team, standing.points) for team, standing in standings.items()),
        points=points,
        awarded=tuple((team, float(points * part)) for team, part in parts.items()),
        tie=sum(standing.points == best for standing in standings.values()) > 1,
    )


def award(standings: Mapping[str, Standing], tie: Tie) -> dict[str, Fraction]:
    """The part of a merged shape's points that each credited team gets.

    A team's part never shrinks as its own standing grows, and never grows as another's does.

    Examples
    --------
    >>> award({"a": Standing(1, 2), "b": Standing(1, 2)}, "share")
    {'a': Fraction(1, 2), 'b': Fraction(1, 2)}
    """
    best = max((standing.points for standing in standings.values()), default=0)
    tied = [team for team, standing in standings.items() if standing.points == best]
    if tie == "stickers":
        most = max((standings[team].stickers for team in tied), default=0)
        tied = [team for team in tied if standings[team].stickers == most]
    if len(tied) == 1 or tie == "every":
        return dict.fromkeys(tied, Fraction(1))
    if tie == "share":
        return {team: Fraction(1, len(tied)) for team in tied}
    return {}


def standing(cells: AbstractSet[Cell], contact: Contact) -> Standing:
    """The standing of a team that owns these cells, all of one colour."""
    return Standing(sum(score_cells(shape) for shape in patches(cells, contact)), len(cells))


def patches(cells: AbstractSet[Cell], contact: Contact) -> list[set[Cell]]:
    """Split cells into connected patches.

    Examples
    --------
    >>> [sorted(patch) for patch in patches({(0, 0), (1, 1)}, "corner")]
    [[(0, 0), (1, 1)]]
    >>> len(patches({(0, 0), (1, 1)}, "edge"))
    2
    """
    steps = _SIDES if contact == "edge" else _SIDES + _CORNERS
    left, found = set(cells), []
    while left:
        edge = [left.pop()]
        patch = set(edge)
        while edge:
            row, col = edge.pop()
            touching = {(row + down, col + right) for down, right in steps} & left
            left -= touching
            patch |= touching
            edge.extend(touching)
        found.append(patch)
    return found


def _standings(owners: Mapping[Cell, str], contact: Contact) -> dict[str, Standing]:
    """The standing of each known team in a merged shape, in name order."""
    by_team: dict[str, set[Cell]] = {}
    for cell, owner in owners.items():
        if owner:
            by_team.setdefault(owner, set()).add(cell)
    return {team: standing(by_team[team], contact) for team in sorted(by_team, key=natural_key)}
