"""The printed proof of a result: the table, then a page per team with each board, what was read, and why it counts.

Lengths are in millimetres of an A4 page. Colours bear their letters, so that black and white paper tells as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poradek_vision.model import EMPTY, BoardScore, Game, LedgerRow, MergedShape, Rect, Results, Run, TeamTotal
from poradek_vision.printing.fitting import broken, fit
from poradek_vision.printing.pen import Pen, printable
from poradek_vision.sheet import A4_MM
from poradek_vision.texts import each_with_points, points_text, say

_EDGE_MM = 14.0
_WIDTH_MM = A4_MM[0] - 2 * _EDGE_MM
_BLOCK_MM = (88.0, 119.0)
_BLOCKS_TOP_MM = 38.0
_BOARD_MM = 42.0
_LAND_MM = 88.0
_LINE_MM, _REMARK_MM = 3.5, 4.8
"""From one line to the next, of runs and of remarks."""
_SMALL_CAP_MM, _PLAIN_CAP_MM, _LARGE_CAP_MM = 1.7, 2.4, 3.4
_FOOT_MM = 288.0
"""A team's boards stand in blocks, two by two between the page's edges; the key is at its foot."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One board to be proved: its row, its score with the runs that make it, and its picture laid flat as JPEG.

    The picture shows just the grid; it is empty where no photo can be opened.
    """

    row: LedgerRow
    score: BoardScore
    jpeg: bytes


def draw_proofs(game: Game, results: Results, proofs: Sequence[Proof], remarks: Sequence[str] = ()) -> bytes:
    """A PDF with the table, a page for each team, and one for the no man's land where there is one.

    Parameters
    ----------
    game : Game
    results : Results
    proofs : sequence of Proof
        The boards that count.
    remarks : sequence of str
        What the result still lacks, in sentences, for the first page.
    """
    pen = Pen(printable(game.title or say("report.title", game.language)), game.language)
    by_place = {(proof.row.team, proof.row.size): proof for proof in proofs}
    _draw_table(pen, game, results, remarks)
    for total in results.totals:
        _draw_team(pen, game, total, by_place)
    land = by_place.get((None, game.no_mans_land))
    if land:
        _draw_land(pen, game, land, results.shapes)
    return pen.finish()


def _write(pen: Pen, x: float, y: float, words: str, cap_mm: float, room_mm: float, *, bold: bool = False) -> None:
    """Write words on a line, narrower or smaller where there is little room."""
    fitted = fit((printable(words),), room_mm, cap_mm, bold=bold)
    pen.write(x, y, fitted.lines[0], fitted.cap_mm, bold=bold, squeeze=fitted.squeeze)


# --- the table -----------------------------------------------------------------------------------------------------


def _draw_table(pen: Pen, game: Game, results: Results, remarks: Sequence[str]) -> None:
    """The first page: all teams, best first, and what is still to be said."""
    pen.start_page(*A4_MM)
    _write(pen, _EDGE_MM, 26, game.title or say("report.title", game.language), 7, _WIDTH_MM, bold=True)
    heads = [*(f"{size}×{size}" for size in game.sizes), say("summary.land", game.language)]
    heads += [say("summary.total", game.language), say("summary.bounds", game.language)]
    columns = [A4_MM[0] - _EDGE_MM - 22.0 * k for k in reversed(range(len(heads)))]
    for x, head in zip(columns, heads, strict=True):
        pen.write(x, 38, head, _PLAIN_CAP_MM, anchor="right")
    lines = [line for words in remarks for line in broken(printable(words), _WIDTH_MM, _PLAIN_CAP_MM)]
    pitch = min(9.0, (_FOOT_MM - 50 - len(lines) * _REMARK_MM) / max(1, len(results.totals)))
    for k, total in enumerate(results.totals):
        _draw_total(pen, game, total, 46 + k * pitch, columns)
    for k, line in enumerate(lines):
        _write(
            pen,
            _EDGE_MM,
            50 + len(results.totals) * pitch + k * _REMARK_MM,
            line,
            _PLAIN_CAP_MM,
            _WIDTH_MM,
        )
    pen.end_page()


def _draw_total(pen: Pen, game: Game, total: TeamTotal, y: float, columns: Sequence[float]) -> None:
    """One line of the table."""
    pen.write(_EDGE_MM, y, f"{total.rank}.", _PLAIN_CAP_MM, bold=True)
    _write(pen, _EDGE_MM + 9, y, total.team, _PLAIN_CAP_MM, columns[0] - _EDGE_MM - 24, bold=True)
    least, whole, most, land = (
        points_text(points, game.language)
        for points in (total.total_min, total.total, total.total_max, total.no_mans_land)
    )
    fields = ["–" if points is None else f"{points}" for _, points in total.points_by_size]
    fields += [land, whole, f"{least}–{most}" if total.total_min < total.total_max else ""]
    for x, field in zip(columns, fields, strict=True):
        pen.write(x, y, field, _PLAIN_CAP_MM, anchor="right", bold=x == columns[-2])


# --- a team --------------------------------------------------------------------------------------------------------


def _draw_team(pen: Pen, game: Game, total: TeamTotal, proofs: Mapping[tuple[str | None, int | None], Proof]) -> None:
    """A team's page: its boards two by two."""
    pen.start_page(*A4_MM)
    _write(pen, _EDGE_MM, 22, total.team, 6, _WIDTH_MM, bold=True)
    _write(pen, _EDGE_MM, 31, _headline(total, game), _LARGE_CAP_MM, _WIDTH_MM)
    for k, size in enumerate(game.sizes):
        x, y = _EDGE_MM + (k % 2) * (_BLOCK_MM[0] + 6), _BLOCKS_TOP_MM + (k // 2) * (_BLOCK_MM[1] + 4)
        proof = proofs.get((total.team, size))
        if proof:
            _draw_board(pen, game, proof, x, y)
        else:
            pen.write(x, y + 5, say("report.missing", game.language, size=size), _LARGE_CAP_MM, bold=True)
    _draw_key(pen, game)
    pen.end_page()


def _headline(total: TeamTotal, game: Game) -> str:
    """A team's place and total."""
    language = game.language
    whole = points_text(total.total, language)
    if total.total_min < total.total_max:
        least, most = points_text(total.total_min, language), points_text(total.total_max, language)
        return say("report.bounds", language, rank=total.rank, total=whole, least=least, most=most)
    return say("report.rank", language, rank=total.rank, total=whole)


def _draw_key(pen: Pen, game: Game) -> None:
    """How to read the page."""
    _write(pen, _EDGE_MM, _FOOT_MM, say("report.key", game.language), _SMALL_CAP_MM, _WIDTH_MM)


def _draw_board(pen: Pen, game: Game, proof: Proof, x: float, y: float) -> None:
    """A board: what the photo shows, what was read, and the runs."""
    size = len(proof.score.board.rows)
    title = say("report.board", game.language, size=size, points=proof.score.points)
    pen.write(x, y + 5, title, _LARGE_CAP_MM, bold=True)
    source = proof.row.photo or say("report.typed", game.language)
    _write(pen, x, y + 9, source, _SMALL_CAP_MM, _BLOCK_MM[0])
    _draw_pair(pen, game, proof, x, y + 11, _BOARD_MM)
    runs = sorted(proof.score.runs, key=lambda run: -run.points)
    lines = [(run.points, _run_line(run)) for run in runs]
    _write_columns(pen, game, lines, Rect(x, y + 11 + _BOARD_MM + 4, _BLOCK_MM[0], _BLOCK_MM[1] - _BOARD_MM - 17), 3)


def _run_line(run: Run) -> str:
    """A run: its colour, its ends and its points."""
    (row, col), (last_row, last_col) = run.cells[0], run.cells[-1]
    return f"{run.colour}  {row + 1},{col + 1} – {last_row + 1},{last_col + 1}: {run.points}"


def _write_columns(pen: Pen, game: Game, lines: Sequence[tuple[int, str]], place: Rect, columns: int) -> None:
    """Lines in columns, each with its points; what finds no room is summed up in the last."""
    per_column = int(place.h / _LINE_MM)
    room = per_column * columns
    shown = list(lines) if len(lines) <= room else list(lines[: room - 1])
    rest = sum(points for points, _ in lines[len(shown) :])
    words = [line for _, line in shown] + ([say("report.more", game.language, points=rest)] if rest else [])
    for k, line in enumerate(words):
        column, row = divmod(k, per_column)
        width = place.w / columns
        _write(pen, place.x + column * width, place.y + row * _LINE_MM, line, _SMALL_CAP_MM, width - 2)


# --- grids ---------------------------------------------------------------------------------------------------------


def _draw_pair(pen: Pen, game: Game, proof: Proof, x: float, y: float, side: float) -> None:
    """The board as photographed, and beside it as it was read."""
    if proof.jpeg:
        pen.picture(Rect(x, y, side, side), proof.jpeg)
    if proof.row.photo:
        pen.box(Rect(x, y, side, side), 0.2)
    _draw_grid(pen, game, proof, Rect(x + side + 4, y, side, side))


def _draw_grid(pen: Pen, game: Game, proof: Proof, place: Rect) -> None:
    """The cells as they count: swatch, letter, owner, and what a person did or should still do."""
    size = len(proof.score.board.rows)
    side = place.w / size
    swatches = {colour.code: colour.swatch for colour in game.colours}
    marks = {team.name: team.mark for team in game.teams}
    for cell in proof.row.cells:
        box = Rect(place.x + cell.col * side, place.y + cell.row * side, side, side)
        sign = "*" if cell.corrected and proof.row.photo else "?" if cell.flags else ""
        if cell.colour != EMPTY:
            pen.fill([box], swatches.get(cell.colour, "#808080"))
        words = ("" if cell.colour == EMPTY else cell.colour) + marks.get(cell.owner, cell.owner) + sign
        if words:
            _draw_letters(pen, printable(words), box)
        pen.box(box, 0.2)


def _draw_letters(pen: Pen, words: str, box: Rect) -> None:
    """Letters on a white plate in the middle of a cell."""
    fitted = fit((words,), 0.7 * box.w, 0.34 * box.h, bold=True)
    pen.disc(box.x + box.w / 2, box.y + box.h / 2, 0.82 * min(box.w, box.h), "#ffffff")
    middle = box.y + (box.h + fitted.cap_mm) / 2
    pen.write(box.x + box.w / 2, middle, words, fitted.cap_mm, bold=True, anchor="middle", squeeze=fitted.squeeze)


# --- the no man's land ---------------------------------------------------------------------------------------------


def _draw_land(pen: Pen, game: Game, proof: Proof, shapes: Sequence[MergedShape]) -> None:
    """The page of the no man's land: its cells with their owners, and to whom each shape goes."""
    pen.start_page(*A4_MM)
    pen.write(_EDGE_MM, 22, say("word.no_mans_land", game.language), 6, bold=True)
    _write(pen, _EDGE_MM, 29, proof.row.photo or say("report.typed", game.language), _SMALL_CAP_MM, _WIDTH_MM)
    _draw_pair(pen, game, proof, _EDGE_MM, 33, _LAND_MM)
    ordered = sorted((shape for shape in shapes if shape.points), key=lambda shape: -shape.points)
    lines = [(shape.points, _shape_line(shape, game)) for shape in ordered]
    top = 33 + _LAND_MM + 7
    _write_columns(pen, game, lines, Rect(_EDGE_MM, top, _WIDTH_MM, _FOOT_MM - 6 - top), 1)
    _draw_key(pen, game)
    pen.end_page()


def _shape_line(shape: MergedShape, game: Game) -> str:
    """A merged shape: who has how many points in it, and who gets it."""
    return say(
        "report.shape",
        game.language,
        colour=shape.colour,
        start=f"{shape.cells[0][0] + 1},{shape.cells[0][1] + 1}",
        stickers=len(shape.cells),
        points=shape.points,
        strengths=each_with_points(shape.points_by_team, game.language) or say("grid.nobody_known", game.language),
        outcome=each_with_points(shape.awarded, game.language) or say("grid.nobody", game.language),
    )
