"""Train the network that paints heat maps of grids and write it: ``python -m training.train_heat OUT.onnx``."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from training.scenes import draw_scene

logger = logging.getLogger(__name__)

WIDTHS = (16, 32, 48, 64)
"""Channels at strides 2, 4, 8 and 16 (and 32)."""
BATCH, FRESH = 8, 2
"""Scenes of a step, and how many new ones are drawn for it into the pool."""
HIGHEST_RATE, RISING = 2e-3, 0.05
"""Rate of learning at its height, and the share of the steps in which it rises to that."""
HEAVY = 12.0
"""Weight of a spot over that of bare ground."""


def block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """Convolution, normalised, its positive part."""
    return nn.Sequential(nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU())


class HeatNetwork(nn.Module):
    """(N, 3, H, W), 0 to 1, to logits (N, 2, H / 4, W / 4): down to a 32nd and up again, each stage added."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.stem = nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, b))
        self.down8 = nn.Sequential(block(b, c, 2), block(c, c))
        self.down16 = nn.Sequential(block(c, d, 2), block(d, d))
        self.down32 = block(d, d, 2)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.to8, self.to4 = nn.Conv2d(d, c, 1), nn.Conv2d(c, b, 1)
        self.mix16, self.mix8, self.mix4 = block(d, d), block(c, c), block(b, b)
        self.head = nn.Conv2d(b, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits of the heat."""
        at4 = self.stem(x - 0.5)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at16 = self.mix16(at16 + self.up(self.down32(at16)))
        at8 = self.mix8(at8 + self.to8(self.up(at16)))
        at4 = self.mix4(at4 + self.to4(self.up(at8)))
        heat: torch.Tensor = self.head(at4)
        return heat


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--pool", type=int, default=800)
    parser.add_argument("--start", type=Path, help="a network to go on from")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    network = HeatNetwork()
    network.head.bias.data.fill_(-4.0)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start))
    train(network, arguments.out, arguments.seed, arguments.steps, arguments.pool)


def train(network: HeatNetwork, out: Path, seed: int, steps: int, size: int) -> None:
    """Train for so many steps, with a pool of scenes of which some are drawn anew for each."""
    rng = np.random.default_rng(seed)
    network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=HIGHEST_RATE, weight_decay=0.01)
    mean = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    scenes = [draw_scene([seed, k]) for k in range(size)]
    pixels, heat = np.stack([s.pixels for s in scenes]), np.stack([s.heat for s in scenes])
    total = 0.0
    for step in range(1, steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = rate(step / steps)
        for k, place in enumerate(rng.integers(size, size=FRESH)):
            scene = draw_scene([seed, size + FRESH * (step - 1) + k])
            pixels[place], heat[place] = scene.pixels, scene.heat
        part = rng.integers(size, size=BATCH)
        total += learn(network, optimizer, *turned(pixels[part], heat[part], rng))
        mean.update_parameters(network)
        if step % 100 == 0:
            logger.info("step %d of %d: loss %.4f", step, steps, total / 100)
            total = 0.0
    save(mean.module, out)


def rate(done: float) -> float:
    """Rate of learning after a share of the steps: it rises for a short time and then falls to nothing."""
    return HIGHEST_RATE * min(done / RISING, 0.5 + 0.5 * float(np.cos(np.pi * done))) + 1e-6


def save(network: nn.Module, out: Path) -> None:
    """Write a network's state, to go on from, and as it is used: heat from 0 to 1, for pictures of any size."""
    torch.save(network.state_dict(), out.with_suffix(".pt"))
    painter = nn.Sequential(network, nn.Sigmoid()).eval()
    torch.onnx.export(
        painter, torch.zeros(1, 3, 128, 128), out, dynamo=False, opset_version=17,
        input_names=["picture"], output_names=["heat"],
        dynamic_axes={"picture": {2: "height", 3: "width"}, "heat": {2: "rows", 3: "cols"}},
    )  # fmt: skip


def turned(pixels: Any, heat: Any, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Scenes turned by right angles and mirrored, their channels swapped and their light changed now and then."""
    quarter, mirror = int(rng.integers(4)), rng.random() < 0.5
    x = np.rot90(pixels, quarter, (1, 2))
    y = np.rot90(heat, quarter, (2, 3))
    if mirror:
        x, y = x[:, :, ::-1], y[..., ::-1]
    if rng.random() < 0.3:
        x = x[..., rng.permutation(3)]
    images = torch.from_numpy(np.ascontiguousarray(x.transpose(0, 3, 1, 2))).float() / 255
    light = torch.from_numpy(np.exp(rng.normal(0, 0.15, (len(x), 1, 1, 1)))).float()
    return (images * light).clamp(0, 1), torch.from_numpy(np.ascontiguousarray(y)).float() / 255


def learn(network: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor, y: torch.Tensor) -> float:
    """One step; the loss."""
    network.train()
    with torch.autocast("cpu", torch.bfloat16):
        logits = network(x.contiguous(memory_format=torch.channels_last))
    each = nn.functional.binary_cross_entropy_with_logits(logits.float(), y, reduction="none")
    loss = (each * (1 + HEAVY * y)).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return loss.item()


if __name__ == "__main__":
    main()
