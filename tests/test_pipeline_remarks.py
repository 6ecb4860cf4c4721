"""What a result still lacks stands on the first page of its proof."""

from dataclasses import replace

import pypdfium2
import pytest
from web.made_review import GAME, LOST, READINGS, make_reading, open_made

from poradek_vision.model import Failure, Text
from poradek_vision.pipeline import prove
from poradek_vision.pipeline.remarks import remarks

NOBODYS = make_reading("c.jpg", "", ("RRR", "...", "..."), sha256="d" * 64)
BROKEN = Failure("zlá.jpg", "e" * 64, "unreadable", Text("photo.empty", (("photo", "zlá.jpg"),)))


@pytest.fixture
def review(tmp_path):
    return open_made(tmp_path / "results", readings=(READINGS[0], NOBODYS), failures=(LOST, BROKEN))


def test_all_that_may_still_change_is_told(review):
    assert remarks(review.scored, review.game) == (
        "2 políčka jsou nejistá.",
        "Chybějící desky, počítají se za 0 (1): Lišky 3×3.",
        "Desky, u kterých se neví, čí jsou, a do součtů se nepočítají (1): c.jpg.",
        "Fotky, na kterých se deska nenašla (1): nic.jpg.",
        "Fotky, které nešlo přečíst (1): zlá.jpg.",
    )


def test_it_stands_on_the_first_page_of_the_proof(review):
    page = pypdfium2.PdfDocument(prove(review))[0].get_textpage().get_text_bounded()
    assert "2 políčka jsou nejistá." in page
    assert "Lišky 3×3." in page


def test_where_nothing_is_open_that_is_said(tmp_path):
    sure = replace(READINGS[0], cells=tuple(replace(cell, flags=()) for cell in READINGS[0].cells))
    done = open_made(tmp_path / "results", readings=(sure, READINGS[1]), failures=())
    assert remarks(done.scored, GAME) == ("Nic nechybí a žádné políčko není nejisté.",)
