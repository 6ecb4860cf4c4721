"""The rooms of the house: who may import whom, and which room is the door to which package."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "poradek_vision"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS = {
    "__init__": 0,
    "model": 0,
    "texts": 0,
    "errors": 1,
    "geometry": 2,
    "colour": 2,
    "sheet": 2,
    "find": 3,
    "cells": 3,
    "mark": 3,
    "settle": 3,
    "game": 3,
    "overlay": 3,
    "printing": 3,
    "files": 3,
    "pipeline": 4,
    "web": 5,
    "cli": 6,
    "__main__": 7,
}
DOORS = {
    "cv2": {"files", "geometry", "find", "mark", "overlay", "printing"},
    "skimage": {"colour"},
    "typer": {"cli"},
    "reportlab": {"printing"},
    "pi_heif": {"files"},
    "PIL": {"files"},
    "numpy": set(FLOORS) - {"game", "settle", "cli"},
    "flask": {"web"},
    "jinja2": {"web"},
    "waitress": {"web"},
    "werkzeug": {"web"},
    "socket": {"web"},
    "http": {"web"},
    "socketserver": {"web"},
}


def room_of(module: str) -> str:
    """The room of a module: ``find`` for ``poradek_vision.find.printed``."""
    return [*module.split("."), "__init__"][1]


def name_of(path: Path) -> str:
    """The dotted name of a file of the package; a folder's ``__init__`` is the folder."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, siblings: frozenset[str] = frozenset()) -> Iterator[str]:
    """Every module that a source imports, at its top or inside functions; ``siblings`` are known module names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"{module}.{alias.name}" for alias in node.names]
            yield module
            yield from (
                name for name in names if name in siblings or (module == "poradek_vision" and room_of(name) in FLOORS)
            )


def faults(source: str, module: str, siblings: frozenset[str] = frozenset()) -> list[str]:
    """What a module imports against the rules of the house."""
    room = room_of(module)
    if room not in FLOORS:
        return [f"{module} belongs to no room"]
    found = []
    for name in imported(source, siblings):
        top = name.split(".")[0]
        if name.startswith("."):
            found.append(f"{module} imports relatively")
        elif top == "poradek_vision":
            other = room_of(name)
            if other != room and FLOORS.get(other, 99) >= FLOORS[room]:
                found.append(f"{module} imports {name}, which is not below it")
            if other != room and name.count(".") > 1:
                found.append(f"{module} imports {name} past the door of {other}")
        elif room not in DOORS.get(top, FLOORS):
            found.append(f"{module} imports {top}, whose door is elsewhere")
    return found


def offered(path: Path) -> Iterator[str]:
    """What a folder's door offers by ``__all__``: a function may bear the name of the file that it lives in."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            yield from (f"{name_of(path)}.{name}" for name in ast.literal_eval(node.value))


DOORS_OFFER = {name for path in MODULES if path.name == "__init__.py" for name in offered(path)}
SIBLINGS = frozenset(map(name_of, MODULES)) - DOORS_OFFER


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_room_imports_only_from_lower_floors_and_through_doors(path):
    assert faults(path.read_text(encoding="utf-8"), name_of(path), SIBLINGS) == []


@pytest.mark.parametrize("room", sorted({room_of(name_of(path)) for path in MODULES}))
def test_files_of_a_room_do_not_import_in_circles(room):
    inside = {name_of(path): path for path in MODULES if room_of(name_of(path)) == room}
    graph = {
        name: {other for other in imported(path.read_text(encoding="utf-8"), SIBLINGS) if other in inside} - {name}
        for name, path in inside.items()
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("poradek_vision.sheet", "from poradek_vision.find import find_printed"),
        ("poradek_vision.find.printed", "from poradek_vision.files import load_game"),
        ("poradek_vision.find.printed", "from poradek_vision import files"),
        ("poradek_vision.cells", "import poradek_vision.mark"),
        ("poradek_vision.settle", "def lazy():\n    from poradek_vision.pipeline import score"),
        ("poradek_vision.pipeline", "from poradek_vision.files.settings import load_game"),
        ("poradek_vision.pipeline", "from poradek_vision.files import settings"),
        ("poradek_vision.find.printed", "from .frame import Frame"),
        ("poradek_vision.colour", "import cv2"),
        ("poradek_vision.find.ruled", "def lazy():\n    from skimage.color import rgb2lab"),
        ("poradek_vision.cli.score", "import numpy as np"),
        ("poradek_vision.game.runs", "import numpy.typing as npt"),
        ("poradek_vision.overlay", "from PIL import Image"),
        ("poradek_vision.files.photos", "import typer"),
        ("poradek_vision.utils", ""),
    ],
)
def test_a_bad_import_is_caught(module, source):
    assert faults(source, module, SIBLINGS)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("poradek_vision.find.printed", "import cv2\nfrom poradek_vision.find.frame import Frame"),
        ("poradek_vision.cli.print_", "from poradek_vision import __version__\nimport typer"),
        ("poradek_vision.pipeline", "from poradek_vision import find, files\nimport json"),
    ],
)
def test_a_good_import_is_not(module, source):
    assert faults(source, module, SIBLINGS) == []
