"""A small batch under review, made of records: no photo is opened."""

from pathlib import Path

from poradek_vision.files import Batch, PhotoFile, find_palettes, load_batch, load_game, save_batch, save_readings
from poradek_vision.model import (
    BoardReading,
    CellReading,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Team,
    Text,
)
from poradek_vision.pipeline import Setup, fingerprint, open_review

GAME = Game(title="Zkouška", sizes=(3,), no_mans_land=0, teams=(Team("Vlci", "A"), Team("Lišky", "B")))
SHA = {"a.jpg": "a" * 64, "b.jpg": "b" * 64, "nic.jpg": "c" * 64}
EVIL = '<img src=x onerror="alert(1)">.jpg'


def make_reading(photo, team, rows, doubts=(), sha256="", index=0):
    """A reading of typed rows; each doubt is (row, col, second choice)."""
    seconds = {(row, col): second for row, col, second in doubts}
    cells = tuple(
        CellReading(r, c, colour, second=seconds.get((r, c), ""), confidence=0.8, flags=_flags(r, c, seconds))
        for r, row in enumerate(rows)
        for c, colour in enumerate(row)
    )
    crossings = tuple(tuple((100.0 * x, 100.0 * y) for x in range(len(rows) + 1)) for y in range(len(rows) + 1))
    grid = GridFit(len(rows), len(rows), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), crossings, 0.1, "printed")
    return BoardReading(photo, sha256 or SHA[photo], index, grid, MarkReading(team, "fiducial"), "default", cells)


def _flags(row, col, seconds):
    return (Flag.LOW_MARGIN,) if (row, col) in seconds else ()


READINGS = (
    make_reading("a.jpg", "Vlci", ("RR.", "...", "..."), [(0, 2, "R"), (2, 2, "Y")]),
    make_reading("b.jpg", "Lišky", ("YYY", "...", "...")),
)
LOST = Failure("nic.jpg", SHA["nic.jpg"], "not_found", Text.of("find.nothing", photo="nic.jpg", sizes="6×6"))


def make_results(folder: Path, readings=READINGS, failures=(LOST,), game=GAME, excel=None, from_file=False) -> Path:
    """A results folder as ``poradek score`` leaves it, without pictures; ``from_file``: of the game.toml beside it."""
    names = dict.fromkeys((*(one.photo for one in readings), *(one.photo for one in failures)))
    photos = tuple(PhotoFile(name, folder.parent / f"photo{k}.jpg") for k, name in enumerate(names))
    file = folder.parent / "game.toml" if from_file else None
    setup = Setup(load_game(file), find_palettes([folder.parent])) if file else Setup(game)
    batch = Batch(photos, folder.parent, file, excel=excel, settings=fingerprint(setup), failures=tuple(failures))
    save_batch(folder, batch)
    save_readings(folder / "readings.jsonl", readings)
    return folder


def open_made(folder: Path, game=GAME, **more):
    """The batch of :func:`make_results` under review."""
    if not (folder / "batch.json").exists():
        make_results(folder, game=game, **more)
    return open_review(folder, Setup(game), load_batch(folder))
