"""Batches judged together: from readings alone, the same whatever their order, and no person is overruled."""

import csv
from dataclasses import replace

import pytest

from poradek_vision.colour import palette_of_swatches
from poradek_vision.files import Batch, load_readings
from poradek_vision.model import (
    DEFAULT_COLOURS,
    BoardLook,
    BoardReading,
    CellReading,
    Correction,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Team,
)
from poradek_vision.pipeline import Setup, conclude, score
from poradek_vision.pipeline.together import read_together

PALETTE = replace(palette_of_swatches(DEFAULT_COLOURS), camera="default")
CENTRES = {entry.colour: entry.centre for entry in PALETTE.entries}
NAMES = ("Vlci", "Lišky", "Ježci", "Rysi", "Bobři", "Sovy")
GAME = Game(sizes=(2,), no_mans_land=0, teams=tuple(Team(name, name[0]) for name in NAMES))
SETUP = Setup(GAME, (PALETTE,))
OFF = replace(SETUP, batch=replace(SETUP.batch, on=False))
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
CROSSINGS = tuple(tuple((10.0 * x, 10.0 * y) for x in range(3)) for y in range(3))
GRID = GridFit(2, 2, IDENTITY, CROSSINGS, 0.1, "printed")
LOOK = BoardLook((0.7, 0.7, 0.7), (1.0, 1.0, 1.0))


def make_reading(team, rows="RY GB", doubts=(), camera="Tarn One", **fields):
    """A board whose stickers all look alike; those in ``doubts``, as (row, col), are in doubt."""
    cells = tuple(
        CellReading(r, c, code, "", 5.0 if (r, c) in doubts else 30.0 + len(team), ".", 0.9, flags, lab)
        for r, row in enumerate(rows.split())
        for c, code in enumerate(row)
        for flags in [(Flag.LOW_MARGIN,) if (r, c) in doubts else ()]
        for lab in [tuple(value + 0.1 * len(team) for value in CENTRES[code])]
    )
    fields = {"palette": "default", "look": LOOK, **fields}
    return BoardReading(
        f"{team}.jpg", f"{team}-sha", 0, GRID, MarkReading(team, "fiducial"), cells=cells, camera=camera, **fields
    )


BATCH = (make_reading("Vlci", doubts=[(0, 0)]), *map(make_reading, NAMES[1:]))


def cell_of(readings, team="Vlci"):
    return next(one.cells[0] for one in readings if one.mark.team == team)


def test_what_one_photo_leaves_in_doubt_the_batch_decides():
    cell = cell_of(read_together(BATCH, SETUP))
    assert (cell.colour, cell.flags, cell.by_batch) == ("R", (), True)


def test_it_can_be_switched_off():
    assert read_together(BATCH, OFF) == BATCH


@pytest.mark.parametrize("step", range(1, len(BATCH)))
def test_the_order_of_photos_changes_not_a_digit(step):
    turned = BATCH[step:] + BATCH[:step]
    together = read_together(turned, SETUP)
    assert together[-step:] + together[:-step] == read_together(BATCH, SETUP)


@pytest.mark.parametrize(
    "other",
    [{"camera": "Ostrov 3"}, {"look": None}, {"look": replace(LOOK, paper=(0.8, 0.7, 0.5))}, {"palette": "drawing"}],
    ids=["another camera", "never judged by colour", "brown paper", "drawn on a screen"],
)
def test_boards_that_can_not_be_compared_say_nothing(other):
    apart = (BATCH[0], *(make_reading(name, **other) for name in NAMES[1:]))
    assert read_together(apart, SETUP) == apart


def test_one_more_photo_changes_conclusions_and_no_reading():
    few, more = BATCH[:2], BATCH[:3]
    assert cell_of(read_together(few, SETUP)).flags
    assert not cell_of(read_together(more, SETUP)).flags
    assert cell_of(more).flags == (Flag.LOW_MARGIN,)


def test_a_strange_light_that_is_explained_is_no_doubt_about_the_board_any_more():
    strange = tuple(
        replace(
            one, flags=(Flag.STRANGE_LIGHT,), cells=tuple(replace(c, flags=(Flag.STRANGE_LIGHT,)) for c in one.cells)
        )
        for one in BATCH
    )
    assert all(not one.flags for one in read_together(strange, SETUP))
    assert all(one.flags for one in read_together(strange[:1], SETUP))


def settled(words=(), setup=SETUP):
    scored = score([(one,) for one in BATCH], words, setup)
    return scored, next(row for row in scored.settlement.ledger if row.team == "Vlci").cells[0]


def test_a_score_says_what_the_batch_decided():
    scored, cell = settled()
    assert (cell.colour, cell.flags, cell.by_batch, cell.corrected) == ("R", (), True, False)
    assert not scored.doubts
    scored, cell = settled(setup=OFF)
    assert (cell.flags, cell.by_batch) == ((Flag.LOW_MARGIN,), False)
    assert len(scored.doubts) == 1


def test_tables_follow_the_batch_and_readings_stay_what_the_photos_say(tmp_path):
    conclude([(one,) for one in BATCH], Batch((), tmp_path), tmp_path / "out", SETUP)
    with (tmp_path / "out/cells.csv").open(encoding="utf-8", newline="") as table:
        rows = [(row["photo"], row["row"], row["col"]) for row in csv.DictReader(table) if row["decided_by"] == "batch"]
    assert rows == [("Vlci.jpg", "1", "1")]
    assert load_readings(tmp_path / "out/readings.jsonl") == BATCH


def test_a_person_overrules_the_batch():
    word = Correction("Vlci-sha", "Vlci.jpg", 0, "cell", 0, 0, "G")
    _, cell = settled([word])
    assert (cell.colour, cell.flags, cell.corrected) == ("G", (), True)


def test_a_photo_that_is_sure_by_itself_needs_no_batch():
    again = replace(make_reading("Vlci"), photo="again.jpg", sha256="again-sha")
    scored = score([(again,), *((one,) for one in BATCH)], (), SETUP)
    cells = next(row for row in scored.settlement.ledger if row.team == "Vlci" and row.board).cells
    assert not cells[0].by_batch
