"""What calibration is worth: cell errors with the default palette, with a phone's own, with the key, with adaptation.

    python tests/benchmarks/phones.py [--boards 4] [--seed 1] [--sets RYGB OPLD]

Four made-up phones that turn hues each their own way, in sun, shade, at dusk, under a lamp and with flash; for each a
photo of the card and some of boards, 6×6, 5×5, 4×4 and 3×3 in turn, of each set of colours. ``wrong`` is how many cells
are wrong, ``silent`` how many of these are not flagged, ``open`` the share that is flagged: each board by itself, and
after the second look at all boards of a phone and palette together. ``decided`` is how many cells the others decided,
and how many of these wrongly; ``doubted`` how many they put in doubt.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from synth import Phone, make_game, make_scene, save_shot
from synth.phones import CAMP_LIGHTS, CAMP_PHONES, CampLight, colour_game, phone_look, sticker_pigments

from poradek_vision.cells import BatchSettings, CellSettings, SeenCells, judge_together, learn_cells, read_cells
from poradek_vision.files import PhotoFile, find_palettes, load_photo
from poradek_vision.find import find_printed, rectify
from poradek_vision.model import EMPTY, CellReading, Game, KnownCell, Palette, Point, Rectified
from poradek_vision.pipeline import Lesson, Setup, calibrate, learn_from_cards, palette_for
from poradek_vision.pipeline.reading import _region
from poradek_vision.pipeline.sheets import key_places

SIZE, SIZES = 6, (6, 5, 4, 3)
HIDDEN_FROM = 0.25
SETTINGS = CellSettings()
STILL = replace(SETTINGS, adapt=replace(SETTINGS.adapt, cells_most=0.0))
"""Without adaptation to the photo's own cells."""


@dataclass(frozen=True)
class Case:
    """One board laid flat, what is on it, and where it comes from."""

    codes: str
    phone: Phone
    light: CampLight
    size: int
    rectified: Rectified
    key: tuple[Point, ...]
    truth: str
    """Row by row; ``?`` where nothing is to be seen."""


@dataclass(frozen=True)
class Camp:
    """The boards of one game, and each phone's palette in each light."""

    game: Game
    cases: tuple[Case, ...]
    palettes: dict[tuple[Phone, CampLight], Palette]
    learned: dict[Phone, Palette] = field(default_factory=dict)
    """Each phone's palette from its boards, once it was asked for."""


Choice = Callable[[Camp, Case], Palette]


def main() -> None:
    """Render, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=4, help="of each phone, light and set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", nargs="+", default=["RYGB", "OPLD"], help="colours of each game")
    asked = parser.parse_args()
    for codes in asked.sets:
        table(make_camp(codes, asked.boards, asked.seed))


def make_camp(codes: str, boards: int, seed: int, phones: Sequence[Phone] = CAMP_PHONES) -> Camp:
    """Render one game's photos and take what is needed out of them."""
    game = colour_game(make_game(3), codes)
    setup = Setup(game, find_palettes([]))
    cases, palettes = [], {}
    with TemporaryDirectory() as folder:
        for phone in phones:
            p = CAMP_PHONES.index(phone)
            pigments = sticker_pigments(codes, 100 * seed + p)
            for k, light in enumerate(CAMP_LIGHTS):
                for board in range(boards + 1):
                    at = 10_000 * seed + 1000 * p + 100 * k + board
                    size = SIZES[(board - 1) % len(SIZES)]
                    look = phone_look(phone, light, pigments, at, key=True)
                    shot = make_scene(at, game=game, sheets=["card" if board == 0 else (0, size)], look=look)
                    file = PhotoFile("photo.jpg", save_shot(Path(folder), "photo.jpg", shot, phone=phone))
                    if board == 0:
                        lessons = learn_from_cards([file], setup).lessons
                        palettes[phone, light] = calibrate(lessons, None, phone.model, setup, "").palette
                    else:
                        truth = shot.boards[0]
                        cells = "".join(
                            "?" if hidden > HIDDEN_FROM else code
                            for row, line in zip(truth.rows, truth.hidden, strict=True)
                            for code, hidden in zip(row, line, strict=True)
                        )
                        cases.append(Case(codes, phone, light, size, *laid_flat(file, setup), cells))
    return Camp(game, tuple(cases), palettes)


def laid_flat(file: PhotoFile, setup: Setup) -> tuple[Rectified, tuple[Point, ...]]:
    """The board in a photo, and where its colour key is."""
    photo = load_photo(file)
    (grid,) = find_printed(photo, setup.game, setup.find).grids
    key = key_places(grid, setup.game)
    return rectify(photo, grid, SETTINGS.px_per_cell, _region(grid, key, SETTINGS.margin_cells)), key


def default(camp: Camp, case: Case) -> Palette:
    return palette_for("", Setup(camp.game, find_palettes([])))


def same_light(camp: Camp, case: Case) -> Palette:
    return camp.palettes[case.phone, case.light]


def other_light(camp: Camp, case: Case) -> Palette:
    """Of the next light in the list: after flash comes sun."""
    lights = list(CAMP_LIGHTS)
    return camp.palettes[case.phone, lights[(lights.index(case.light) + 1) % len(lights)]]


def in_the_sun(camp: Camp, case: Case) -> Palette:
    """One for all lights, as a leader calibrates: of a card in the sun."""
    return camp.palettes[case.phone, "sun"]


def another_phone(camp: Camp, case: Case) -> Palette:
    """Of the next phone in the list, in the sun."""
    phones = list(dict.fromkeys(phone for phone, _ in camp.palettes))
    return camp.palettes[phones[(phones.index(case.phone) + 1) % len(phones)], "sun"]


def reviewed_boards(camp: Camp, case: Case) -> Palette:
    """As ``calibrate --from`` learns it: from all boards of the phone, whatever their light, once reviewed."""
    if case.phone not in camp.learned:
        lessons = [
            Lesson(f"{k}", f"{k}", "", "", _settled_cells(camp, other))
            for k, other in enumerate(camp.cases)
            if other.phone == case.phone
        ]
        bold = replace(SETTINGS, separation=replace(SETTINGS.separation, least_widths=-99.0))
        setup = Setup(camp.game, find_palettes([]), cells=bold)
        camp.learned[case.phone] = calibrate(lessons, None, case.phone.model, setup, "").palette
    return camp.learned[case.phone]


def _settled_cells(camp: Camp, case: Case) -> tuple[KnownCell, ...]:
    """What the cells of a board teach: as they were read, those in doubt as a person settles them."""
    prior = default(camp, case)
    cells = read_cells(case.rectified, case.size, case.size, True, (), prior, SETTINGS).cells
    settled = [code if cell.flags else cell.colour for cell, code in zip(cells, case.truth, strict=True)]
    codes = [EMPTY if code == "?" else code for code in settled]
    return learn_cells(case.rectified, (case.size, case.size), True, codes, prior, SETTINGS)


METHODS: tuple[tuple[str, Choice, bool, CellSettings], ...] = (
    ("default palette", default, False, STILL),
    ("default palette, adapted", default, False, SETTINGS),
    ("default palette and key", default, True, STILL),
    ("default palette and key, adapted", default, True, SETTINGS),
    ("reviewed boards, adapted", reviewed_boards, False, SETTINGS),
    ("card in another light", other_light, False, STILL),
    ("card in another light, adapted", other_light, False, SETTINGS),
    ("card in the sun, adapted", in_the_sun, False, SETTINGS),
    ("another phone's card, adapted", another_phone, False, SETTINGS),
    ("card in the same light", same_light, False, STILL),
    ("card in the same light, adapted", same_light, False, SETTINGS),
)


def table(camp: Camp) -> None:
    """Print how each way of choosing colours did on one game."""
    print(f"{camp.cases[0].codes}: {len(camp.cases)} boards, {len(CAMP_PHONES)} phones, {len(CAMP_LIGHTS)} lights")
    for name, choose, key, settings in METHODS:
        alone = [(case, *seen(camp, case, choose, key, settings)) for case in camp.cases]
        together = second_look(alone)
        told = list(judged(alone, together))
        by_others = [after.colour == code for _, after, code in told if after.by_batch]
        doubted = sum(not before.flags and bool(after.flags) for before, after, _ in told)
        print(
            f"  {name:34s} {len(told):6d} cells  alone {counted([(cell, code) for cell, _, code in told])}"
            f"  together {counted([(cell, code) for _, cell, code in told])}"
            f"  decided {len(by_others):3d}, {by_others.count(False)} wrong  doubted {doubted}",
            flush=True,
        )


def seen(camp: Camp, case: Case, choose: Choice, key: bool, settings: CellSettings) -> tuple[Palette, SeenCells]:
    """A board by itself, and the palette that it was read with."""
    places: Sequence[Point] = case.key if key else ()
    palette = choose(camp, case)
    return palette, read_cells(case.rectified, case.size, case.size, True, tuple(places), palette, settings)


def second_look(alone: Sequence[tuple[Case, Palette, SeenCells]]) -> list[tuple[CellReading, ...]]:
    """The cells of each board after all boards of a phone and palette were judged together."""
    groups: dict[tuple[Phone, Palette], list[int]] = {}
    for k, (case, palette, _) in enumerate(alone):
        groups.setdefault((case.phone, palette), []).append(k)
    cells = [read.cells for *_, read in alone]
    for (_, palette), members in groups.items():
        boards = [(alone[k][2].look, alone[k][2].cells) for k in members]
        again = judge_together(boards, palette, SETTINGS.samples, SETTINGS.judging, BatchSettings())
        for k, judged_again in zip(members, again, strict=True):
            cells[k] = judged_again
    return cells


def judged(
    alone: Sequence[tuple[Case, Palette, SeenCells]], together: Sequence[tuple[CellReading, ...]]
) -> Iterator[tuple[CellReading, CellReading, str]]:
    """Every cell that can be seen, by itself and after the second look, and what it is."""
    for (case, _, read), cells in zip(alone, together, strict=True):
        for before, after, code in zip(read.cells, cells, case.truth, strict=True):
            if code != "?":
                yield before, after, code


def counted(cells: Sequence[tuple[CellReading, str]]) -> str:
    """How many are wrong, how many of these in silence, how many are open."""
    wrong = [cell for cell, code in cells if cell.colour != code]
    flagged = sum(bool(cell.flags) for cell, _ in cells)
    silent = sum(not cell.flags for cell in wrong)
    return f"{len(wrong):3d} wrong, {silent} silent, {flagged:3d} = {100 * flagged / len(cells):4.1f} % open"


if __name__ == "__main__":
    main()
