"""Options that several commands share, and what they do."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

GameOption = Annotated[
    Path | None,
    typer.Option("--game", metavar="FILE", help="Settings of the game; default: game.toml where the work is done."),
]
ReviewedGameOption = Annotated[
    Path | None,
    typer.Option(
        "--game",
        metavar="FILE",
        help="Settings of the game; default: the file that poradek score used.",
    ),
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
