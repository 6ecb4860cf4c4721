"""The sample game: three teams, fourteen photos, each there to prove one thing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from poradek_vision.model import Game, Team
from synth.album import PHONES, Phone, game_toml, save_shot, truth_toml
from synth.board import make_owners, make_rows
from synth.hand_samples import make_hand_samples, readme_rows
from synth.look import Clutter, Develop, Fold, LightLook, Look, PaperLook, StickerLook, View
from synth.scene import Layout, SheetName, Shot, make_scene, sheet_spec

AUTHOR = "rendered by tests/synth"
GAME = Game("Pořádek 2027", teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "C")))
_STICKERS = StickerLook("mixed", 0.84, 0.05, 7.0, gloss=0.25)
_BASE = Look(
    "medium", stickers=_STICKERS, paper=PaperLook((0.8, 0.8, 0.79), 4, 30, 0.4, crumple_mm=0.08),
    develop=Develop(quality=88, noise=0.25, denoise=0.5),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """One photo of the sample game: its file's stem, what is on it, what it is there to prove."""

    name: str
    sheet: SheetName
    seed: int
    proves: str
    look: Look
    phone: Phone = PHONES[0]
    orientation: int = 1


def _look(
    view: View,
    light: LightLook,
    clutter: Clutter,
    paper: PaperLook = _BASE.paper,
    stickers: StickerLook = _STICKERS,
    **develop: float,
) -> Look:
    """The base look with these parts; ``develop`` names fields of :class:`Develop`."""
    developed = replace(_BASE.develop, **develop)  # type: ignore[arg-type]
    return replace(_BASE, view=view, light=light, clutter=clutter, paper=paper, stickers=stickers, develop=developed)


_OVERCAST = LightLook("overcast", ambient=(1.0, 1.0, 1.03))
SAMPLES: tuple[Sample, ...] = (
    Sample(
        "vlci_6", (0, 6), 302, "the usual case: forest floor, soft leaf shade, a little tilt, slight curl",
        _look(
            View(2160, 2880, 20, 255, 4, 0.84, shift=(0.1, -0.1)),
            LightLook("dapple", 60, 52, 2.4, 0.2, (0.9, 1.0, 1.05), 48, 5),
            Clutter("leaves", leaves=2), PaperLook((0.8, 0.8, 0.79), 16, 80, 0.3, crumple_mm=0.15),
            saturation=1.25, ev=0.15,
        ),
    ),
    Sample(
        "vlci_5", (0, 5), 12, "sheet upside down, the photo stored sideways (EXIF orientation 6)",
        _look(View(1728, 2304, 12, 40, 176, 0.9), _OVERCAST, Clutter("planks", pins=4)), orientation=6,
    ),
    Sample(
        "vlci_4", (0, 4), 13, "dusk: little light, noise, blue cast",
        _look(
            View(1500, 2000, 14, 200, -6, 0.9), LightLook("dusk", ambient=(0.8, 0.93, 1.25)), Clutter("needles"),
            ev=-0.5, noise=2.4, denoise=0.4, awb=0.6, saturation=1.0,
        ),
    ),
    Sample(
        "vlci_3", (0, 3), 14, "one sharp shade edge across the board",
        _look(
            View(1500, 2000, 10, 100, 2, 0.9),
            LightLook("half sun", 200, 45, 4.5, 0.2, (0.8, 0.95, 1.25), softness_mm=2),
            Clutter("planks"), replace(_BASE.paper, bend_deg=8),
        ),
    ),
    Sample(
        "lisky_6", (1, 6), 15, "strong tilt",
        _look(View(2304, 1728, 50, 80, 4, 0.9), _OVERCAST, Clutter("grass", leaves=1)),
    ),
    Sample(
        "lisky_5", (1, 5), 16, "curled, folded twice and crumpled; round stickers, the colour key left empty",
        _look(
            View(1728, 2304, 22, 310, -9, 0.9),
            LightLook("sun", 140, 48, 2.2, 0.1, (0.9, 0.98, 1.1)), Clutter("gravel"),
            PaperLook((0.79, 0.8, 0.8), 26, 75, 0.3, (Fold(2, 0.02, 9), Fold(91, -0.04, 8)), 0.7),
            replace(_STICKERS, shape="round", key_filled=False),
        ),
    ),
    Sample(
        "lisky_4", (1, 4), 17, "inside a tent: the orange cloth colours all light",
        _look(
            View(1512, 2016, 16, 20, 7, 0.9), LightLook("tent", 20, 60, 0.3, 0.2, (1.3, 0.92, 0.58)), Clutter("tarp"),
            awb=0.5,
        ),
    ),
    Sample(
        "lisky_3", (1, 3), 18, "flash in the dark, falling off, glossy stickers",
        _look(
            View(1512, 2016, 24, 280, -4, 0.9), LightLook("flash", 0, 60, 5, 0, (0.5, 0.53, 0.6)), Clutter("cloth"),
            stickers=replace(_STICKERS, gloss=0.6),
        ),
    ),
    Sample(
        "jezci_6", (2, 6), 19, "12 megapixels; sharp leaf shade across the board",
        _look(
            View(3000, 4000, 20, 150, -5, 0.92), LightLook("dapple", 300, 50, 4, 0.25, (0.88, 1.0, 1.08), 30, 2),
            Clutter("planks"), replace(_BASE.paper, bend_deg=10), quality=78, denoise=0.7,
        ),
        PHONES[1],
    ),
    Sample(
        "jezci_5", (2, 5), 20, "a thumb over the margin; the photo stored upside down (EXIF orientation 3)",
        _look(View(1512, 2016, 18, 330, 5, 0.88), _OVERCAST, Clutter("grass", thumbs=1)), PHONES[1], 3,
    ),
    Sample(
        "jezci_4", (2, 4), 21, "warm lamp, white balance off by 3000 K, JPEG quality 50, motion blur",
        _look(
            View(1512, 2016, 20, 60, 4, 0.86), LightLook("lamp", 130, 55, 5, 0.8, (0.8, 0.92, 1.15)), Clutter("plaid"),
            kelvin_error=3000, quality=50, motion_cells=0.06, motion_deg=35, awb=0.8,
        ),
        PHONES[1],
    ),
    Sample(
        "jezci_3", (2, 3), 22, "two fiducials under leaves, the sheet's edge outside the photo (EXIF orientation 8)",
        _look(
            View(1512, 2016, 22, 120, 12, 0.8, frame="grid"), _OVERCAST, Clutter("leaves", hidden_tags=2, leaves=2),
        ),
        PHONES[1], 8,
    ),
    Sample(
        "uzemi_nikoho", "no_mans_land", 23, "144 cells, owners written by pen, stickers stuck over one another",
        _look(
            View(2448, 3264, 12, 220, 3, 0.95), _OVERCAST, Clutter("planks"), replace(_BASE.paper, bend_deg=6),
            replace(_STICKERS, shape="square", over=0.02),
        ),
        PHONES[1],
    ),
    Sample(
        "karta", "card", 24, "the calibration card in daylight, for `poradek calibrate`",
        _look(View(1512, 2016, 8, 70, -3, 0.92), _OVERCAST, Clutter("planks")),
    ),
)  # fmt: skip


def make_sample(sample: Sample) -> Shot:
    """The photo of one sample."""
    layouts = [] if sample.sheet == "card" else [_layout(sample)]
    return make_scene(sample.seed, game=GAME, sheets=[sample.sheet], look=sample.look, layouts=layouts)


def _layout(sample: Sample) -> Layout:
    """A well-played board: large patches of one colour, three quarters full and more."""
    rng = np.random.default_rng([sample.seed, 808])
    spec = sheet_spec(GAME, sample.sheet)
    rows = make_rows(rng, spec.rows, spec.cols, "".join(GAME.codes), rng.uniform(0.75, 1.0), join=0.8)
    owned = sample.sheet == "no_mans_land"
    return Layout(tuple(rows), tuple(make_owners(rng, rows, "ABC")) if owned else None)


def make_samples(folder: Path) -> None:
    """Write all samples with their truth, the game and the README."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.toml").write_text(game_toml(GAME), encoding="utf-8", newline="\n")
    (folder / "README.md").write_text(_readme(), encoding="utf-8", newline="\n")
    for sample in SAMPLES:
        shot = make_sample(sample)
        save_shot(folder, f"{sample.name}.jpg", shot, phone=sample.phone, orientation=sample.orientation)
        camera = f"{sample.phone.make} {sample.phone.model}"
        truth = truth_toml(shot, GAME, camera=camera, author=AUTHOR)
        (folder / f"{sample.name}.truth.toml").write_text(truth, encoding="utf-8", newline="\n")
    make_hand_samples(folder / "handmade")


def _readme() -> str:
    """What the samples are, honestly, and what each is there to prove."""
    rows = [
        f"| `{s.name}.jpg` | {s.look.view.width}×{s.look.view.height} | {s.look.light.kind} | {s.proves} |"
        for s in SAMPLES
    ]
    return "\n".join([_README_HEAD, *rows, *readme_rows(), ""])


_README_HEAD = """# Sample photos

One small game: three teams with four boards each, the no man's land, the calibration card. In `handmade/` lie six
boards ruled by hand, of a game of their own.

**These pictures are rendered, not photographed.** `tests/synth` draws the printed sheet with its stickers, bends it,
lights it and takes its picture with a made-up phone (the makes and models in the EXIF data do not exist). So the truth
beside each photo is exact. What they can't show is what nobody thought of drawing; photos from real camps are welcome.

    poradek score sample_photos
    poradek score sample_photos/handmade --out results-handmade
    python tests/synth --samples sample_photos     # makes them again

The same versions of numpy, OpenCV and Pillow make the same bytes again.

`NAME.truth.toml` holds for each board on the photo its kind, team, size, rows (`.` empty) and on the no man's land the
owners' marks; `corners` of the grid in pixels of the upright photo, from the board's own top left clockwise, (0, 0) the
centre of the first pixel; camera, light and author. `washed` lists cells ([row, column] from 0) where glare hides the
colour, `occluded` cells of which something hides a quarter or more.

| photo | pixels | light | what it is there to prove |
| --- | --- | --- | --- |"""
