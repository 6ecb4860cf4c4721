"""``poradek print``: the sheets of a game as PDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poradek_vision.cli.options import GameOption, QuietOption, VerboseOption, as_pdf, set_log_level

if TYPE_CHECKING:
    from poradek_vision.model import Game, SheetSpec
    from poradek_vision.printing import Outline, StickerPage

SHEETS = "sheets.pdf"
EXAMPLES = """\b
Examples:
  poradek print --game "Camp 2027/game.toml" --out sheets.pdf
  poradek print --team Wolves --spare 2
  poradek print --halves
  poradek print --card
  poradek print --stickers --each 60 --in-colour"""


def print_(
    game: GameOption = None,
    out: Annotated[
        Path, typer.Option(metavar="PDF", readable=False, help="File for A4; all else goes beside it.")
    ] = Path(SHEETS),
    team: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this team's sheets, by name or mark; may repeat.")
    ] = None,
    halves: Annotated[bool, typer.Option("--halves", help="The no man's land as two A4 halves, not on A3.")] = False,
    spare: Annotated[int, typer.Option(min=0, metavar="N", help="Sets of sheets without a name.")] = 0,
    card: Annotated[
        bool | None, typer.Option("--card/--no-card", help="Only the calibration card; or all but it.")
    ] = None,
    stickers: Annotated[
        bool, typer.Option("--stickers", help="Only stickers with each team's code, for the no man's land.")
    ] = False,
    each: Annotated[
        int | None,
        typer.Option(min=1, max=1000, metavar="N", help="Stickers of each team and colour; default: a full page."),
    ] = None,
    size: Annotated[
        float | None, typer.Option(metavar="MM", help="Side or diameter of a sticker; default: that of a cell.")
    ] = None,
    round_: Annotated[bool, typer.Option("--round", help="Round stickers.")] = False,
    in_colour: Annotated[
        bool, typer.Option("--in-colour", help="Stickers for white paper; default: black, for coloured paper.")
    ] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Draw the sheets of every team, the no man's land and the calibration card, true to size.

    With --card or --stickers only these are drawn, each into a file of its own.
    """
    from poradek_vision.files import GAME_FILE, find_game, load_game, write_whole
    from poradek_vision.printing import choose_sheets, sticker_pages
    from poradek_vision.sheet import card_sheet
    from poradek_vision.texts import say

    set_log_level(quiet=quiet, verbose=verbose)
    out = as_pdf(out, SHEETS)
    of_stickers = {"--each": each is not None, "--size": size is not None, "--round": round_, "--in-colour": in_colour}
    of_sheets = {"--team": bool(team) and not stickers, "--halves": halves, "--spare": spare > 0}
    _refuse("print.only_stickers", {} if stickers else of_stickers)
    _refuse("print.only_sheets", of_sheets if card or stickers else {})
    game_file = game or find_game([Path()]) or Path(GAME_FILE)
    settings = load_game(game_file)
    teams = team or ()
    outline: Outline = "round" if round_ else "square"
    sheets: tuple[SheetSpec, ...] = (card_sheet(settings),) if card else ()
    pages: tuple[StickerPage, ...] = ()
    if stickers:
        pages = sticker_pages(settings, teams=teams, side_mm=size, outline=outline, in_colour=in_colour, each=each)
    elif not card:
        sheets = choose_sheets(settings, teams=teams, spare=spare, halves=halves, card=card is None)
    written = []
    for path, pdf, told in _drawn(out, settings, sheets, pages, is_card=bool(card)):
        write_whole(path, pdf)
        written.append(path)
        if not quiet:
            typer.echo(told)
    if not quiet:
        typer.echo(say("print.at_100", settings.language))
        if sheets and not card:
            _advise_on_marks(settings)
        _warn_of_old(out, written, game_file, settings)


def _refuse(key: str, options: Mapping[str, bool]) -> None:
    """Refuse options that were given and do not apply."""
    from poradek_vision.errors import SettingsError

    if given := [name for name, is_given in options.items() if is_given]:
        raise SettingsError(key, options=", ".join(given))


def _drawn(
    out: Path, game: Game, sheets: Sequence[SheetSpec], pages: Sequence[StickerPage], *, is_card: bool
) -> Iterator[tuple[Path, bytes, str]]:
    """Each file: its path, its content, and what is told of it."""
    from poradek_vision.printing import by_paper, draw_sheets, draw_stickers
    from poradek_vision.texts import say

    for paper, on_paper in by_paper(sheets).items():
        path = _beside(out, "card") if is_card else out
        path = path if paper == "A4" else _beside(path, paper)
        told = say("print.written", game.language, path=path, pages=len(on_paper), paper=paper)
        yield path, draw_sheets(game, on_paper), told
    if pages:
        path = _beside(out, "stickers")
        told = say("print.written_stickers", game.language, path=path, pages=len(pages))
        yield path, draw_stickers(game, pages), told


def _beside(out: Path, what: str) -> Path:
    """The file beside the one for A4 that all else goes to."""
    return out.with_stem(f"{out.stem}-{what}")


def _warn_of_old(out: Path, written: Sequence[Path], game_file: Path, game: Game) -> None:
    """Say which files of earlier runs are of a game that has changed since; they may be somebody's, and stay."""
    from poradek_vision.files import GAME_FILE, outdated
    from poradek_vision.texts import say

    others = {out, *(_beside(out, what) for what in ("A3", "card", "stickers"))} - {*written}
    if old := outdated(others, game_file / GAME_FILE if game_file.is_dir() else game_file):
        typer.echo(say("print.outdated", game.language, paths=", ".join(map(str, old))), err=True)


def _advise_on_marks(game: Game) -> None:
    """Say which marks hands confuse, where they are to be written on stickers."""
    from poradek_vision.mark import advise
    from poradek_vision.texts import say

    if game.no_mans_land:
        for advice in advise(game.teams):
            typer.echo(say("new.alike", game.language, **asdict(advice)))
