"""The command ``poradek`` and ``python -m poradek_vision``."""

import os
import sys

from poradek_vision.cli import main as run

_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Photos are read side by side; the small matrices of each are only slowed down by threads of their own."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    for name in _THREADS:
        os.environ.setdefault(name, "1")  # read by numpy when it is first imported, which is later
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
