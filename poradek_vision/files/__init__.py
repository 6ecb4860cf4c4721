"""All that touches the disk: settings, photos, palettes, tables, corrections, cache; every file is written whole."""

from poradek_vision.files.batches import BATCH, Batch, left_out, load_batch, save_batch
from poradek_vision.files.cache import cache_key, drop_cached, load_cached, save_cached
from poradek_vision.files.corrections import are_corners, load_corrections, save_corrections
from poradek_vision.files.grids import TypedGrid, load_grid, parse_grid
from poradek_vision.files.listing import PhotoFile, list_photos
from poradek_vision.files.new_game import new_game_toml
from poradek_vision.files.palettes import (
    CALIBRATION,
    choose_palette,
    find_palettes,
    load_palette,
    load_palettes,
    palette_path,
    replace_palette,
    save_palette,
    with_shipped,
)
from poradek_vision.files.photos import PhotoContent, decode_photo, load_content, load_photo
from poradek_vision.files.pictures import (
    FLAGGED,
    drop_flagged,
    drop_land,
    drop_pictures,
    land_picture,
    picture_paths,
    picture_stems,
    save_picture,
    shows,
    without_pictures,
)
from poradek_vision.files.readings import READINGS, load_readings, reading_from_json, reading_to_json, save_readings
from poradek_vision.files.settings import GAME_FILE, default_colours, find_game, load_game, parse_game, peek_language
from poradek_vision.files.spelling import as_meant
from poradek_vision.files.tables import TABLES, Excel, write_results
from poradek_vision.files.to_review import TO_REVIEW, Filled, OpenRow, Place, load_to_review, save_to_review
from poradek_vision.files.writing import check_writable, locked, outdated, write_whole

__all__ = [
    "BATCH",
    "CALIBRATION",
    "FLAGGED",
    "GAME_FILE",
    "READINGS",
    "TABLES",
    "TO_REVIEW",
    "Batch",
    "Excel",
    "Filled",
    "OpenRow",
    "PhotoContent",
    "PhotoFile",
    "Place",
    "TypedGrid",
    "are_corners",
    "as_meant",
    "cache_key",
    "check_writable",
    "choose_palette",
    "decode_photo",
    "default_colours",
    "drop_cached",
    "drop_flagged",
    "drop_land",
    "drop_pictures",
    "find_game",
    "find_palettes",
    "land_picture",
    "left_out",
    "list_photos",
    "load_batch",
    "load_cached",
    "load_content",
    "load_corrections",
    "load_game",
    "load_grid",
    "load_palette",
    "load_palettes",
    "load_photo",
    "load_readings",
    "load_to_review",
    "locked",
    "new_game_toml",
    "outdated",
    "palette_path",
    "parse_game",
    "parse_grid",
    "peek_language",
    "picture_paths",
    "picture_stems",
    "reading_from_json",
    "reading_to_json",
    "replace_palette",
    "save_batch",
    "save_cached",
    "save_corrections",
    "save_palette",
    "save_picture",
    "save_readings",
    "save_to_review",
    "shows",
    "with_shipped",
    "without_pictures",
    "write_results",
    "write_whole",
]
