"""In which language the command line speaks when something goes wrong."""

from __future__ import annotations

import itertools
import locale
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poradek_vision.model import Language


def spoken_language(argv: Sequence[str]) -> Language:
    """The language of the game that the arguments point to, else the computer's.

    The game is looked for where commands look: ``--game FILE``, a folder or photo among the arguments, the current
    folder. Its ``language`` counts even where the rest of the file is wrong.

    Parameters
    ----------
    argv : sequence of str

    Returns
    -------
    {"cs", "en"}

    Examples
    --------
    >>> spoken_language(["print", "--game", "no such file"]) in ("cs", "en")
    True
    """
    from poradek_vision.files import peek_language

    if (named := _named_language(argv)) is not None:
        return named
    for path in _possible_games(argv):
        if language := peek_language(path):
            return language
    return computer_language()


def _named_language(argv: Sequence[str]) -> Language | None:
    """The language that the arguments name, as those of a new game do."""
    words = " ".join(argv).replace("--language=", "--language ").split()
    after = dict(itertools.pairwise(words)).get("--language")
    return "cs" if after == "cs" else "en" if after == "en" else None


def computer_language() -> Language:
    """Czech where the computer speaks Czech, else English."""
    name = locale.getlocale()[0] or ""
    return "cs" if name.startswith(("cs", "Czech")) else "en"


def _possible_games(argv: Sequence[str]) -> Iterator[Path]:
    """Where settings may lie, the likeliest first."""
    from poradek_vision.files import GAME_FILE

    words = [word.removeprefix("--game=") for word in argv]
    yield from (Path(word) for word in words if word.endswith(".toml"))
    paths = [Path(word) for word in words]
    yield from (folder / GAME_FILE for path in paths for folder in (path, path.parent))
    yield from filter(None, map(_game_of_results, paths))
    yield Path(GAME_FILE)


def _game_of_results(folder: Path) -> Path | None:
    """The settings that a results folder was made with, wherever it lies."""
    from poradek_vision.errors import SettingsError
    from poradek_vision.files import load_batch

    try:
        return load_batch(folder).game
    except SettingsError:
        return None
