"""``poradek report``: the printed proof of a result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from poradek_vision.cli.options import QuietOption, ReviewedGameOption, VerboseOption, as_pdf, set_log_level

EXAMPLES = """\b
Examples:
  poradek report results
  poradek report results --out proof.pdf"""


def report(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", readable=False, help="A folder that poradek score wrote.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="PDF", readable=False, help="Where it goes; default: report.pdf in RESULTS.")
    ] = None,
    game: ReviewedGameOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Print a proof: the table, and for each team every board beside what was read, its points run by run."""
    from poradek_vision.cli.review import open_results
    from poradek_vision.files import write_whole
    from poradek_vision.pipeline import prove
    from poradek_vision.texts import say

    set_log_level(quiet=quiet, verbose=verbose)
    opened = open_results(results, game)
    path = as_pdf(out or results, "report.pdf")
    pdf = prove(opened)
    write_whole(path, pdf)
    if not quiet:
        typer.echo(say("report.written", opened.game.language, path=path))
