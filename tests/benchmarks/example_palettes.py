"""Make the example cameras in calibration/: two made-up phones, each from three rendered photos of the card.

    python tests/benchmarks/example_palettes.py [FOLDER]

The photos go to FOLDER, else nowhere; then ``poradek calibrate`` does the rest.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from synth import Phone, game_toml, make_game, make_scene, save_shot
from synth.phones import CAMP_PHONES, CampLight, colour_game, phone_look, sticker_pigments

from poradek_vision.cli import main as poradek

CALIBRATION = Path(__file__).parents[2] / "calibration"
LIGHTS: tuple[CampLight, ...] = ("sun", "shade", "lamp")
EXAMPLES: dict[Phone, str] = {CAMP_PHONES[2]: "RYGB", CAMP_PHONES[3]: "RYGBOPLD"}
"""Which colours each phone has seen."""


def main() -> int:
    """Render the cards and calibrate from them."""
    with TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else scratch)
        return max(calibrate(phone, codes, folder / phone.model) for phone, codes in EXAMPLES.items())


def calibrate(phone: Phone, codes: str, folder: Path) -> int:
    """One phone's palette from a card in each light."""
    folder.mkdir(parents=True, exist_ok=True)
    game = colour_game(make_game(3), codes)
    (folder / "game.toml").write_text(game_toml(game), encoding="utf-8")
    for k, light in enumerate(LIGHTS):
        seed = 500 + 10 * CAMP_PHONES.index(phone) + k
        look = phone_look(phone, light, sticker_pigments(codes, 5), seed)
        shot = make_scene(seed, game=game, sheets=["card"], look=look)
        save_shot(folder, f"rendered-{light}.jpg", shot, phone=phone)
    return poradek(["calibrate", str(folder), "--calibration", str(CALIBRATION)])


if __name__ == "__main__":
    sys.exit(main())
