"""What several tests of the whole share: photos of a tiny game, rendered once."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from synth import Layout, Shot, game_toml, make_game, make_scene, random_look, save_shot

from poradek_vision.model import Game

collect_ignore = ["training/train_heat.py"]  # takes torch, which nothing else needs

TINY_GAME = replace(make_game(2), title="Zkouška", sizes=(4, 3), no_mans_land=0)
TINY_BOARDS: Mapping[tuple[int, int], tuple[str, ...]] = {
    (0, 4): ("RRRR", "YG.B", "BYG.", ".RYG"),
    (0, 3): ("RB.", "BRB", "..R"),
    (1, 4): ("YYGG", "YYGG", "BB..", "BB.."),
    (1, 3): ("...", ".G.", "..."),
}
"""Team and size -> what is stuck on the board."""


def render(seed: int, *sheets: tuple[int, int], game: Game = TINY_GAME, width: int = 800, height: int = 1066) -> Shot:
    """An easy photo of some sheets of the tiny game; of the forest floor without any."""
    look = random_look(seed, "easy")
    look = replace(look, view=replace(look.view, width=width, height=height))
    layouts = [Layout(TINY_BOARDS[sheet]) for sheet in sheets]
    return make_scene(seed, game=game, sheets=sheets, look=look, layouts=layouts)


@pytest.fixture(autouse=True)
def _log_as_it_was():
    """Commands set up the package's log; the next test finds it untouched."""
    log = logging.getLogger("poradek_vision")
    before = log.handlers, log.level
    yield
    log.handlers, log.level = before


@pytest.fixture(scope="session")
def tiny_camp(tmp_path_factory) -> Path:
    """A folder with game.toml and four photos that between them show every board once; not to be written to."""
    folder = tmp_path_factory.mktemp("tiny") / "tábor"
    (folder / "odpolední kolo").mkdir(parents=True)
    (folder / "game.toml").write_text(game_toml(TINY_GAME), encoding="utf-8")
    save_shot(folder, "IMG_1.jpg", render(1, (0, 4)), orientation=6)
    heic = pillow_heif.from_pillow(Image.fromarray(np.ascontiguousarray(render(2, (0, 3)).pixels)))
    heic.save(folder / "IMG_2.HEIC", quality=90)
    save_shot(folder / "odpolední kolo", "žlutý stan č. 3.jpg", render(3, (1, 4)))
    Image.fromarray(render(4, (1, 3)).pixels).save(folder / "IMG_4.png")
    return folder


@pytest.fixture(scope="session")
def four_in_one(tmp_path_factory) -> Path:
    """One photo of all four boards; not to be written to."""
    folder = tmp_path_factory.mktemp("four")
    (folder / "game.toml").write_text(game_toml(TINY_GAME), encoding="utf-8")
    return save_shot(folder, "stůl.jpg", render(5, *TINY_BOARDS, width=1500, height=2000))
