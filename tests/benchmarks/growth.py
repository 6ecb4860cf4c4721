"""How memory and time grow with the number of photos and with the boards in a photo.

    python tests/benchmarks/growth.py

Each line is a process of its own with one worker: so many different 12-megapixel photos (rendered; the same scene with
another pixel), or one photo with so many sheets; Linux only. Peak memory includes Python and its libraries; time is
CPU time in units of D, one full decode of the same file.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))  # before numpy

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

SHEETS = ((0, 6), (0, 5), (1, 6), (1, 4))
SEED = 12


def main() -> None:
    """Render, run each case in a process of its own, print."""
    if len(sys.argv) > 1:
        one_case(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
        return
    with tempfile.TemporaryDirectory() as folder:
        for sheets in (1, 2, 4):
            files = render(Path(folder), sheets, photos=1)
            print(f"1 photo with {sheets} sheets: {run(Path(folder), files)}")
        for photos in (1, 4, 16):
            files = render(Path(folder), 1, photos)
            print(f"{photos} photos with 1 sheet: {run(Path(folder), files)}")


def render(folder: Path, sheets: int, photos: int) -> list[Path]:
    """Different files of one scene of 12 megapixels."""
    from synth.command import enlarged
    from synth.look import random_look
    from synth.scene import make_scene

    pixels = make_scene(SEED, sheets=SHEETS[:sheets], look=enlarged(random_look(SEED, "easy"), 12.0)).pixels
    files = []
    for k in range(photos):
        other = np.ascontiguousarray(pixels[..., ::-1])
        other[0, 0] = k
        files.append(folder / f"{sheets}-{k}.jpg")
        files[-1].write_bytes(cv2.imencode(".jpg", other)[1].tobytes())
    return files


def run(folder: Path, files: list[Path]) -> str:
    """What a process of its own says of a case."""
    results = Path(tempfile.mkdtemp(dir=folder))
    command = [sys.executable, __file__, str(results), *map(str, files)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def one_case(results: Path, files: list[Path]) -> None:
    """Read the files with one worker and say what it took."""
    from poradek_vision.files import PhotoFile
    from poradek_vision.model import Failure, Game
    from poradek_vision.pipeline import Setup, batch

    cv2.setNumThreads(1)
    batch._MOST_WORKERS = 1
    start = time.process_time()
    outcomes = list(batch.read_batch([PhotoFile(file.name, file) for file in files], Setup(Game()), results))
    took = time.process_time() - start
    status = Path("/proc/self/status").read_text(encoding="utf-8")  # ru_maxrss would count the parent's memory too
    peak_mb = int(status.split("VmHWM:")[1].split()[0]) / 1024
    data = np.frombuffer(files[0].read_bytes(), np.uint8)
    start = time.process_time()
    for _ in range(5):
        cv2.imdecode(data, cv2.IMREAD_COLOR)
    decode = (time.process_time() - start) / 5
    boards = sum(0 if isinstance(outcome, Failure) else len(outcome) for outcome in outcomes)
    print(f"{boards} boards, peak {peak_mb:.0f} MB, {took / decode / len(files):.2f} D a photo")


if __name__ == "__main__":
    main()
