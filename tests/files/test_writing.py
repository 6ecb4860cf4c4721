"""Files written whole, and whose turn it is."""

import pytest

from poradek_vision.errors import SettingsError
from poradek_vision.files import locked, writing
from poradek_vision.texts import say


def test_a_folder_that_can_not_be_written_to_is_named_with_what_to_do(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / ".cache").write_text("a file", encoding="utf-8")
    with pytest.raises(SettingsError) as caught, locked(tmp_path / "results"):
        pass
    told = say(caught.value.text.key, "cs", **dict(caught.value.text.fields))
    assert told.startswith(f"do složky {tmp_path / 'results'} se nedá zapisovat")
    assert told.endswith("volbou --out")


def test_a_lock_that_the_system_refuses_is_told(tmp_path, monkeypatch):
    def refuse(handle):
        raise OSError(45, "locks are not supported here")

    monkeypatch.setattr(writing, "_lock", refuse)
    with pytest.raises(SettingsError, match="not supported here"), locked(tmp_path):
        pytest.fail("nobody has the lock")


def test_an_error_of_who_holds_the_lock_stays_what_it_is(tmp_path):
    with pytest.raises(OSError, match="mine"), locked(tmp_path):
        raise OSError("mine")
