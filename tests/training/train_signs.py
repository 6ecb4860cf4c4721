"""Teach the reader of characters what signs are, its weights kept: ``python -m training.train_signs FOLDER START OUT``.

A hidden layer on what its last maps show tells signs from characters. Takes torch (2.13, CPU); half an hour.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from poradek_vision.mark.characters import NONE
from training.pen_strokes import load_writers
from training.samples import load_bank, sample
from training.signs import load_signs, sign_sample
from training.train import build, font_files, resume

logger = logging.getLogger(__name__)

HIDDEN = 64
POOLED_LAYERS = 17
"""Of the network that ``train.build`` makes, up to its last maps, pooled."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the fonts of the lists lie that have no full path")
    parser.add_argument("start", type=Path, help="the weights that get a layer more")
    parser.add_argument("out", type=Path)
    parser.add_argument("--symbols", nargs="+", type=Path, required=True, help="fonts with dingbats and pictures")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--characters", type=int, default=190_000)
    parser.add_argument("--signs", type=int, default=180_000)
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument("--strokes", nargs="+", type=Path, default=[], help="files of real pens, see pen_strokes.py")
    parser.add_argument("--held", action="store_true", help="leave out the signs that serve to measure")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    fonts, hands = (font_files(name, arguments.folder) for name in ("fonts.txt", "hands.txt"))
    bank = replace(load_bank(fonts, hands), writers=load_writers(arguments.strokes))
    characters, kinds = sample(arguments.characters, bank, arguments.seed)
    signs = load_signs(arguments.symbols, [*fonts[::3], *hands], held=False if arguments.held else None)
    windows = np.concatenate([characters[kinds != NONE], sign_sample(arguments.signs, signs, bank, arguments.seed + 1)])
    is_sign = np.arange(len(windows)) >= len(windows) - arguments.signs
    logger.info("%d characters, %d signs", (~is_sign).sum(), is_sign.sum())
    head = train(pooled(windows, arguments.start), is_sign, arguments.passes, arguments.seed)
    weights = dict(np.load(arguments.start)) | weights_of(head)
    np.savez_compressed(arguments.out, **{name: value.astype(np.float16) for name, value in weights.items()})


def pooled(windows: np.ndarray, start: Path) -> Any:
    """What the network's last maps show of windows, (N, 1024)."""
    import torch

    network = build()
    resume(network, start, windows[:2000])
    seen = network.eval()[:POOLED_LAYERS]
    with torch.no_grad():
        return torch.cat([seen(part[:, None].float()) for part in torch.from_numpy(windows).split(256)])


def train(seen: Any, is_sign: np.ndarray, passes: int, seed: int) -> Any:
    """A hidden layer that tells signs, by AdamW with one cycle of learning rate."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    head = nn.Sequential(nn.Dropout(0.1), nn.Linear(seen.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
    truth = torch.from_numpy(is_sign).float()
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.01)
    batches = len(truth) // 512
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=passes * batches)
    for done in range(passes):
        total = 0.0
        for part in torch.randperm(len(truth))[: 512 * batches].reshape(-1, 512):
            loss = nn.functional.binary_cross_entropy_with_logits(head(seen[part])[:, 0], truth[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
            total += loss.item()
        logger.info("pass %d: loss %.4f", done + 1, total / batches)
    return head.eval()


def weights_of(head: Any) -> dict[str, np.ndarray]:
    """The weights of both layers by name."""
    layers = {"0": head[1], "1": head[3]}
    weights = {f"sign{name}": layer.weight.detach().numpy() for name, layer in layers.items()}
    return weights | {f"sign_bias{name}": layer.bias.detach().numpy() for name, layer in layers.items()}


if __name__ == "__main__":
    main()
