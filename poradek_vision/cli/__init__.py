"""The command line: parse, call, report, exit.

One module per command, each with its function and an ``EXAMPLES`` epilog, registered here. A command returns its exit
code (None for 0). Modules here import typer and little else at their top, and the rooms below only inside the
functions that call them, so that ``poradek --help`` answers at once.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TextIO

import typer

from poradek_vision.cli import calibrate, grid, new, print_, report, review, score
from poradek_vision.cli.options import send_log_to_stderr


def _leave(code: int | None, **_options: object) -> None:
    """Make what a command returned the exit code."""
    raise typer.Exit(code or 0)


app = typer.Typer(
    name="poradek",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    result_callback=_leave,
)


def _tell_version(wanted: bool) -> None:
    """Say the version and leave."""
    if wanted:
        from poradek_vision import __version__

        typer.echo(f"poradek {__version__}")
        raise typer.Exit


@app.callback()
def _poradek(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Photos of paper boards covered in coloured stickers become the final table of a camp game, offline.

    Start with "poradek new", print the sheets with "poradek print", and after the game give the photos to
    "poradek score"; "poradek review" shows what is in doubt. Each command explains itself with --help.
    """


app.command("new", epilog=new.EXAMPLES, no_args_is_help=True)(new.new)
app.command("print", epilog=print_.EXAMPLES)(print_.print_)
app.command("calibrate", epilog=calibrate.EXAMPLES, no_args_is_help=True)(calibrate.calibrate)
app.command("score", epilog=score.EXAMPLES, no_args_is_help=True)(score.score)
app.command("review", epilog=review.EXAMPLES, no_args_is_help=True)(review.review)
app.command("report", epilog=report.EXAMPLES, no_args_is_help=True)(report.report)
app.command("grid", epilog=grid.EXAMPLES, no_args_is_help=True)(grid.grid)


def main(argv: Sequence[str]) -> int:
    """Run one command and answer with its exit code; the codes are those of ``errors.Exit``.

    The one place that turns errors into text: a :class:`~poradek_vision.errors.PoradekError` into its sentence on
    stderr, in the language of the game, and so what is wrong with the arguments; anything unforeseen into a traceback.

    Parameters
    ----------
    argv : sequence of str
        The arguments, without the program's name.

    Examples
    --------
    >>> main(["--version"])
    poradek 0.1.0
    0
    """
    sys.stdout, sys.stderr = (_open(stream) for stream in (sys.stdout, sys.stderr))
    send_log_to_stderr(argv)
    try:
        code = app(args=list(argv), prog_name="poradek", standalone_mode=False)
    except SystemExit as leaving:  # who reads the output has closed it
        return leaving.code if isinstance(leaving.code, int) else 1
    except KeyboardInterrupt:
        return _interrupted(argv)
    except Exception as failure:
        return _explain(failure, argv)
    return _interrupted(argv) if code == 128 + signal.SIGINT else code or 0  # typer's way to say Ctrl+C


def _open(stream: TextIO | None) -> TextIO:
    """A stream that can be written to: none where who called closed it, and without signs that it can't show."""
    if stream is None:  # also without a console, on Windows
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")  # an old Windows code page must not turn "×" into a crash
    return stream


def _interrupted(argv: Sequence[str]) -> int:
    """Say that the person interrupted, and what is kept."""
    from poradek_vision.cli.language import spoken_language
    from poradek_vision.errors import Exit
    from poradek_vision.texts import say

    typer.echo(say("cli.interrupted", spoken_language(argv)), err=True)
    return Exit.INTERRUPTED


def _explain(failure: Exception, argv: Sequence[str]) -> int:
    """Say a foreseen failure in a sentence and any other as a traceback."""
    from poradek_vision.cli.language import spoken_language
    from poradek_vision.cli.usage import UsageError, usage_fault
    from poradek_vision.errors import Exit, PoradekError, reason
    from poradek_vision.model import Text
    from poradek_vision.texts import say, say_text

    language = spoken_language(argv)
    if isinstance(failure, UsageError):
        if text := usage_fault(failure, argv):
            typer.echo(say_text(text, language), err=True)
        else:
            failure.show()  # type: ignore[attr-defined]  # typer's own door has no name for its class
        return Exit.USAGE
    if isinstance(failure, PoradekError):
        typer.echo(say_text(failure.text, language), err=True)
        return failure.exit_code
    if isinstance(failure, OSError) and failure.errno == errno.ENOSPC and not failure.filename:  # stdout in a file
        typer.echo(say("cli.output_full", language), err=True)
        return Exit.USAGE
    if isinstance(failure, OSError) and failure.filename and not isinstance(failure, FileNotFoundError):
        fault = Text.of("cli.no_access", path=failure.filename, why=reason(failure))
        typer.echo(say_text(fault, language), err=True)
        return Exit.USAGE  # a folder that may not be entered, a name too long: pathlib only asks, and raises
    typer.echo("".join(traceback.format_exception(failure)), err=True, nl=False)
    typer.echo(say("cli.bug", language), err=True)
    return Exit.BUG
