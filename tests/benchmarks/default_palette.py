"""Make calibration/default.json from rendered photos: the mean of many looks, lights and sticker pigments.

    python tests/synth FOLDER --count 120 --seed 2024
    python tests/benchmarks/default_palette.py FOLDER --note "tests/synth --count 120 --seed 2024"

Each cell's colour is known from the truth beside the photos; a cell counts where it shows at least a third of it.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from poradek_vision import __version__
from poradek_vision.cells import CellSettings
from poradek_vision.cells.light import divide_light
from poradek_vision.cells.patches import cut, grid_boxes
from poradek_vision.cells.samples import sample
from poradek_vision.colour import fit_palette, palette_of_swatches
from poradek_vision.files import PhotoFile, load_game, load_photo, save_palette
from poradek_vision.find import FindSettings, find_printed, rectify

OUT = Path(__file__).parents[2] / "calibration" / "default.json"
LEAST_SHARE = 0.33


def main() -> None:
    """Fit and save the palette."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--note", required=True, help="how the photos were made")
    parser.add_argument("--date", required=True, help="ISO date")
    asked = parser.parse_args()
    game = load_game(asked.folder / "game.toml")
    settings, swatches = CellSettings(), palette_of_swatches(game.colours)
    found: dict[str, list[np.ndarray]] = defaultdict(list)
    for truth in json.loads((asked.folder / "truth.json").read_text(encoding="utf-8"))["photos"]:
        if truth["board"] == "calibration":
            continue
        photo = load_photo(PhotoFile(truth["file"], asked.folder / truth["file"]))
        for grid in find_printed(photo, game, FindSettings()).grids:
            margin = settings.margin_cells
            region = (-margin, -margin, grid.cols + margin, grid.rows + margin)
            rectified = rectify(photo, grid, settings.px_per_cell, region)
            lit = divide_light(rectified, grid.rows, grid.cols, True, settings.light)
            patches = cut(lit, grid_boxes(grid.rows, grid.cols), settings.samples)
            samples = sample(patches, swatches, settings.samples)
            for k, code in enumerate("".join(truth["rows"])):
                if code in game.codes and samples.share[k, 1 + game.codes.index(code)] > LEAST_SHARE:
                    found[code].append(samples.lab[k, 1 + game.codes.index(code)])
    samples_by_colour = {code: np.array(found[code]) for code in game.codes}
    save_palette(OUT, fit_palette(samples_by_colour, "default", [f"rendered: {asked.note}"], asked.date, __version__))


if __name__ == "__main__":
    main()
