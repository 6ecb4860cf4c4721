"""What a person typed, and what it means in the game."""

import pytest

from poradek_vision.files import as_meant, save_corrections
from poradek_vision.files.spelling import team_meant
from poradek_vision.model import Correction, Game, Team
from poradek_vision.pipeline import load_words

GAME = Game(teams=(Team("Lišky", "A"), Team("Lisky", "B"), Team("Žáby", "Z"), Team("A", "C")))


@pytest.mark.parametrize(
    ("text", "team"), [("Lišky", "Lišky"), ("Lisky", "Lisky"), ("LISKY", None), ("zaby", "Žáby"), ("z", "Žáby")]
)
def test_teams_that_fold_to_the_same_are_told_apart_only_as_written(text, team):
    assert team_meant(text, GAME) == team


def test_a_name_comes_before_a_mark():
    assert (team_meant("A", GAME), team_meant("c", GAME)) == ("A", "A")


def test_words_of_the_file_mean_what_they_mean_in_the_game(tmp_path):
    said = (
        Correction("", "a.jpg", 0, "cell", 0, 0, "Modra"),
        Correction("", "a.jpg", 0, "owner", 0, 1, "Z"),
        Correction("", "a.jpg", 0, "owner", 0, 2, "?"),
        Correction("", "a.jpg", 0, "team", None, None, "žaby"),
        Correction("", "a.jpg", 0, "cell", 0, 3, "fialková"),
    )
    save_corrections(tmp_path / "corrections.csv", said)
    words, _ = load_words(tmp_path, GAME)
    assert [word.value for word in words] == ["B", "Žáby", "", "Žáby", "fialková"]


def test_any_owner_stands_where_no_teams_are_known():
    assert as_meant(Correction("", "a.jpg", 0, "owner", 0, 0, "Vlci"), Game()).value == "Vlci"
