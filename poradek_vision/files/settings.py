"""``game.toml``: what the game is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

from poradek_vision.model import Language


def peek_language(path: Path) -> Language | None:
    """The language named in a ``game.toml`` that may otherwise be wrong, or None.

    Parameters
    ----------
    path : Path
        Need not exist.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        return None
    found = re.search(r"""^\s*language\s*=\s*["'](cs|en)["']""", text, re.MULTILINE)
    return cast(Language, found[1]) if found else None
