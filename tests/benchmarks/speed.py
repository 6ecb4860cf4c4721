"""How long a photo takes, stage by stage, in units of D: one full decode of the same file in the same run.

    python tests/benchmarks/speed.py [PHOTO ...] [--rounds 9] [--game game.toml]
    python tests/benchmarks/speed.py --card CARD.jpg [--game game.toml]

One core, warm process; CPU seconds of this process, so that a busy machine disturbs little; rounds of D and of all
stages take turns, and medians are compared. Without photos: the 12-megapixel samples.
``--card`` measures calibrating instead.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from poradek_vision.files import PhotoFile, decode_photo, find_game, find_palettes, load_content, load_game
from poradek_vision.find import find_printed
from poradek_vision.model import Game
from poradek_vision.overlay import encode_jpeg, encode_png, paint_board, paint_calibration
from poradek_vision.pipeline import Calibration, Setup, calibrate, learn_from_cards, read_content

SAMPLES = Path(__file__).parents[2] / "sample_photos"
LEAST_PIXELS = 11_000_000


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="*")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--game", type=Path)
    parser.add_argument("--card", type=Path, help="a photo of the calibration card")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.card:
        learn, paint = measure_card(asked.card, load_game(asked.game) if asked.game else Game(), asked.rounds)
        print(
            f"{asked.card.name}: {pixels(asked.card) / 1e6:.1f} MP, learning {learn:.2f} D, its picture {paint:.2f} D"
        )
        return
    photos = asked.photos or [path for path in sorted(SAMPLES.glob("*.jpg")) if pixels(path) > LEAST_PIXELS]
    print(f"{'photo':24s} {'MP':>5s} {'load':>6s} {'find':>6s} {'cells':>6s} {'paint':>6s} {'all':>6s}   (D)")
    totals = []
    for path in photos:
        game_file = asked.game or find_game([path.parent])
        shares = measure(path, load_game(game_file) if game_file else Game(), asked.rounds)
        totals.append(sum(shares))
        row = " ".join(f"{share:6.2f}" for share in (*shares, totals[-1]))
        print(f"{path.name:24s} {pixels(path) / 1e6:5.1f} {row}")
    print(f"median {statistics.median(totals):.2f} D, worst {max(totals):.2f} D")


def pixels(path: Path) -> int:
    """Pixels of a file's picture."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_8)
    return 64 * picture.size


def measure(path: Path, game: Game, rounds: int) -> tuple[float, float, float, float]:
    """Load, find, judge the cells, paint and encode: each as a share of D.

    A photo that has to be decoded a second time has that under cells.
    """
    file, setup = PhotoFile(path.name, path), Setup(game)
    data = np.frombuffer(path.read_bytes(), np.uint8)
    content = load_content(file)
    coarse = decode_photo(content, min_pixels=setup.find.coarse_pixels)
    photo, outcome = read_content(content, setup)
    boards = outcome if isinstance(outcome, tuple) else ()
    stages: list[Callable[[], object]] = [
        lambda: cv2.imdecode(data, cv2.IMREAD_COLOR),
        lambda: decode_photo(load_content(file), min_pixels=setup.find.coarse_pixels),
        lambda: find_printed(coarse, game, setup.find),
        lambda: read_content(load_content(file), setup),
        lambda: [encode_jpeg(paint_board(photo, board, game)) for board in boards],
    ]
    d, load, find, read, paint = timed(stages, rounds)
    return load / d, find / d, max(read - find - load, 0.0) / d, paint / d


def measure_card(path: Path, game: Game, rounds: int) -> tuple[float, float]:
    """Learn a palette from a card, and paint and encode its picture: each as a share of D."""
    file, setup = PhotoFile(path.name, path), Setup(game, find_palettes([]))
    data = np.frombuffer(path.read_bytes(), np.uint8)

    def learn() -> Calibration:
        return calibrate(learn_from_cards([file], setup).lessons, None, "x", setup, "")

    done = learn()
    cells = [cell for lesson in done.lessons for cell in lesson.cells]
    d, learning, painting = timed(
        [
            lambda: cv2.imdecode(data, cv2.IMREAD_COLOR),
            learn,
            lambda: encode_png(paint_calibration(done.palette, cells, done.separations, done.close, game)),
        ],
        rounds,
    )
    return learning / d, painting / d


def timed(stages: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Median CPU seconds of each of some stages that take turns."""
    seconds: list[list[float]] = [[] for _ in stages]
    for _ in range(rounds):
        for k, stage in enumerate(stages):
            start = time.process_time()
            stage()
            seconds[k].append(time.process_time() - start)
    return [statistics.median(times) for times in seconds]


if __name__ == "__main__":
    main()
