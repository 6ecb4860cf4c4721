"""What commands work with: the game and the palettes, found where people keep them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poradek_vision.model import Game, Palette
    from poradek_vision.pipeline import Setup


def find_settings(photos: Sequence[Path], given: Path | None) -> tuple[Game, Path | None]:
    """The game and its file: the given one, that of the photos or a folder above, of the current folder, or none.

    Parameters
    ----------
    photos : sequence of Path
        Photos and folders of photos.
    given : Path or None

    Raises
    ------
    SettingsError
        If the file can't be read, or is no game.
    """
    from poradek_vision.files import find_game, load_game

    folders = [path if path.is_dir() else path.parent for path in photos]
    above = [folder.parent if folder.name else folder.absolute().parent for folder in folders]
    file = given or find_game([*folders, *above, Path()])
    if file is None:
        return default_game(), None
    return load_game(file), file


def _with_sizes(game: Game, sizes: Sequence[int]) -> Game:
    """The game with boards of other sizes, if any are asked for.

    A no man's land of such a size would not be told from a team's board: then there is none.
    """
    if not sizes:
        return game
    distinct = tuple(dict.fromkeys(sizes))
    return replace(game, sizes=distinct, no_mans_land=0 if game.no_mans_land in distinct else game.no_mans_land)


def setup_of(game: Game, palettes: tuple[Palette, ...], camera: str, sizes: Sequence[int]) -> Setup:
    """What readings depend on; of sizes that were asked for any grid counts, whatever its cells hold.

    Parameters
    ----------
    game : Game
    palettes : tuple of Palette
    camera : str
        The palette asked for, if any.
    sizes : sequence of int
        Those asked for in place of the game's, if any.
    """
    from poradek_vision.pipeline import Setup

    setup = Setup(_with_sizes(game, sizes), palettes, camera)
    if not sizes:
        return setup
    ruled, refusal = replace(setup.ruled, any_cells=True), replace(setup.refusal, any_cells=True)
    return replace(setup, ruled=ruled, refusal=refusal)


def folder_of(game_file: Path | None) -> Path:
    """The folder in which a game lives: the current one where there is no file."""
    return Path() if game_file is None else game_file if game_file.is_dir() else game_file.parent


def default_game() -> Game:
    """The game where no file says what it is, in the language of the computer."""
    from poradek_vision.cli.language import computer_language
    from poradek_vision.files import default_colours
    from poradek_vision.model import Game

    language = computer_language()
    return Game(language=language, colours=default_colours(language))


def find_colours(
    folder: Path | None, game_file: Path | None, camera: str, here: Path | None = None
) -> tuple[Palette, ...]:
    """The palettes to judge colours by.

    Parameters
    ----------
    folder : Path or None
        The folder of palettes asked for; by default those beside the game.
    game_file : Path or None
    camera : str
        The palette asked for, if any.
    here : Path, optional
        What was the current folder, where it is another one now.

    Raises
    ------
    SettingsError
        If the folder has no palette, or no palette is the camera's.
    """
    from poradek_vision.errors import SettingsError
    from poradek_vision.files import find_palettes, load_palettes, with_shipped

    here = here or Path()
    home = here if game_file is None else folder_of(game_file)
    own = load_palettes(folder) if folder else ()
    if folder and not own:
        raise SettingsError("score.no_palettes", path=folder)
    palettes = with_shipped(own) if folder else find_palettes([home, here])
    cameras = [palette.camera for palette in palettes]
    if camera and camera.casefold() not in map(str.casefold, cameras):
        raise SettingsError("score.no_such_camera", camera=camera, allowed=", ".join(cameras) or "–")
    return palettes
