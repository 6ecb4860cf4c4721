"""Synthetic photos of printed sheets with exact truth: boards + light + camera + seed -> photo and truth."""

from synth.album import PHONES, Phone, game_toml, save_shot, truth_entry
from synth.look import Clutter, Develop, Difficulty, Fold, LightLook, Look, PaperLook, StickerLook, View, random_look
from synth.scene import DEFAULT_GAME, Layout, SheetName, Shot, make_game, make_scene, random_layout, sheet_spec
from synth.truth import BoardTruth

__all__ = [
    "DEFAULT_GAME",
    "PHONES",
    "BoardTruth",
    "Clutter",
    "Develop",
    "Difficulty",
    "Fold",
    "Layout",
    "LightLook",
    "Look",
    "PaperLook",
    "Phone",
    "SheetName",
    "Shot",
    "StickerLook",
    "View",
    "game_toml",
    "make_game",
    "make_scene",
    "random_layout",
    "random_look",
    "save_shot",
    "sheet_spec",
    "truth_entry",
]
