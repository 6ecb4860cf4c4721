"""``poradek review``: what is in doubt, on a page of this computer's own browser."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from poradek_vision.cli.options import QuietOption, ReviewedGameOption, VerboseOption, set_log_level

if TYPE_CHECKING:
    from poradek_vision.pipeline import Review

EXAMPLES = """\b
Examples:
  poradek review results
  poradek review results --no-browser
Each change is in corrections.csv and in the tables at once. End with Ctrl+C."""


def review(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", readable=False, help="A folder that poradek score wrote.")
    ],
    game: ReviewedGameOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page, or only say where.")] = True,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Show what is in doubt on a local page, set it right, and watch the table follow.

    The page is for this computer alone; nothing goes over any network.
    """
    import webbrowser

    from poradek_vision.texts import say
    from poradek_vision.web import Server

    set_log_level(quiet=quiet, verbose=verbose)
    opened = open_results(results, game)
    server = Server(opened)
    with contextlib.suppress(KeyboardInterrupt):  # how it is meant to end
        typer.echo(say("review.address", opened.game.language, address=server.address))
        if not quiet:
            typer.echo(say("review.how_to_end", opened.game.language), err=True)
        if browser:
            webbrowser.open(server.address)
        server.run()


def open_results(results: Path, game: Path | None) -> Review:
    """Take up a results folder with the settings that it was made with.

    Parameters
    ----------
    results : Path
    game : Path or None
        The settings, where they are no longer at their place.

    Raises
    ------
    SettingsError
        If it is no such folder, or the settings are missing or have changed.
    """
    from poradek_vision.cli.settings import default_game, find_colours, setup_of
    from poradek_vision.files import load_batch, load_game
    from poradek_vision.pipeline import open_review

    batch = load_batch(results)
    file = game or batch.game
    palettes = find_colours(batch.calibration, file, batch.camera, batch.folder)
    setup = setup_of(load_game(file) if file else default_game(), palettes, batch.camera, batch.sizes)
    return open_review(results, setup, batch)
