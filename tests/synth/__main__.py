"""``python tests/synth OUT --count 30 --seed 7``: makes photos with their truth."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from synth.command import main

sys.exit(main())
