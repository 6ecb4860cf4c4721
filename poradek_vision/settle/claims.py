"""Which board each reading shows, and which readings show the same one.

A hand-made board may have been read with another side up in each photo: its readings are turned until they agree best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from poradek_vision.model import EMPTY, BoardReading, CellReading, Flag, Game, Text, natural_key
from poradek_vision.settle.votes import Cells, clash, differing, is_sure, turn

_ABOUT_TEAM = frozenset({Flag.TEAM_UNCLEAR, Flag.UNKNOWN_TEAM})
_TEAM_UNCLEAR = Text(f"flag.{Flag.TEAM_UNCLEAR}")
_CLASH = "settle.clash"


@dataclass(frozen=True, slots=True)
class Claim:
    """A reading and the board that it shows.

    Attributes
    ----------
    reading : BoardReading
    team : str or None
        After corrections; ``""`` unknown, None for the no man's land.
    cells : tuple of CellReading
        Row by row, in the frame of the board: those of the reading turned by ``quarters`` quarter turns clockwise.
    trusted : bool
        Whether photo and grid as a whole are free of doubt.
    reasons : tuple of Text
        Doubts about the board as a whole.
    said : bool
        Whether a person said whose it is, or that it is right.
    moved : bool
        Whether a person gave it to another team than was read, and said no more than that.
    quarters : int
    """

    reading: BoardReading
    team: str | None
    cells: Cells
    trusted: bool
    reasons: tuple[Text, ...]
    said: bool = False
    moved: bool = False
    quarters: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """What corrections call it: the photo's content and the board in it."""
        return self.reading.sha256, self.reading.index

    @property
    def size(self) -> int:
        """Rows of the board."""
        return self.reading.grid.rows

    @property
    def team_unclear(self) -> bool:
        """Whether it is in doubt whose board it is."""
        return _TEAM_UNCLEAR in self.reasons

    @property
    def may_be_anothers(self) -> bool:
        """Whether it may be the board of another team than it names: its mark is in doubt, or another has the same.

        A printed sheet with the number of a team is that team's, whichever of its photos is the right one.
        """
        clashes = any(reason.key == _CLASH for reason in self.reasons)
        unnamed = clashes and not self.said and self.reading.mark.how != "fiducial"
        return self.team is not None and (unnamed or any(Text(f"flag.{flag}") in self.reasons for flag in _ABOUT_TEAM))


def claim(reading: BoardReading, corrected_team: str | None, game: Game, *, vouched: bool = False) -> Claim:
    """Say which board a reading shows.

    Parameters
    ----------
    reading : BoardReading
    corrected_team : str or None
        What a person said whose board it is.
    game : Game
    vouched : bool
        Whether a person said that photo and grid are right as a whole.
    """
    land = game.is_land(reading.grid)
    team = None if land else corrected_team or reading.mark.team
    whole = () if vouched else (*reading.flags, *reading.grid.flags)
    doubts = dict.fromkeys((*whole, *reading.mark.flags, *_team_doubts(team, game)))
    if land or corrected_team:
        doubts = dict.fromkeys(flag for flag in doubts if flag not in _ABOUT_TEAM)
    reasons = [Text(f"flag.{flag}") for flag in doubts]
    if reading.grid.rows != reading.grid.cols:
        reasons.append(Text.of("settle.not_square", rows=reading.grid.rows, cols=reading.grid.cols))
    elif reading.grid.rows not in game.sizes_of(team):
        reasons.append(Text.of("settle.no_such_size", size=reading.grid.rows))
    cells = sorted(reading.cells, key=lambda cell: (cell.row, cell.col))
    return Claim(
        reading=reading,
        team=team,
        cells=tuple(_seen(cell, land, Flag.GRID_UNCERTAIN in whole, vouched=vouched) for cell in cells),
        trusted=not set(whole) - _ABOUT_TEAM,
        reasons=tuple(reasons),
        said=vouched or bool(corrected_team),
        moved=not vouched and corrected_team not in (None, "", reading.mark.team),
    )


def _team_doubts(team: str | None, game: Game) -> tuple[Flag, ...]:
    """What is doubtful about a team's name by itself."""
    if team == "":
        return (Flag.TEAM_UNCLEAR,)
    if team and game.teams and team not in {listed.name for listed in game.teams}:
        return (Flag.UNKNOWN_TEAM,)
    return ()


def _seen(cell: CellReading, asks_owner: bool, grid_uncertain: bool, *, vouched: bool) -> CellReading:
    """A cell with the owner only where it matters, and with the doubts that follow from the board.

    Who vouches for a grid vouches for the lines round each of its cells, too.
    """
    sticker = asks_owner and cell.colour != EMPTY
    owner = cell.owner if sticker else ""
    settled = {Flag.OWNER_UNCLEAR: not sticker, Flag.GRID_UNCERTAIN: vouched}
    flags = [flag for flag in cell.flags if not settled.get(flag)]
    if sticker and not owner and Flag.OWNER_UNCLEAR not in flags:
        flags.append(Flag.OWNER_UNCLEAR)
    if grid_uncertain and Flag.GRID_UNCERTAIN not in flags:
        flags.append(Flag.GRID_UNCERTAIN)
    return replace(cell, owner=owner, flags=tuple(flags))


def gather(claims: Iterable[Claim]) -> list[tuple[Claim, ...]]:
    """Bring together the claims that show the same board.

    Claims of one team and size show the same board, unless they lie in one photo or differ too much. Then the one that
    a person named counts; without a word that with which most agree, its cells in doubt where others differ, and
    those become boards of an unknown team. Either says so, and so does a board that a person gave to a team that has
    another already: one of the two is a slip. A claim without a team stands alone.

    Returns
    -------
    list of tuples of Claim
        Per board its claims, the best first, all turned into the frame of the best.
    """
    places: dict[tuple[str | None, int], list[Claim]] = {}
    groups: list[tuple[Claim, ...]] = []
    for one in claims:
        if one.team == "":
            groups.append((one,))
        else:
            places.setdefault((one.team, one.size), []).append(one)
    for same in places.values():
        groups.extend(_part(_best_first(same)))
    return groups


def _best_first(same: Sequence[Claim]) -> list[Claim]:
    """Claims of one team and size, the best first; of those that clash one that a person named comes before it."""
    best, *others = sorted(same, key=lambda one: _rank(one, same))
    named = [one for one in others if one.said and clash(best.cells, _aligned(one, best).cells)]
    if best.said or not named:
        return [best, *others]
    return [named[0], best, *(one for one in others if one is not named[0])]


def _rank(one: Claim, same: Sequence[Claim]) -> tuple[object, ...]:
    """Sorts the best claim first.

    No doubt about the whole or the team, many that agree, few doubted cells, high confidence, by name.
    """
    agreeing = sum(not clash(one.cells, _aligned(other, one).cells) for other in same if other is not one)
    doubted = sum(bool(cell.flags) for cell in one.cells)
    confidence = sum(cell.confidence for cell in one.cells) / len(one.cells)
    photo = natural_key(one.reading.photo), one.reading.index
    return not one.trusted, one.team_unclear, -agreeing, doubted, -confidence, *photo


def _part(claims: list[Claim]) -> list[tuple[Claim, ...]]:
    """Part claims of one team and size into the best with those that agree, and strays."""
    best, *others = claims
    together, strays = [best], []
    for other in others:
        aligned = _aligned(other, best)
        same_photo = any(
            one.reading.sha256 == other.reading.sha256 and one.key != other.key and not are_halves(one, other)
            for one in together
        )
        if not same_photo and not clash(best.cells, aligned.cells):
            together.append(aligned)
        elif best.said and not best.moved and not other.said and not same_photo:
            together.append(replace(aligned, trusted=False))
        else:
            count, _ = differing(best.cells, aligned.cells)
            strays.append(replace(other, team="", reasons=(_clash_with(best, count), *other.reasons)))
            reasons = (*together[0].reasons, _clash_with(other, count))
            together[0] = replace(together[0], reasons=reasons, cells=_doubted(together[0].cells, aligned.cells))
    return [tuple(together), *((stray,) for stray in strays)]


def _doubted(cells: Cells, others: Cells) -> Cells:
    """Cells, in doubt where others show another colour or are in doubt: they may be the right ones."""
    return tuple(
        replace(cell, flags=tuple(dict.fromkeys((*cell.flags, Flag.PHOTOS_DISAGREE))))
        if cell.colour != other.colour or not is_sure(other)
        else cell
        for cell, other in zip(cells, others, strict=True)
    )


def are_halves(one: Claim, other: Claim) -> bool:
    """Whether two claims are the two halves of a no man's land, which may lie in one photo."""
    return {one.reading.grid.half, other.reading.grid.half} == {"left", "right"}


def _aligned(other: Claim, best: Claim) -> Claim:
    """A claim turned so that it agrees best; printed sheets know which side is up."""
    if {other.reading.grid.how, best.reading.grid.how} == {"printed"}:
        return other
    turns = [turn(other.cells, other.size, quarters) for quarters in range(4)]
    quarters = min(range(4), key=lambda quarters: differing(best.cells, turns[quarters])[0])
    return replace(other, cells=turns[quarters], quarters=quarters)


def _clash_with(other: Claim, count: int) -> Text:
    """The reason that another reading claims the same board and shows a different one."""
    return Text.of(_CLASH, photo=other.reading.photo, board=other.reading.index + 1, count=count)
