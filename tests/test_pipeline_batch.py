"""Batches: order, cache, pictures, corrections, interrupts. Seeing is stood in for; photos are one grey each."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from poradek_vision.errors import BoardNotFound, SettingsError
from poradek_vision.files import Batch, decode_photo, list_photos, load_corrections, save_corrections
from poradek_vision.model import (
    BoardReading,
    CellReading,
    Correction,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    Team,
    Text,
)
from poradek_vision.pipeline import Setup, batch, conclude, fingerprint, read_batch, scoring

GAME = Game(sizes=(2,), no_mans_land=0, teams=(Team("Vlci", "A"), Team("Lišky", "B"), Team("Ježci", "C")))
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
CROSSINGS = tuple(tuple((4.0 + 12 * x, 4.0 + 12 * y) for x in range(3)) for y in range(3))
GRID = GridFit(2, 2, IDENTITY, CROSSINGS, 0.1, "printed", cell_mm=20.0)


def make_reading(photo, index, team, rows, flags=None):
    """A board of typed rows; ``flags`` maps (row, col) to doubts."""
    cells = tuple(
        CellReading(r, c, colour, "", 9.0, "Y", 0.9, (flags or {}).get((r, c), ()))
        for r, row in enumerate(rows.split())
        for c, colour in enumerate(row)
    )
    return BoardReading(photo.name, photo.sha256, index, GRID, MarkReading(team, "fiducial"), "default", cells)


class Eye:
    """Stands in for seeing: knows what each photo shows, and notes which photos it was shown."""

    def __init__(self):
        self.shows = {}
        self.seen = []
        self.interrupt_at = None

    def __call__(self, content, setup, corrections=()):
        photo = decode_photo(content)
        return photo, self.outcome(photo)

    def outcome(self, photo):
        self.seen.append(photo.name)
        if photo.name == self.interrupt_at:
            raise KeyboardInterrupt
        boards = self.shows.get(photo.name)
        if not boards:
            error = BoardNotFound("find.nothing", photo=photo.name, sizes="6×6")
            return Failure(photo.name, photo.sha256, "not_found", error.text)
        return tuple(make_reading(photo, index, *board) for index, board in enumerate(boards))


@pytest.fixture
def eye(monkeypatch):
    eye = Eye()
    monkeypatch.setattr(batch, "read_content", eye)
    monkeypatch.setattr(batch, "_MOST_WORKERS", 1)
    return eye


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fotky").mkdir()
    return tmp_path / "fotky"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "výsledky"


@pytest.fixture
def camp(eye, folder):
    """Three photos of a board each."""
    for shade, (name, team) in enumerate({"IMG_9.jpg": "Vlci", "IMG_10.jpg": "Lišky", "č 11.jpg": "Ježci"}.items()):
        eye.shows[name] = [(team, "RR ..")]
        add_photo(folder, name, shade)
    return folder


def add_photo(folder, name, shade):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.full((32, 40, 3), 60 + shade, np.uint8)).save(path)
    return path


def run(folder, out, corrections=(), setup=None):
    """One batch, read, scored and saved."""
    setup = setup or Setup(GAME)
    files = list_photos([folder])
    outcomes = list(read_batch(files, setup, out, corrections))
    if corrections:
        save_corrections(out / "corrections.csv", corrections)
    return conclude(outcomes, Batch(files, folder, settings=fingerprint(setup)), out, setup)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def pictures(out):
    return sorted(path.name for path in (out / "debug").iterdir())


def totals(scored):
    return {total.team: total.total for total in scored.results.totals}


def test_outcomes_come_in_the_order_of_names_and_a_bad_photo_stops_nothing(camp, out):
    (camp / "IMG_9b.jpg").write_text("no photo", encoding="utf-8")
    add_photo(camp, "les.jpg", 9)
    outcomes = list(read_batch(list_photos([camp]), Setup(GAME), out))
    told = [(o.photo, o.status) if isinstance(o, Failure) else (o[0].photo, o[0].mark.team) for o in outcomes]
    assert told == [
        ("IMG_9.jpg", "Vlci"),
        ("IMG_9b.jpg", "unreadable"),
        ("IMG_10.jpg", "Lišky"),
        ("les.jpg", "not_found"),
        ("č 11.jpg", "Ježci"),
    ]


def test_a_second_run_reads_nothing_and_changes_no_byte(camp, out, eye):
    run(camp, out)
    before = contents(out)
    eye.seen.clear()
    run(camp, out)
    assert eye.seen == []
    assert contents(out) == before


def test_an_interrupted_run_goes_on_where_it_was(camp, out, eye):
    eye.interrupt_at = "IMG_10.jpg"
    with pytest.raises(KeyboardInterrupt):
        run(camp, out)
    assert not (out / "results.csv").exists()
    eye.interrupt_at = None
    eye.seen.clear()
    run(camp, out)
    assert "IMG_9.jpg" not in eye.seen
    assert "IMG_10.jpg" in eye.seen


def test_an_interrupt_keeps_what_earlier_runs_left(camp, out, eye):
    run(camp, out)
    before = contents(out)
    add_photo(camp, "IMG_9.jpg", 20)
    eye.interrupt_at = "IMG_9.jpg"
    with pytest.raises(KeyboardInterrupt):
        run(camp, out)
    assert contents(out) == before


def test_a_caller_that_stops_early_keeps_everything(camp, out):
    run(camp, out)
    before = contents(out)
    reading = read_batch(list_photos([camp]), Setup(GAME), out)
    next(reading)
    reading.close()
    assert contents(out) == before


def test_an_unusable_results_folder_is_told_before_anything_is_read(camp, out, eye):
    out.write_text("a file", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        run(camp, out)
    assert caught.value.text.key == "settings.folder_read_only"
    assert eye.seen == []


# --- what is read again ---------------------------------------------------------------------------------------------


def test_only_a_changed_photo_is_read_again(camp, out, eye):
    run(camp, out)
    entries = len(list((out / ".cache").iterdir()))
    add_photo(camp, "IMG_9.jpg", 30)
    eye.seen.clear()
    run(camp, out)
    assert eye.seen == ["IMG_9.jpg"]
    assert len(list((out / ".cache").iterdir())) == entries


def test_a_damaged_cache_file_is_read_again(camp, out, eye):
    run(camp, out)
    before = contents(out)
    for path in (out / ".cache").iterdir():
        path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    eye.seen.clear()
    run(camp, out)
    assert len(eye.seen) == 3
    assert contents(out) == before


@pytest.mark.parametrize(("target", "value"), [("corners", "1 1 9 1 9 9 1 9"), ("size", "2")])
@pytest.mark.parametrize("by", ["content", "name"])
def test_a_word_on_a_grid_reads_that_photo_alone_again(camp, out, eye, target, value, by):
    run(camp, out)
    eye.seen.clear()
    sha256 = hashlib.sha256((camp / "IMG_10.jpg").read_bytes()).hexdigest() if by == "content" else ""
    word = Correction(sha256, "IMG_10.jpg" if by == "name" else "", 0, target, None, None, value)
    run(camp, out, [word])
    assert eye.seen == ["IMG_10.jpg"]


def test_what_is_filled_in_while_photos_are_read_is_not_lost(camp, out, eye):
    eye.shows["IMG_9.jpg"] = [("Vlci", ".R ..", {(0, 0): (Flag.GLARE,)})]
    assert totals(run(camp, out))["Vlci"] == 0
    files = list_photos([camp])
    outcomes = list(read_batch(files, Setup(GAME), out))
    path = out / "to_review.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",,,1,", ",R,,1,"), encoding="utf-8")
    scored = conclude(outcomes, Batch(files, camp), out, Setup(GAME))
    assert totals(scored)["Vlci"] == 1
    assert [word.value for word in load_corrections(out / "corrections.csv")] == ["R"]


@pytest.mark.parametrize("photo", ["IMG_10.jpg", "gone.jpg"])
def test_a_word_on_a_cell_counts_without_reading_again(camp, out, eye, photo):
    assert totals(run(camp, out)) == {"Vlci": 1, "Lišky": 1, "Ježci": 1}
    eye.seen.clear()
    scored = run(camp, out, [Correction("", photo, 0, "cell", 1, 0, "R")])
    assert eye.seen == []
    if photo == "gone.jpg":
        assert scored.settlement.notes == (Text("settle.photo_gone", (("photo", "gone.jpg"),)),)
        assert totals(scored)["Lišky"] == 1
    else:
        assert scored.settlement.notes == ()
        assert totals(scored) == {"Vlci": 1, "Lišky": 3, "Ježci": 1}


def test_another_game_in_the_same_folder_leaves_nothing_of_the_first(camp, out, eye, tmp_path):
    run(camp, out)
    other = tmp_path / "jiná"
    add_photo(other, "IMG_1.jpg", 70)
    eye.shows["IMG_1.jpg"] = [("Raci", "BB BB")]
    game = replace(GAME, teams=(Team("Raci", "R"),))
    scored = run(other, out, setup=Setup(game))
    assert totals(scored) == {"Raci": 6}
    clean = tmp_path / "čistá"
    run(other, clean, setup=Setup(game))
    assert contents(out) == contents(clean)


# --- debug pictures -------------------------------------------------------------------------------------------------


def test_every_board_and_every_failure_has_its_picture(camp, out, eye):
    eye.shows["IMG_9.jpg"].append(("Lišky", "BB .."))
    add_photo(camp, "večer/les.png", 9)
    (camp / "text.jpg").write_text("no photo", encoding="utf-8")
    run(camp, out)
    assert pictures(out) == ["IMG_10.jpg", "IMG_9-1.jpg", "IMG_9-2.jpg", "večer_les.jpg", "č 11.jpg"]
    assert all(np.asarray(Image.open(path)).std() > 10 for path in (out / "debug").iterdir())


def test_a_lost_picture_is_painted_again_without_reading(camp, out, eye):
    run(camp, out)
    before = contents(out)
    (out / "debug" / "IMG_9.jpg").unlink()
    (out / "debug" / "IMG_10.jpg").write_bytes((out / "debug" / "č 11.jpg").read_bytes())
    eye.seen.clear()
    run(camp, out)
    assert eye.seen == []
    assert contents(out) == before


def test_a_picture_that_can_not_be_written_is_told_and_costs_no_board(camp, out, eye, caplog):
    held_open = out / "debug" / "IMG_9.jpg"
    (held_open / "by a viewer").mkdir(parents=True)
    assert totals(run(camp, out)) == {"Vlci": 1, "Lišky": 1, "Ježci": 1}
    assert [(record.levelname, str(held_open) in record.message) for record in caplog.records] == [("ERROR", True)]
    assert caplog.records[0].message.endswith("uvolněte na disku místo, nebo zvolte jinou složku")
    (held_open / "by a viewer").rmdir()
    held_open.rmdir()
    eye.seen.clear()
    run(camp, out)
    assert (eye.seen, pictures(out)) == ([], ["IMG_10.jpg", "IMG_9.jpg", "č 11.jpg"])


def test_settings_that_no_photo_can_be_read_with_are_no_fault_of_a_photo(camp, out, eye, monkeypatch):
    def no_palette(*_):
        raise SettingsError("palette.none_for", camera="B7")

    monkeypatch.setattr(batch, "read_content", no_palette)
    with pytest.raises(SettingsError, match="B7"):
        run(camp, out)


def test_a_bug_in_one_photo_does_not_take_the_others_along(camp, out, eye, caplog):
    eye.shows["IMG_9.jpg"] = 1 / 2  # nothing that can be walked over
    outcomes = list(read_batch(list_photos([camp]), Setup(GAME), out))
    assert [isinstance(outcome, Failure) for outcome in outcomes] == [True, False, False]
    assert "Traceback" in caplog.text


def test_pictures_of_photos_that_are_gone_go_too(camp, out):
    run(camp, out)
    (camp / "IMG_9.jpg").unlink()
    run(camp, out)
    assert pictures(out) == ["IMG_10.jpg", "č 11.jpg"]


# --- the sheet of doubtful cells ------------------------------------------------------------------------------------


def test_doubtful_cells_are_shown_as_they_settled(camp, out, eye, monkeypatch):
    shown = []
    paint = scoring.contact_sheet
    monkeypatch.setattr(scoring, "contact_sheet", lambda crops, game: paint(shown.extend(crops) or crops, game))
    doubt = {(0, 0): (Flag.LOW_MARGIN,), (1, 1): (Flag.GLARE,)}
    eye.shows["IMG_9.jpg"] = [("Lišky", "BB .."), ("Vlci", "RR ..", doubt)]
    eye.shows["IMG_10.jpg"] = []
    run(camp, out, [Correction("", "IMG_9.jpg", 1, "cell", 0, 0, "G")])
    assert [(crop.photo, crop.board, crop.cell.row, crop.cell.col, crop.cell.flags) for crop in shown] == [
        ("IMG_9.jpg", "Vlci · A · 2×2", 1, 1, (Flag.GLARE,))
    ]
    assert (out / "flagged.jpg").exists()


def test_the_sheet_goes_when_nothing_is_in_doubt_any_more(camp, out, eye):
    eye.shows["IMG_9.jpg"] = [("Vlci", "RR ..", {(0, 0): (Flag.GLARE,)})]
    run(camp, out)
    assert (out / "flagged.jpg").exists()
    scored = run(camp, out, [Correction("", "IMG_9.jpg", 0, "cell", 0, 0, "R")])
    assert not (out / "flagged.jpg").exists()
    assert [total.open_cells for total in scored.results.totals] == [0, 0, 0]
