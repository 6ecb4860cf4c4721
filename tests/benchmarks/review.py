"""How long the review takes to follow one change among many boards, against reading all of it anew.

    python tests/benchmarks/review.py [--boards 200]

Seconds of this process, the least of three, for opening the review of so many typed boards and for one cell set in it.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from web.made_review import GAME, make_reading, open_made

from poradek_vision.model import BoardReading, Team
from poradek_vision.web.desk import Desk

ROWS = ("RYGBR.", "YYGB.R", "RRGG.B", "BYYRGG", ".RRYBB", "GG.YRR")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=200)
    boards = parser.parse_args().boards
    game = replace(GAME, sizes=(6, 5, 4, 3), teams=tuple(Team(f"tým {k}", "A") for k in range(-(-boards // 4))))
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base) / "results"
        desk = Desk(open_made(folder, game=game, readings=[typed(k) for k in range(boards)], failures=()))
        opening = min(timed(lambda: Desk(open_made(folder, game=game))) for _ in range(3))
        act = min(timed(lambda k=k: desk.do("t", cell_set(k))) for k in range(3))
    print(f"{boards} boards: opening {opening:.2f} s, one cell set {act:.2f} s, {act / opening:.2f} of it")


def cell_set(k: int) -> dict[str, object]:
    """What the page asks for when a person sets a cell of the kth board."""
    return {"do": "cell", "photo": f"{k:064x}", "board": 0, "row": 0, "col": 1, "value": "RGB"[k]}


def typed(k: int) -> BoardReading:
    """The kth board, of 6×6 to 3×3 cells, two of them in doubt."""
    rows = ROWS[: 6 - k % 4]
    one = make_reading(f"{k:03}.jpg", f"tým {k // 4}", rows, [(0, 1, "R"), (1, 1, "G")], f"{k:064x}")
    return replace(one, cells=tuple(cell for cell in one.cells if cell.col < one.grid.rows))


def timed(work: Callable[[], object]) -> float:
    """Seconds of this process that some work takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
