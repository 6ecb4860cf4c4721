"""Train the reader of single characters and write its weights: ``python -m training.train FOLDER OUT``.

Takes torch (2.13, CPU) and scikit-image. Half an hour on one core.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from training.pen_strokes import load_writers
from training.pictures import load_pictures
from training.samples import Bank, load_bank, sample

logger = logging.getLogger(__name__)

CHANNELS = (16, 24, 40, 56, 64)
STRIDES = (1, 2, 1, 2, 1)
FEATURES = 96
HELD_SAMPLES = 12_000
_LISTS = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the fonts of the lists lie that have no full path")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--samples", type=int, default=400_000)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--start", type=Path, help="weights to go on from, at half the rate; fewer channels will do")
    parser.add_argument("--strokes", nargs="+", type=Path, default=[], help="files of real pens, see pen_strokes.py")
    parser.add_argument("--pictures", type=Path, help="a sheet of real digits, see pictures.py")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    bank = load_bank(font_files("fonts.txt", arguments.folder), font_files("hands.txt", arguments.folder))
    pictures = load_pictures(arguments.pictures, left=True) if arguments.pictures else {}
    bank = replace(bank, writers=load_writers(arguments.strokes), pictures=pictures)
    windows, kinds = sample(arguments.samples, bank, arguments.seed)
    logger.info("%d samples from %d fonts and %d hands", len(kinds), len(bank.fonts), len(bank.hands))
    network = train(windows, kinds, arguments.passes, arguments.seed, arguments.start)
    weights = folded(network)
    weights["temperature"] = temperature(network, held_bank(arguments.folder), arguments.seed + 1)
    np.savez_compressed(arguments.out, **{name: value.astype(np.float16) for name, value in weights.items()})


def font_files(name: str, folder: Path) -> list[Path]:
    """The font files of a list beside this module."""
    return [folder / line for line in (_LISTS / name).read_text(encoding="utf-8").splitlines()]


def held_bank(folder: Path) -> Bank:
    """Glyphs that no network was trained on."""
    return load_bank(font_files("held_fonts.txt", folder), font_files("held_hands.txt", folder))


def build() -> Any:
    """The network, not yet trained."""
    from torch import nn

    layers: list[Any] = []
    before = 1
    for channels, stride in zip(CHANNELS, STRIDES, strict=True):
        layers += [nn.Conv2d(before, channels, 3, stride, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
        before = channels
    layers += [
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(before * 16, FEATURES),
        nn.ReLU(),
        nn.Dropout(0.1),
    ]
    return nn.Sequential(*layers, nn.Linear(FEATURES, 37))


def train(windows: np.ndarray, kinds: np.ndarray, passes: int, seed: int, start: Path | None = None) -> Any:
    """Train by AdamW with one cycle of learning rate; windows differ from pass to pass.

    What is left is the running mean of the weights: as good as a longer end of the cycle (Polyak & Juditsky 1992).
    """
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    network = build().to(memory_format=torch.channels_last)  # faster by a third
    if start:
        resume(network, start, windows[:2000])
    size, batch = len(kinds), 256
    mean = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3 if start else 4e-3, total_steps=passes * (size // batch))
    x, y = torch.from_numpy(windows[:, None]), torch.from_numpy(kinds)
    for done in range(passes):
        network.train()
        total = 0.0
        for part in rng.permutation(size)[: size // batch * batch].reshape(-1, batch):
            moved = bent_anew(x[part].float())
            with torch.autocast("cpu", torch.bfloat16):
                scores = network(moved)
            loss = torch.nn.functional.cross_entropy(scores.float(), y[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
            mean.update_parameters(network)
            total += loss.item()
        logger.info("pass %d: loss %.3f", done + 1, total * batch / size)
    return mean.module.eval()


def bent_anew(windows: Any) -> Any:
    """Windows (N, 1, 32, 32) turned, stretched, slanted, shifted and bent a little, each otherwise."""
    import torch
    from torch.nn import functional

    count, size = len(windows), windows.shape[-1]
    turns = 0.12 * torch.randn(count)
    turned = torch.stack([turns.cos(), -turns.sin(), turns.sin(), turns.cos()], 1).reshape(count, 2, 2)
    linear = turned @ (torch.eye(2) + 0.06 * torch.randn(count, 2, 2))
    shift = torch.randn(count, 2, 1) / size
    places = functional.affine_grid(torch.cat([linear, shift], 2), list(windows.shape), align_corners=False)
    bends = functional.interpolate(0.02 * torch.randn(count, 2, 5, 5), size=(size, size), mode="bicubic")
    return functional.grid_sample(windows, places + bends.permute(0, 2, 3, 1), align_corners=False)


def resume(network: Any, start: Path, windows: np.ndarray) -> None:
    """Give a network the weights of a file, in which batch normalisation is folded: some windows unfold it.

    Channels that the file lacks are left as they are, and unheard: the network begins by what the file's would say.

    References
    ----------
    Chen, Goodfellow & Shlens, Net2Net: accelerating learning via knowledge transfer, ICLR 2016.
    """
    import torch
    from torch import nn

    weights = {name: torch.from_numpy(value.astype(np.float32)) for name, value in np.load(start).items()}
    dense = [layer for layer in network if isinstance(layer, nn.Linear | nn.Conv1d)]
    convolutions = [k for k, layer in enumerate(network) if isinstance(layer, nn.Conv2d)]
    with torch.no_grad():
        for count, layer in enumerate(dense):
            _give(layer.weight, weights[f"dense{count}"])
            layer.bias.copy_(weights[f"dense_bias{count}"])
        for count, k in enumerate(convolutions):
            kernel, bias = weights[f"conv{count}"], weights[f"conv_bias{count}"]
            _give(network[k].weight, kernel)
            seen, normal = network[: k + 1].eval()(torch.from_numpy(windows[:, None]).float()), network[k + 1]
            normal.running_mean.copy_(seen.mean((0, 2, 3)))
            normal.running_var.copy_(seen.var((0, 2, 3)))
            known = slice(len(bias))
            normal.weight[known] = (normal.running_var + normal.eps).sqrt()[known]
            normal.bias[known] = normal.running_mean[known] + bias


def _give(layer: Any, weights: Any) -> None:
    """Weights (K, C, …) for the first outputs and inputs of a layer; they don't hear its other inputs."""
    weights = weights.reshape(len(weights), -1, *layer.shape[2:])
    outputs, inputs = weights.shape[:2]
    layer[:outputs] = 0
    layer[:outputs, :inputs] = weights


def temperature(network: Any, bank: Bank, seed: int) -> np.ndarray:
    """What to divide scores by, so that their softmax is right as often as it says, (1,)."""
    import torch

    windows, kinds = sample(HELD_SAMPLES, bank, seed)
    with torch.no_grad():
        scores = network(torch.from_numpy(windows[:, None]).float())
    candidates = np.arange(0.6, 2.5, 0.05)
    losses = [float(torch.nn.functional.cross_entropy(scores / t, torch.from_numpy(kinds))) for t in candidates]
    right = float((scores.argmax(1).numpy() == kinds).mean())
    logger.info("temperature %.2f, loss %.3f, right %.4f", candidates[np.argmin(losses)], min(losses), right)
    return candidates[[np.argmin(losses)]]


def folded(network: Any) -> dict[str, np.ndarray]:
    """Weights with batch normalisation folded in: ``conv0``, ``bias0``, …, ``dense0``, …"""
    from torch import nn

    weights = {}
    layers = list(network)
    convolutions = [k for k, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)]
    for count, k in enumerate(convolutions):
        kernel, normal = layers[k].weight.detach().numpy(), layers[k + 1]
        gain = normal.weight.detach().numpy() / np.sqrt(normal.running_var.numpy() + normal.eps)
        weights[f"conv{count}"] = kernel * gain[:, None, None, None]
        weights[f"conv_bias{count}"] = normal.bias.detach().numpy() - normal.running_mean.numpy() * gain
    for count, layer in enumerate(layer for layer in layers if isinstance(layer, nn.Linear | nn.Conv1d)):
        weights[f"dense{count}"] = layer.weight.detach().numpy()
        weights[f"dense_bias{count}"] = layer.bias.detach().numpy()
    return weights


if __name__ == "__main__":
    main()
