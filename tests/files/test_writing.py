"""Files written whole, and whose turn it is."""

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import locked, writing


def test_a_lock_that_the_system_refuses_is_told(tmp_path, monkeypatch):
    def refuse(handle):
        raise OSError(45, "locks are not supported here")

    monkeypatch.setattr(writing, "_lock", refuse)
    with pytest.raises(SettingsError, match="not supported here"), locked(tmp_path):
        pytest.fail("nobody has the lock")


def test_an_error_of_who_holds_the_lock_stays_what_it_is(tmp_path):
    with pytest.raises(OSError, match="mine"), locked(tmp_path):
        raise OSError("mine")
