"""From scene light to the pixels of a file, as a phone does it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from poradek_vision.geometry import FloatArray
from synth.look import NO_MIX, Develop

Field = npt.NDArray[np.float32]
_STEPS = 1 << 14
_DAYLIGHT_K = 6500.0
_SRGB_FROM_XYZ = np.array(
    [[3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]]
)
Picture = npt.NDArray[np.uint8]


def gains(look: Develop, illuminant: Field) -> Field:
    """What the camera multiplies red, green and blue by: most of the light's colour out, its own error in.

    A positive ``kelvin_error`` leaves the photo as warm as light of ``6500 - kelvin_error`` K looks to a camera set to
    6500 K; a negative one as blue as light of that much more.
    """
    balanced = (illuminant[1] / illuminant) ** look.awb
    error = planckian(_DAYLIGHT_K - look.kelvin_error) / planckian(_DAYLIGHT_K)
    return np.asarray(balanced * error * np.array([1, 1 - look.tint, 1]), np.float32)


def planckian(kelvin: float) -> FloatArray:
    """Linear sRGB of a black body, green = 1, for 2222 to 25000 K.

    References
    ----------
    Kang et al., Design of advanced color temperature control system for HDTV applications, J. Korean Phys. Soc. 41
    (2002): cubic fits of the Planckian locus.
    """
    cold = kelvin <= 4000
    of_x = (-0.2661239, -0.2343589, 0.8776956, 0.179910) if cold else (-3.0258469, 2.1070379, 0.2226347, 0.240390)
    of_y = (-0.9549476, -1.37418593, 2.09137015, -0.16748867)
    if not cold:
        of_y = (3.0817580, -5.87338670, 3.75112997, -0.37001483)
    x = float(np.polyval(of_x, 1000 / kelvin))
    y = float(np.polyval(of_y, x))
    rgb = _SRGB_FROM_XYZ @ np.array([x / y, 1.0, (1 - x - y) / y])
    return np.asarray(rgb / rgb[1], np.float64)


def develop(scene: Field, look: Develop, white: Field, cell_px: float, rng: np.random.Generator) -> Picture:
    """Expose, blur, add noise, balance, curve, sharpen. ``white`` is the light that the sheet's paper sends, (3,)."""
    sensed = _optics(scene, look, cell_px, rng)
    sensed = _noise(sensed, look, float(white.max()), rng)
    curved = curve(sensed, look, white, _local(sensed, look))
    picture = np.clip(curved * 255 + 0.5, 0, 255).astype(np.uint8)
    return _finish(picture, look)


def curve(scene: Field, look: Develop, white: Field, local: Field | float = 1.0) -> Field:
    """Display values 0–1 of scene light: exposure, white balance, shoulder, sRGB, contrast, saturation."""
    gain = gains(look, white / white[1])
    key = 0.66 * 2.0**look.ev / float((white * gain) @ np.array([0.25, 0.65, 0.1], np.float32))
    light = scene * (gain * np.float32(key)) * local
    bright = light > 0.6
    light[bright] = 1 - 0.4 * np.exp((0.6 - light[bright]) / 0.4)
    grey = (light @ np.array([0.25, 0.65, 0.1], np.float32))[..., None]
    light = grey + np.float32(look.saturation) * (light - grey)
    if look.mix != NO_MIX:
        light = light @ np.array(look.mix, np.float32).T
    light = np.clip(light, 0, 1)
    return _shown(look.contrast)[(light * (_STEPS - 1) + 0.5).astype(np.int32)]


def _shown(contrast: float) -> Field:
    """Display values of linear light in _STEPS equal steps: sRGB, then an S-curve."""
    light = np.linspace(0, 1, _STEPS)
    shown = np.where(light < 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-8) ** (1 / 2.4) - 0.055)
    return np.asarray(shown + 0.45 * contrast * (shown * shown * (3 - 2 * shown) - shown), np.float32)


def _optics(scene: Field, look: Develop, cell_px: float, rng: np.random.Generator) -> Field:
    """Defocus, motion, vignetting, veiling glare."""
    sigma = look.defocus_cells * cell_px
    blurred = cv2.GaussianBlur(scene, (0, 0), sigma) if sigma > 0.3 else scene
    length = look.motion_cells * cell_px
    if length > 1:
        blurred = cv2.filter2D(blurred, -1, _streak(length, look.motion_deg), borderType=cv2.BORDER_REPLICATE)
    y, x = np.ogrid[-1 : 1 : scene.shape[0] * 1j, -1 : 1 : scene.shape[1] * 1j]
    shading = (1 - look.vignette * (x * x + y * y) / 2).astype(np.float32)
    veil = look.veil * scene.mean((0, 1)) * np.float32(4)
    side = (1 + rng.uniform(-1, 1) * x + rng.uniform(-1, 1) * y).clip(0).astype(np.float32)
    return np.asarray(blurred * shading[..., None] + veil * side[..., None], np.float32)


def _streak(length: float, degrees: float) -> Field:
    """A motion blur's kernel: a straight line of that length."""
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((8 * half + 4, 8 * half + 4), np.uint8)
    middle = (len(kernel) - 1) / 2
    along = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]) * length * 2
    ends = [tuple(int(v) for v in np.round(middle + sign * along)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 4)
    small = cv2.resize(kernel.astype(np.float32), (2 * half + 1, 2 * half + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(small / small.sum(), np.float32)


def _noise(sensed: Field, look: Develop, white: float, rng: np.random.Generator) -> Field:
    """Shot and read noise per pixel, and blotches of colour."""
    level = sensed / white
    height, width = sensed.shape[:2]
    fine = rng.standard_normal(sensed.shape, np.float32)
    blotch = cv2.resize(rng.standard_normal((height // 5 + 1, width // 5 + 1, 3), np.float32), (width, height))
    spread = look.noise * (0.014 * np.sqrt(np.maximum(level, 0)) + 0.003)
    return np.asarray(sensed + white * spread * (fine + 0.6 * blotch), np.float32)


def _local(sensed: Field, look: Develop) -> Field | float:
    """Local tone mapping: shadows lifted, highlights held, over large areas."""
    if look.local < 0.02:
        return 1.0
    grey = cv2.resize(sensed.mean(-1), None, fx=1 / 16, fy=1 / 16, interpolation=cv2.INTER_AREA)
    wide = cv2.GaussianBlur(np.maximum(grey, 1e-4), (0, 0), max(grey.shape) / 30)
    factor = (wide / wide.mean()) ** -look.local
    return np.asarray(cv2.resize(factor, sensed.shape[1::-1]), np.float32)[..., None]


def _finish(picture: Picture, look: Develop) -> Picture:
    """Noise reduction, then sharpening with its halo."""
    if look.denoise > 0.15:
        picture = cv2.bilateralFilter(picture, 5, 10 + 50 * look.denoise, 1.0 + 1.5 * look.denoise)
    if look.sharpen > 0.05:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.3)
        picture = cv2.addWeighted(picture, 1 + 1.2 * look.sharpen, soft, -1.2 * look.sharpen, 0)
    return np.asarray(picture, np.uint8)
