"""``poradek score``: photos become the final table."""

from __future__ import annotations

import enum
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poradek_vision.cli.options import GameOption, QuietOption, VerboseOption, set_log_level

if TYPE_CHECKING:
    from poradek_vision.errors import Exit
    from poradek_vision.files import Excel, PhotoFile
    from poradek_vision.model import Correction, Outcome, Settlement
    from poradek_vision.pipeline import Setup

EXAMPLES = """\b
Examples:
  poradek score "Camp 2027/photos" --game "Camp 2027/game.toml"
  poradek score IMG_0012.jpg IMG_0013.jpg --out results --excel cs
The results folder holds results.csv, boards.csv, cells.csv,
no_mans_land.csv, readings.jsonl, a picture of each board in debug/ and, where
something is in doubt, flagged.jpg with to_review.csv. A corrections.csv in it is
obeyed, and so is what was filled into to_review.csv."""


class ExcelChoice(enum.StrEnum):
    """Whose Excel the tables are for, as typer before 0.19 wants it (it knows no Literal)."""

    CS = "cs"


def score(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO_OR_FOLDER", readable=False, help="Photos, and folders of photos.", show_default=False
        ),
    ],
    game: GameOption = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", readable=False, help="Where the results go.")] = Path(
        "results"
    ),
    excel: Annotated[ExcelChoice | None, typer.Option(help="Tables for a double click in this Excel.")] = None,
    camera: Annotated[
        str, typer.Option(metavar="NAME", help="Palette to use; default: the one of each photo's camera.")
    ] = "",
    calibration: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", readable=False, help="Palettes; default: calibration/ beside game.toml or in this folder."
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            metavar="N",
            min=2,
            max=20,
            help="Size of hand-made boards, if not the game's: any such grid counts, a blank one too; may be repeated.",
        ),
    ] = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> int:
    """Read the boards in photos and count the points.

    What was read before is not read again. Exit code: 0 done, 1 something needs a look or is missing, 3 no board could
    be read.
    """
    from poradek_vision.cli.settings import find_colours, find_settings, setup_of
    from poradek_vision.cli.summary import missed, summary, what_is_open
    from poradek_vision.errors import SettingsError
    from poradek_vision.files import Batch, left_out, list_photos, without_pictures
    from poradek_vision.pipeline import conclude, fingerprint, load_words
    from poradek_vision.texts import say

    set_log_level(quiet=quiet, verbose=verbose)
    if out.is_file():
        raise SettingsError("score.out_is_file", path=out)
    files = without_pictures(list_photos(photos), out)
    settings, game_file = find_settings(photos, game)
    sizes = tuple(size or ())
    setup = setup_of(settings, find_colours(calibration, game_file, camera), camera, sizes)
    settings = setup.game
    corrections, filled = load_words(out, settings)
    if filled.corrections and not quiet:
        _say([say("to_review.taken", settings.language, count=len(filled.corrections))])
    outcomes = _read(files, setup, out, corrections, hidden=quiet)
    written_for: Excel = "cs" if excel else None
    batch = Batch(
        photos=files,
        folder=Path(),
        game=game_file,
        calibration=calibration,
        camera=camera,
        excel=written_for,
        settings=fingerprint(setup),
        sizes=sizes,
    )
    forgotten = left_out(out, files)
    scored = conclude(outcomes, batch, out, setup)
    if quiet:
        _say(what_is_open(scored, settings), err=True)
    else:
        _say(summary(scored, settings, out))
    _say(missed(forgotten, settings), err=True)
    return exit_code(scored.settlement)


def exit_code(settlement: Settlement) -> Exit:
    """What the results mean to who called.

    Examples
    --------
    >>> from poradek_vision.model import Settlement
    >>> exit_code(Settlement((), ())).name
    'NOTHING_READ'
    """
    from poradek_vision.errors import Exit

    if not any(row.photo and row.size is not None for row in settlement.ledger):
        return Exit.NOTHING_READ
    settled = all(row.status in ("ok", "duplicate") for row in settlement.ledger) and not settlement.notes
    return Exit.DONE if settled else Exit.OPEN


def _say(lines: Sequence[str], *, err: bool = False) -> None:
    """Lines for a person, if there are any."""
    if lines:
        typer.echo("\n".join(lines), err=err)


def _read(
    files: Sequence[PhotoFile], setup: Setup, out: Path, corrections: Sequence[Correction], *, hidden: bool
) -> list[Outcome]:
    """Read all photos; a bar shows how far it is where somebody watches."""
    from poradek_vision.pipeline import read_batch
    from poradek_vision.texts import say

    outcomes = read_batch(files, setup, out, corrections)
    if hidden or not sys.stderr.isatty():
        return list(outcomes)
    label = say("score.reading", setup.game.language)
    with typer.progressbar(outcomes, length=len(files), label=label, file=sys.stderr) as watched:
        return list(watched)
