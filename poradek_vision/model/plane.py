"""Plain points and homographies, as records hold them."""

from __future__ import annotations

Point = tuple[float, float]
Matrix3 = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
