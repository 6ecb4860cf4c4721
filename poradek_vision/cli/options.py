"""Options that several commands share, and what they do."""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from poradek_vision.model import Language

GameOption = Annotated[
    Path | None,
    typer.Option(
        "--game",
        metavar="FILE",
        readable=False,
        help="Settings of the game; default: game.toml where the work is done.",
    ),
]
ReviewedGameOption = Annotated[
    Path | None,
    typer.Option(
        "--game",
        metavar="FILE",
        readable=False,
        help="Settings of the game; default: the file that poradek score used.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say only what went wrong.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")]

_LOG = logging.getLogger("poradek_vision")


def as_pdf(out: Path, name: str) -> Path:
    """The file that a person means: one of this name in a folder, else a PDF whether or not they said so.

    Examples
    --------
    >>> as_pdf(Path("listy"), "sheets.pdf").name, as_pdf(Path(), "sheets.pdf").name, as_pdf(Path("a.PDF"), "").name
    ('listy.pdf', 'sheets.pdf', 'a.PDF')
    """
    if out.is_dir():
        return out / name
    return out if out.suffix.lower() == ".pdf" else out.with_name(f"{out.name}.pdf")


class _Spoken(logging.Formatter):
    """Says what goes wrong on the way in the language of the game, as an error that ends the command is said."""

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__("%(message)s")
        self._argv = argv

    def formatMessage(self, record: logging.LogRecord) -> str:
        from poradek_vision.errors import PoradekError
        from poradek_vision.texts import say_text

        if isinstance(record.args, tuple) and record.msg == "%s" and isinstance(record.args[0], PoradekError):
            return say_text(record.args[0].text, self._language)
        return super().formatMessage(record)

    @functools.cached_property
    def _language(self) -> Language:
        """Looked up once, when there is something to say."""
        from poradek_vision.cli.language import spoken_language

        return spoken_language(self._argv)


def send_log_to_stderr(argv: Sequence[str]) -> None:
    """Send the package's log to stderr, in the language that the arguments of the command tell."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Spoken(argv))
    _LOG.handlers = [handler]


def set_log_level(*, quiet: bool, verbose: bool) -> None:
    """Log warnings as a rule, only errors with ``quiet``, everything with ``verbose``."""
    _LOG.setLevel(logging.ERROR if quiet else logging.DEBUG if verbose else logging.WARNING)
