"""All that touches the disk: settings, photos, palettes, tables, corrections, cache; every file is written whole."""

from poradek_vision.files.settings import peek_language
from poradek_vision.files.writing import write_whole

__all__ = ["peek_language", "write_whole"]
