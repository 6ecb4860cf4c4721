"""The command ``poradek`` and ``python -m poradek_vision``."""

import sys

from poradek_vision.cli import main as run


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
