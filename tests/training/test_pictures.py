"""The sheet of real digits: which half and which rows are which."""

import cv2
import numpy as np
import pytest

from training.pictures import SIDE_PX, load_pictures


def test_kinds_lie_in_rows_of_five_and_halves_beside_each_other(tmp_path):
    sheet = np.zeros((50, SIDE_PX, 100, SIDE_PX), np.uint8)
    sheet[15:20, 4:16, :50, 4:16] = 255  # 3s on the left are squares, on the right bars
    sheet[15:20, 4:16, 50:, 8:12] = 255
    (tmp_path / "sheet.png").write_bytes(cv2.imencode(".png", sheet.reshape(1000, 2000))[1].tobytes())
    left, right = (load_pictures(tmp_path / "sheet.png", left) for left in (True, False))
    assert (list(left), left["3"].shape) == (list("0123456789"), (250, 96, 96))
    inked = [(half["3"] > 127).mean((1, 2)) for half in (left, right)]
    assert inked[0] == pytest.approx(0.72**2, abs=0.04)
    assert inked[1] == pytest.approx(0.72**2 / 3, abs=0.04)
    assert not left["2"].any()
    assert not left["4"].any()


def test_another_picture_is_refused(tmp_path):
    (tmp_path / "other.png").write_bytes(cv2.imencode(".png", np.zeros((10, 10), np.uint8))[1].tobytes())
    with pytest.raises(ValueError, match="no sheet"):
        load_pictures(tmp_path / "other.png", True)
