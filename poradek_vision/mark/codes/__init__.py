"""Whose sticker, by the codes printed on them: looked for, compared with what the photo must show, and believed or not.

``layouts`` draws the codes as the camera blurs them, ``places`` and ``spots`` find where they lie, ``inks`` chooses the
channel, ``evidence`` and ``rivals`` weigh code against code, ``belief`` turns that into a share of certainty.
"""

from poradek_vision.mark.codes.belief import TrustSettings, judge_codes
from poradek_vision.mark.codes.layouts import IDS
from poradek_vision.mark.codes.reading import CodeSettings, read_codes, survey_codes

__all__ = ["IDS", "CodeSettings", "TrustSettings", "judge_codes", "read_codes", "survey_codes"]
