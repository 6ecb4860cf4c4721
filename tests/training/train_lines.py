"""Train the reader of lines and write its weights: ``python -m training.train_lines FOLDER OUT``."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.lines import IGNORED, line_sample
from training.pen_strokes import load_writers
from training.train import folded, font_files, resume

logger = logging.getLogger(__name__)

CHANNELS = (16, 28, 40, 48, 48)
STRIDES = ((2, 2), (1, 1), (2, 1), (1, 1), (2, 1))
HIDDEN = 96
HELD_SAMPLES = 3_000
KINDS = ("fonts", "hands", "joined")
"""Lists of fonts: printed ones, written ones, and those whose letters are joined."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the fonts of the lists lie that have no full path")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--samples", type=int, default=110_000)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights to go on from, at half the rate")
    parser.add_argument("--strokes", type=Path, nargs="*", default=[], help="files of real pens' strokes")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    folder = arguments.folder
    kinds = [font_files(f"{kind}.txt", folder) for kind in KINDS]
    lines, classes = line_sample(arguments.samples, kinds, arguments.seed, load_writers(arguments.strokes))
    logger.info(
        "%d lines from %s", len(lines), ", ".join(f"{len(k)} {name}" for k, name in zip(kinds, KINDS, strict=True))
    )
    network = train(lines, classes, arguments.passes, arguments.seed, arguments.start)
    held = [font_files(f"held_{kind}.txt", folder) for kind in KINDS]
    logger.info("right columns of letters on held fonts: %.4f", right(network, *line_sample(HELD_SAMPLES, held, 8)))
    weights = folded(network)
    weights["dense0"] = weights["dense0"][:, :, 0]
    np.savez_compressed(arguments.out, **{name: value.astype(np.float16) for name, value in weights.items()})


def right(network: Any, lines: np.ndarray, classes: np.ndarray) -> float:
    """Share of columns with a character that are read right."""
    import torch

    with torch.no_grad():
        seen = network(torch.from_numpy(lines[:, None]).float()).argmax(1).numpy()
    return float((seen == classes)[classes > 0].mean())


def build() -> Any:
    """The network, not yet trained: (N, 1, 32, 128) to (N, 37, 64)."""
    from torch import nn

    layers: list[Any] = []
    before = 1
    for channels, stride in zip(CHANNELS, STRIDES, strict=True):
        layers += [nn.Conv2d(before, channels, 3, stride, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
        before = channels
    layers += [
        nn.Flatten(1, 2),
        nn.Unflatten(1, (before * 4, 1)),
        nn.Conv2d(before * 4, HIDDEN, (1, 5), 1, (0, 2), bias=False),
    ]
    layers += [nn.BatchNorm2d(HIDDEN), nn.ReLU(), nn.Flatten(2), nn.Dropout(0.1), nn.Conv1d(HIDDEN, 37, 1)]
    return nn.Sequential(*layers)


def train(lines: np.ndarray, classes: np.ndarray, passes: int, seed: int, start: Path | None = None) -> Any:
    """Train column by column; columns between characters don't count."""
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    network = build()
    if start:
        resume(network, start, lines[:1000])
    size, batch = len(classes), 64
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3 if start else 4e-3, total_steps=passes * (size // batch))
    x, y = torch.from_numpy(lines[:, None]), torch.from_numpy(classes.astype(np.int64))
    for done in range(passes):
        network.train()
        total = 0.0
        for part in rng.permutation(size)[: size // batch * batch].reshape(-1, batch):
            moved = torch.roll(x[part].float(), int(rng.integers(-1, 2)), 2)
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(moved)
            loss = torch.nn.functional.cross_entropy(scores.float(), y[part], ignore_index=IGNORED)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
            total += loss.item()
        logger.info("pass %d: loss %.3f", done + 1, total * batch / size)
    return network.eval()


if __name__ == "__main__":
    main()
