"""``poradek calibrate``: photos of the calibration card become a palette for one camera."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poradek_vision.cli.columns import aligned, wrapped
from poradek_vision.cli.options import GameOption, QuietOption, VerboseOption, set_log_level

if TYPE_CHECKING:
    from poradek_vision.files import PhotoFile
    from poradek_vision.model import Game, Language, Palette, Separation
    from poradek_vision.pipeline import Calibration, Lesson, Lessons, Setup

EXAMPLES = """\b
Examples:
  poradek calibrate card-sun.jpg card-tent.jpg --game "Camp 2027/game.toml"
  poradek calibrate card-dusk.jpg --add
  poradek calibrate photos --from results
Print the card with "poradek print --card", stick one to five stickers of each
colour into its row, and photograph it with the phone and in the light of the
game. The palette goes to calibration/CAMERA.json, a picture of it beside it."""

MOST_PAIRS = 10
"""So many pairs of colours are told, the worst ones; all of them stand in the picture."""


def calibrate(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO_OR_FOLDER", readable=False, help="Photos of the card, from one phone.", show_default=False
        ),
    ],
    results: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="RESULTS",
            readable=False,
            help="Learn from the boards in this results folder, not from a card.",
        ),
    ] = None,
    camera: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Whose palette; default: what the photos say; of several phones' only its own photos count.",
        ),
    ] = "",
    add: Annotated[bool, typer.Option("--add", help="Add to the palette of this camera; default: replace it.")] = False,
    game: GameOption = None,
    calibration: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", readable=False, help="Where palettes are; default: calibration/ beside game.toml or here."
        ),
    ] = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> int:
    """Learn what a phone makes of the colours of the stickers, and say how well it will tell them apart.

    With --from, PHOTO_OR_FOLDER are the photos that were scored; cells read without doubt and cells that you corrected
    are learned from. Exit code: 0 done, 1 done but colours are close or a photo was of no use, 2 colours are missing or
    can't be told apart, 3 no card could be read.
    """
    from poradek_vision import __version__
    from poradek_vision.cli.settings import find_settings, folder_of
    from poradek_vision.errors import Exit
    from poradek_vision.files import (
        CALIBRATION,
        find_palettes,
        list_photos,
        load_palettes,
        replace_palette,
        write_whole,
    )
    from poradek_vision.overlay import encode_png, paint_calibration
    from poradek_vision.pipeline import Setup
    from poradek_vision.pipeline import calibrate as calibrate_camera

    set_log_level(quiet=quiet, verbose=verbose)
    settings, game_file = find_settings(photos, game)
    setup = Setup(settings, find_palettes([]))
    learned = _learn(list_photos(photos), results, setup)
    name, lessons = _of_camera(learned.lessons, camera)
    folder = calibration or folder_of(game_file) / CALIBRATION
    old = _old(load_palettes(folder), name) if add else None
    done = calibrate_camera(lessons, old, name, setup, __version__)
    path = replace_palette(folder, done.palette)
    cells = [cell for lesson in done.lessons for cell in lesson.cells]
    picture = paint_calibration(done.palette, cells, done.separations, done.close, settings)
    write_whole(path.with_suffix(".png"), encode_png(picture))
    if not quiet:
        typer.echo("\n".join(_report(done, path, settings)))
    warnings = [*_notes(learned, settings), *_close(done.close, settings)]
    if warnings:
        typer.echo("\n".join(warnings), err=True)
    return Exit.OPEN if warnings else Exit.DONE


def _learn(photos: Sequence[PhotoFile], results: Path | None, setup: Setup) -> Lessons:
    """What the photos teach: cards, or the boards of a results folder."""
    from poradek_vision.files import READINGS, load_readings
    from poradek_vision.pipeline import learn_from_cards, learn_from_results, said

    if results is None:
        return learn_from_cards(photos, setup)
    return learn_from_results(photos, load_readings(results / READINGS), said(results, setup.game), setup)


def _of_camera(lessons: Sequence[Lesson], asked: str) -> tuple[str, tuple[Lesson, ...]]:
    """Whose palette it will be, and the lessons for it: never those of several cameras."""
    from poradek_vision.errors import SettingsError

    cameras = sorted({lesson.camera for lesson in lessons})
    own = tuple(lesson for lesson in lessons if lesson.camera.casefold() == asked.casefold())
    if asked and own:
        return own[0].camera, own
    if len([name for name in cameras if name or not asked]) > 1:
        raise SettingsError("calibrate.cameras_differ", cameras=", ".join(name or "?" for name in cameras))
    if not asked and not cameras[0]:
        raise SettingsError("calibrate.no_camera", photo=lessons[0].photo)
    return asked or cameras[0], tuple(lessons)


def _old(palettes: Sequence[Palette], camera: str) -> Palette | None:
    """The palette of a camera that there is already."""
    return next((palette for palette in palettes if palette.camera.casefold() == camera.casefold()), None)


def _report(done: Calibration, path: Path, game: Game) -> Iterator[str]:
    """What was learned, what was left out and why, how well it separates, where it lies."""
    from poradek_vision.texts import say

    for lesson in done.lessons:
        yield from _lesson(lesson, game)
    yield ""
    yield say("calibrate.pairs", game.language)
    rows = [_pair(pair, game) for pair in done.separations[:MOST_PAIRS]]
    yield from (f"  {line}" for line in aligned(rows, left=[0]))
    yield ""
    yield from wrapped(say("calibrate.written", game.language, camera=done.palette.camera, path=path))


def _lesson(lesson: Lesson, game: Game) -> Iterator[str]:
    """How many stickers of each colour one photo taught, and those that it did not."""
    from poradek_vision.texts import say

    counts = Counter(cell.colour for cell in lesson.cells if not cell.fault)
    told = ", ".join(f"{colour.name} {counts[colour.code]}" for colour in game.colours)
    yield from wrapped(f"{lesson.photo}: {told}")
    for cell in lesson.cells:
        if cell.fault and cell.fault != "empty":
            fault = say(
                f"calibrate.fault_{cell.fault}", game.language, looks=game.colour_name(cell.looks) if cell.looks else ""
            )
            fields = {"row": cell.row + 1, "col": cell.col + 1, "colour": game.colour_name(cell.colour)}
            yield from wrapped(say("calibrate.left_out", game.language, fault=fault, **fields), "  ")


def _pair(pair: Separation, game: Game) -> list[str]:
    """A pair's names, noise widths, and share of confusions."""
    from poradek_vision.texts import decimal, say

    widths = say("calibrate.widths", game.language, widths=decimal(f"{pair.widths:.1f}", game.language))
    return [_names(pair, game), widths, _percent(pair.confused, game.language)]


def _names(pair: Separation, game: Game) -> str:
    """The names of two colours, or of a colour and paper."""
    from poradek_vision.overlay import colour_or_paper

    return f"{colour_or_paper(pair.first, game)} – {colour_or_paper(pair.second, game)}"


def _percent(share: float, language: Language) -> str:
    """A share in per cent; what is smaller than can be foretold is told so.

    Examples
    --------
    >>> _percent(0.023, "en"), _percent(1e-9, "cs")
    ('2.3 %', '< 0,01 %')
    """
    from poradek_vision.texts import decimal

    return f"{decimal(f'{100 * share:.2g}', language)} %" if share >= 1e-4 else f"< {decimal('0.01', language)} %"


def _notes(learned: Lessons, game: Game) -> Iterator[str]:
    """Photos that were of no use."""
    from poradek_vision.texts import say_text

    for note in learned.notes:
        yield from wrapped(say_text(note, game.language))


def _close(close: Sequence[Separation], game: Game) -> Iterator[str]:
    """Colours that are close, and what to do about it."""
    from poradek_vision.texts import say

    if close:
        pairs = ", ".join(_names(pair, game) for pair in close)
        yield from wrapped(say("calibrate.close", game.language, pairs=pairs))
