"""All that touches the disk: settings, photos, palettes, tables, corrections, cache; every file is written whole."""

from poradek_vision.files.listing import PhotoFile, list_photos
from poradek_vision.files.new_game import new_game_toml
from poradek_vision.files.photos import PhotoContent, decode_photo, load_content, load_photo
from poradek_vision.files.settings import GAME_FILE, find_game, load_game, parse_game, peek_language
from poradek_vision.files.writing import write_whole

__all__ = [
    "GAME_FILE",
    "PhotoContent",
    "PhotoFile",
    "decode_photo",
    "find_game",
    "list_photos",
    "load_content",
    "load_game",
    "load_photo",
    "new_game_toml",
    "parse_game",
    "peek_language",
    "write_whole",
]
