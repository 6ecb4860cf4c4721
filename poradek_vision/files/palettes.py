"""Palettes: the colours of one camera each, as JSON that a person can read and compare line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from poradek_vision.errors import SettingsError, reason
from poradek_vision.files.plain import from_plain, parse_json, to_plain
from poradek_vision.files.writing import write_whole
from poradek_vision.model import DEFAULT_CAMERA, Palette

CALIBRATION = "calibration"
"""Folder of palettes."""


def save_palette(path: Path, palette: Palette) -> None:
    """Write a palette, whole; the same palette gives the same bytes, and comes back equal.

    Raises
    ------
    SettingsError
        If the file can't be written.
    """
    write_whole(path, _text(palette))


def replace_palette(folder: Path, palette: Palette) -> Path:
    """Write the palette of a camera in the place of its old one, which stays beside it as ``NAME.json.old``.

    Returns
    -------
    Path
        The file: that of the old palette whatever its name, else the one of :func:`palette_path`.

    Raises
    ------
    SettingsError
        If a file can't be written, or a file there is no palette.
    """
    path = next(
        (path for path in sorted(folder.glob("*.json")) if _same_camera(load_palette(path), palette)),
        palette_path(folder, palette.camera),
    )
    text = _text(palette)
    old = path.read_text(encoding="utf-8-sig") if path.exists() else text
    if old != text:
        write_whole(path.with_name(f"{path.name}.old"), old)
    save_palette(path, palette)
    return path


def _same_camera(one: Palette, other: Palette) -> bool:
    return one.camera.casefold() == other.camera.casefold()


def load_palette(path: Path) -> Palette:
    """Read a palette.

    Raises
    ------
    SettingsError
        If the file can't be read or is no palette; says what is wrong in it.
    """
    try:
        palette = from_plain(Palette, parse_json(path.read_text(encoding="utf-8-sig")))
        _check(palette)
    except OSError as error:
        raise SettingsError("palette.cannot_read", path=path, why=reason(error)) from error
    except ValueError as error:
        raise SettingsError("palette.foreign", path=path, why=error) from error
    return palette


def load_palettes(folder: Path) -> tuple[Palette, ...]:
    """Read every palette of a folder, in the order of their file names; none where there is no such folder.

    Raises
    ------
    SettingsError
        If a file is no palette, or two are for the same camera.
    """
    paths = sorted(folder.glob("*.json"))
    by_camera: dict[str, Path] = {}
    palettes = []
    for path in paths:
        palettes.append(load_palette(path))
        camera = palettes[-1].camera
        other = by_camera.setdefault(camera.casefold(), path)
        if other is not path:
            raise SettingsError("palette.twice", path=path, other=other.name, camera=camera)
    return tuple(palettes)


def find_palettes(folders: Iterable[Path]) -> tuple[Palette, ...]:
    """The palettes to score with.

    Parameters
    ----------
    folders : iterable of Path
        Where a ``calibration`` folder may lie, the likeliest first.

    Returns
    -------
    tuple of Palette
        Those of the first ``calibration`` folder that holds any, and those that come with the tool for all cameras
        that it has none for.

    Raises
    ------
    SettingsError
        If a file there is no palette, or two are for the same camera.
    """
    own = next(filter(None, (load_palettes(folder / CALIBRATION) for folder in folders)), ())
    return with_shipped(own)


def with_shipped(palettes: Sequence[Palette]) -> tuple[Palette, ...]:
    """Some palettes, and those that come with the tool for all other cameras."""
    cameras = {palette.camera.casefold() for palette in palettes}
    return (*palettes, *(palette for palette in _shipped() if palette.camera.casefold() not in cameras))


def _shipped() -> tuple[Palette, ...]:
    """The palettes that come with the tool: inside an installed package, beside it in a working copy."""
    package = Path(__file__).parents[1]
    return next(filter(None, (load_palettes(folder / CALIBRATION) for folder in (package, package.parent))), ())


def palette_path(folder: Path, camera: str) -> Path:
    """Where the palette of a camera is kept.

    Examples
    --------
    >>> palette_path(Path("calibration"), "Apple iPhone 12").name
    'Apple-iPhone-12.json'
    """
    return folder / (re.sub(r"[^\w.+]+", "-", camera).strip("-.") + ".json")


def choose_palette(palettes: Sequence[Palette], camera: str) -> Palette:
    """The palette of a camera, else the default one.

    Raises
    ------
    SettingsError
        If there is neither.

    Examples
    --------
    >>> choose_palette([Palette("default", ()), Palette("Apple iPhone 12", ())], "Canon EOS 90D").camera
    'default'
    """
    by_camera = {palette.camera.casefold(): palette for palette in palettes}
    chosen = by_camera.get(camera.casefold()) or by_camera.get(DEFAULT_CAMERA)
    if chosen is None:
        raise SettingsError("palette.none_for", camera=camera or "?")
    return chosen


def _check(palette: Palette) -> None:
    """Refuse a palette that can't tell anything."""
    colours = [entry.colour for entry in palette.entries]
    if not palette.camera or not colours:
        raise ValueError("no camera" if colours else "no entries")
    twice = sorted({colour for colour in colours if colours.count(colour) > 1})
    if twice:
        raise ValueError(f"entries: colour {twice[0]} twice")


def _text(palette: Palette) -> str:
    """What the file of a palette holds."""
    return _layout(to_plain(palette), "") + "\n"


def _layout(value: Any, indent: str) -> str:
    """JSON with a line for each thing that may change by itself: keys sorted, lists of numbers on one line."""
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key)}: {_layout(value[key], inner)}" for key in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and value and isinstance(value[0], (dict, str)):
        return "[\n" + ",\n".join(inner + _layout(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
