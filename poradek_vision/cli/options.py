"""Options that several commands share, and what they do."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from poradek_vision.model import Game

GameOption = Annotated[
    Path | None,
    typer.Option("--game", metavar="FILE", help="Settings of the game; default: game.toml where the work is done."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say only what went wrong.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")]


def set_up_logs(*, quiet: bool = False, verbose: bool = False) -> None:
    """Send the package's log to stderr: warnings as a rule, only errors with ``quiet``, everything with ``verbose``."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    log = logging.getLogger("poradek_vision")
    log.handlers = [handler]
    log.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.WARNING)


def game_of(photos: Sequence[Path], given: Path | None) -> tuple[Game, Path]:
    """The game, and the folder in which it lives: the given one, that of the photos, the current one, or none."""
    from poradek_vision.cli.language import computer_language
    from poradek_vision.files import default_colours, find_game, load_game
    from poradek_vision.model import Game

    folders = [path if path.is_dir() else path.parent for path in photos]
    file = given or find_game([*folders, Path()])
    if file is None:
        language = computer_language()
        return Game(language=language, colours=default_colours(language)), Path()
    return load_game(file), file if file.is_dir() else file.parent
