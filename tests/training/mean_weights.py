"""The mean of weights that one training left on its way: ``python -m training.mean_weights OUT A B …`` in ``tests/``.

References
----------
Wortsman et al., Model soups: averaging weights of multiple fine-tuned models improves accuracy, ICML 2022.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    asked = parser.parse_args()
    every = [np.load(path) for path in asked.weights]
    mean = {name: np.mean([np.float32(one[name]) for one in every], axis=0) for name in every[0].files}
    np.savez_compressed(asked.out, **{name: value.astype(np.float16) for name, value in mean.items()})


if __name__ == "__main__":
    main()
