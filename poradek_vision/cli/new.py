"""``poradek new``: a folder for a new game."""

from __future__ import annotations

import enum
import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from poradek_vision.cli.options import QuietOption, VerboseOption, set_log_level

EXAMPLES = """\b
Example:
  poradek new "Camp 2027" --teams "Wolves,Foxes,Lynxes" --language en"""


class LanguageChoice(enum.StrEnum):
    """The languages, as typer before 0.19 wants them (it knows no Literal)."""

    CS = "cs"
    EN = "en"


def new(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", readable=False, help="Folder of the game; made where it is missing.")
    ],
    teams: Annotated[str, typer.Option(metavar="NAMES", help="Names of the teams, between commas or semicolons.")] = "",
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Title on the sheets; default: the folder's name.")
    ] = None,
    language: Annotated[
        LanguageChoice | None, typer.Option(help="Of sheets and results; default: the computer's.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a game.toml that is there.")] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Make a game folder with a commented game.toml.

    With --force the old game.toml stays beside the new one as game.toml.old.
    """
    from poradek_vision.cli.language import computer_language
    from poradek_vision.errors import SettingsError
    from poradek_vision.files import GAME_FILE, new_game_toml, parse_game, write_whole
    from poradek_vision.mark import advise, choose_marks
    from poradek_vision.model import bare
    from poradek_vision.texts import say

    set_log_level(quiet=quiet, verbose=verbose)
    path = folder / GAME_FILE
    spoken = language.value if language else computer_language()
    names = [name.strip() for name in re.split("[,;\n]", teams) if name.strip()]
    heading = folder.resolve().name if title is None else title
    marks = choose_marks(names)
    text = new_game_toml(names, marks=marks, title=heading, language=spoken)
    if path.exists():
        if not force:
            raise SettingsError("new.exists", path=path)
        write_whole(path.with_name(f"{path.name}.old"), path.read_bytes())
    write_whole(path, text)
    if not quiet:
        typer.echo(say("new.written", spoken, path=path))
        if names:
            told = ", ".join(f"{name} ({mark})" for name, mark in zip(names, marks, strict=True))
            typer.echo(say("new.teams" if len(names) > 1 else "new.one_team", spoken, teams=told, count=len(names)))
        if any(bare(name[:1]) != bare(mark) for name, mark in zip(names, marks, strict=True)):
            typer.echo(say("new.other_marks", spoken))
        for advice in advise(parse_game(text).teams):  # of teams called by one sign, or very many
            typer.echo(say("new.alike", spoken, **asdict(advice)))
        typer.echo(say("new.print_next" if names else "new.edit_teams", spoken, path=path))
