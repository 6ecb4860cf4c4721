from dataclasses import replace

import pytest

from poradek_vision.model import (
    Board,
    BoardReading,
    CellReading,
    Correction,
    Failure,
    Flag,
    Game,
    GridFit,
    MarkReading,
    OpenCell,
    Team,
    Text,
)
from poradek_vision.settle import is_beyond_bounds, is_undecided, settle
from poradek_vision.texts import say

GAME = Game(sizes=(3,), no_mans_land=0, teams=(Team("Vlci", "A"), Team("Lišky", "B")))
LAND = replace(GAME, no_mans_land=2)
FREE = Game(sizes=(3,))


def make_grid(rows=3, cols=None, **more):
    cols = cols or rows
    crossings = tuple(tuple((float(x), float(y)) for x in range(cols + 1)) for y in range(rows + 1))
    fields = {"how": "printed", **more}
    return GridFit(rows, cols, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), crossings, 0.1, **fields)


def make_reading(photo="a.jpg", team="Vlci", rows="RRR ... ...", sure=0.9, doubt=None, owners=None, **more):
    """A reading of typed rows; ``doubt`` maps (row, col) to flags, ``owners`` is one letter per cell, "." unknown."""
    rows, doubt = rows.split(), doubt or {}
    names = {"a": "Vlci", "b": "Lišky", ".": ""}
    cells = tuple(
        CellReading(
            r, c, colour, names[owners[r * len(row) + c]] if owners else "", 5.0, "", sure, doubt.get((r, c), ())
        )
        for r, row in enumerate(rows)
        for c, colour in enumerate(row)
    )
    fields = {
        "sha256": f"sha of {photo}",
        "index": 0,
        "grid": make_grid(len(rows), len(rows[0])),
        "mark": MarkReading(team, "fiducial"),
        "palette": "default",
        **more,
    }
    return BoardReading(photo=photo, cells=cells, **fields)


def make_land(photo="land.jpg", rows="RR ..", owners="ab..", **more):
    return make_reading(photo, "", rows, owners=owners, grid=make_grid(2, kind="no_mans_land"), **more)


def make_correction(value, row=0, col=0, target="cell", photo="a.jpg", index=0):
    return Correction(f"sha of {photo}", photo, index, target, row, col, value)


def settle_all(*readings, corrections=(), failures=(), game=GAME):
    return settle(readings, failures, corrections, game)


def statuses(settlement):
    return [(row.photo, row.team, row.status) for row in settlement.ledger]


def keys(texts):
    return [text.key for text in texts]


def one_board(settlement):
    (board,) = settlement.boards
    return board


# --- one reading --------------------------------------------------------------------------------------------------


def test_a_reading_without_doubt_becomes_a_board():
    settlement = settle_all(make_reading(rows="RY. ... ..B"))
    row = settlement.ledger[0]
    assert (row.status, row.reasons, row.found_by, row.palette, row.size) == ("ok", (), "printed", "default", 3)
    assert (row.board.team, row.board.rows, row.board.owners, row.board.open) == ("Vlci", ("RY.", "...", "..B"), (), ())
    assert row.board.sources == ("a.jpg",)
    assert [cell.colour for cell in row.cells] == list("RY......B")


def test_a_flagged_cell_is_open_and_asks_for_review():
    settlement = settle_all(make_reading(doubt={(1, 2): (Flag.GLARE,)}))
    assert one_board(settlement).open == (OpenCell(1, 2),)
    assert settlement.ledger[0].status == "review"
    assert settlement.ledger[0].reasons == (Text("settle.open_cells", (("count", "1"),)),)


@pytest.mark.parametrize(
    "more",
    [
        {"flags": (Flag.BLURRED,)},
        {"grid": make_grid(flags=(Flag.BLURRED,))},
        {"mark": MarkReading("Vlci", "mark", flags=(Flag.BLURRED,))},
        {"flags": (Flag.BLURRED,), "grid": make_grid(flags=(Flag.BLURRED,))},
    ],
)
def test_a_doubt_about_the_board_is_said_once(more):
    row = settle_all(make_reading(**more)).ledger[0]
    assert (row.status, keys(row.reasons)) == ("review", ["flag.blurred"])


def test_an_uncertain_grid_opens_every_cell_that_nobody_corrected():
    reading = make_reading(grid=make_grid(flags=(Flag.GRID_UNCERTAIN,)))
    settlement = settle_all(reading, corrections=[make_correction("Y", 1, 1)])
    places = [(cell.row, cell.col) for cell in one_board(settlement).open]
    assert places == [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]


def test_a_board_of_an_unknown_team_stands_alone():
    settlement = settle_all(make_reading("a.jpg", ""), make_reading("b.jpg", ""))
    assert statuses(settlement)[:2] == [("a.jpg", "", "review"), ("b.jpg", "", "review")]
    assert keys(settlement.ledger[0].reasons) == ["flag.team_unclear"]
    assert [board.team for board in settlement.boards] == ["", ""]


def test_a_team_that_the_list_lacks_is_said():
    row = settle_all(make_reading(team="Sovy")).ledger[0]
    assert (row.team, row.status, keys(row.reasons)) == ("Sovy", "review", ["flag.unknown_team"])


def test_a_grid_that_is_no_square_is_no_board():
    settlement = settle_all(make_reading(rows="RRR ..."))
    assert settlement.boards == ()
    assert (settlement.ledger[0].status, keys(settlement.ledger[0].reasons)) == ("review", ["settle.not_square"])


def test_a_size_that_the_game_lacks_is_said():
    row = settle_all(make_reading(rows="RR ..")).ledger[0]
    assert (row.status, keys(row.reasons)) == ("review", ["settle.no_such_size"])


# --- the no man's land ----------------------------------------------------------------------------------------------


def test_the_no_mans_land_has_owners_and_no_team():
    board = one_board(settle_all(make_land(), game=LAND))
    assert (board.team, board.owners, board.open) == (None, (("Vlci", "Lišky"), ("", "")), ())


def test_a_hand_made_board_of_just_its_size_is_the_no_mans_land():
    hand_made = make_reading(rows="RR ..", owners="ab..", grid=make_grid(2, how="ruled"))
    assert one_board(settle_all(hand_made, game=LAND)).team is None


def test_a_board_of_a_teams_size_is_the_teams_even_if_the_no_mans_land_has_the_same():
    game = replace(LAND, sizes=(3, 2))
    assert one_board(settle_all(make_reading(rows="RR .."), game=game)).team == "Vlci"


def test_a_sticker_without_owner_opens_only_the_owner():
    board = one_board(settle_all(make_land(owners="a..."), game=LAND))
    assert board.open == (OpenCell(0, 1, colour=False, owner=True),)


def test_an_open_colour_opens_the_owner_too():
    board = one_board(settle_all(make_land(doubt={(0, 0): (Flag.LOW_MARGIN,)}), game=LAND))
    assert board.open == (OpenCell(0, 0, colour=True, owner=True),)


def test_an_owner_in_an_empty_cell_is_no_doubt():
    board = one_board(settle_all(make_land(owners="abab", doubt={(1, 0): (Flag.OWNER_UNCLEAR,)}), game=LAND))
    assert (board.owners[1], board.open) == (("", ""), ())


def test_owners_that_differ_between_photos_are_open():
    board = one_board(settle_all(make_land("a.jpg"), make_land("b.jpg", owners="aa.."), game=LAND))
    assert board.open == (OpenCell(0, 1, colour=False, owner=True),)


def test_a_clear_owner_in_one_photo_is_enough():
    settlement = settle_all(make_land("a.jpg", owners="a..."), make_land("b.jpg", owners=".b.."), game=LAND)
    assert (one_board(settlement).owners[0], one_board(settlement).open) == (("Vlci", "Lišky"), ())


# --- several readings -----------------------------------------------------------------------------------------------


def test_the_better_photo_counts_and_the_other_is_its_duplicate():
    worse = make_reading("a.jpg", doubt={(0, 0): (Flag.GLARE,)})
    settlement = settle_all(worse, make_reading("b.jpg"))
    duplicate, best = settlement.ledger[:2]
    assert (duplicate.status, duplicate.board, duplicate.cells) == ("duplicate", None, ())
    assert duplicate.reasons == (Text("settle.duplicate", (("photo", "b.jpg"),)),)
    assert (best.status, best.board.sources) == ("ok", ("b.jpg", "a.jpg"))


@pytest.mark.parametrize(
    ("one", "other", "best"),
    [
        ({"sure": 0.8}, {"sure": 0.9}, "b.jpg"),
        ({"sure": 0.9}, {"sure": 0.9}, "a.jpg"),
        ({"flags": (Flag.BLURRED,)}, {"sure": 0.1, "doubt": {(0, 0): (Flag.GLARE,)}}, "b.jpg"),
    ],
)
def test_which_photo_is_better(one, other, best):
    settlement = settle_all(make_reading("a.jpg", **one), make_reading("b.jpg", **other))
    assert one_board(settlement).sources[0] == best


def test_photos_that_see_different_cells_clearly_complete_each_other():
    one = make_reading("a.jpg", rows="RYR ... ...", doubt={(0, 1): (Flag.GLARE,)})
    other = make_reading("b.jpg", rows="GRR ... ...", doubt={(0, 0): (Flag.GLARE,)})
    settlement = settle_all(one, other)
    assert (one_board(settlement).rows[0], one_board(settlement).open) == ("RRR", ())


def test_two_clear_readings_that_differ_are_a_doubt():
    rows = "RRR YYY ..."
    settlement = settle_all(make_reading("a.jpg", rows=rows), make_reading("b.jpg", rows="GRR YYY ...", sure=0.95))
    board = one_board(settlement)
    assert (board.rows[0], board.open) == ("GRR", (OpenCell(0, 0),))
    (cell,) = (cell for row in settlement.ledger for cell in row.cells if cell.flags)
    assert cell.flags == (Flag.PHOTOS_DISAGREE,)


def test_a_photo_in_doubt_as_a_whole_has_no_vote_beside_a_good_one():
    blurred = make_reading("a.jpg", rows="GRR YYY ...", flags=(Flag.BLURRED,))
    settlement = settle_all(blurred, make_reading("b.jpg", rows="RRR YYY ...", doubt={(0, 0): (Flag.GLARE,)}))
    assert (one_board(settlement).rows[0], one_board(settlement).open) == ("RRR", (OpenCell(0, 0),))


def test_two_boards_under_one_name_are_never_mixed():
    settlement = settle_all(make_reading("a.jpg", rows="RRR RRR RRR"), make_reading("b.jpg", rows="YYY ... GGG"))
    assert [(board.team, board.rows[0]) for board in settlement.boards] == [("Vlci", "RRR"), ("", "YYY")]
    assert statuses(settlement)[:2] == [("a.jpg", "Vlci", "review"), ("b.jpg", "", "review")]
    clash = Text("settle.clash", (("photo", "b.jpg"), ("board", "1"), ("count", "9")))
    assert settlement.ledger[0].reasons == (clash, Text("settle.open_cells", (("count", "9"),)))
    assert keys(settlement.ledger[1].reasons) == ["settle.clash"]


@pytest.mark.parametrize(
    ("rows", "boards"),
    [
        ("Y.. ... ...", 1),  # one of one sticker: too few cells to tell
        ("YYR RRR RR.", 1),  # two of eight stickers: a quarter
        ("YYY RRR RR.", 2),  # three of eight
    ],
)
def test_how_much_must_differ_for_two_boards(rows, boards):
    one = rows.replace("Y", "R")
    settlement = settle_all(make_reading("a.jpg", rows=one), make_reading("b.jpg", rows=rows))
    assert len(settlement.boards) == boards


def test_two_boards_in_one_photo_are_two_boards_however_alike():
    settlement = settle_all(make_reading(), make_reading(index=1))
    assert [(row.team, row.status) for row in settlement.ledger[:2]] == [("Vlci", "review"), ("", "review")]


def test_a_copy_of_a_photo_is_a_duplicate():
    settlement = settle_all(make_reading(), replace(make_reading(), photo="copy.jpg"))
    assert statuses(settlement)[:2] == [("a.jpg", "Vlci", "ok"), ("copy.jpg", "Vlci", "duplicate")]


@pytest.mark.parametrize("turned", ["RRR YYG ..B", ".YR .YR BGR", "B.. GYY RRR", "RGB RY. RY."])
def test_hand_made_boards_agree_whichever_side_is_up(turned):
    ruled = make_grid(how="ruled")
    best = make_reading("a.jpg", rows="RRR YYG ..B", grid=ruled, doubt={(1, 2): (Flag.GLARE,)})
    other = make_reading("b.jpg", rows=turned, grid=ruled, sure=0.5, doubt={(1, 1): (Flag.GLARE,)})
    board = one_board(settle_all(best, other))
    assert (board.rows, board.open) == (("RRR", "YYG", "..B"), ())


# --- corrections ----------------------------------------------------------------------------------------------------


def test_a_corrected_cell_is_closed():
    reading = make_reading(doubt={(0, 0): (Flag.GLARE, Flag.LOW_MARGIN)})
    settlement = settle_all(reading, corrections=[make_correction("Y")])
    cell = settlement.ledger[0].cells[0]
    assert (cell.colour, cell.flags, cell.corrected, cell.confidence) == ("Y", (), True, 1.0)
    assert (settlement.ledger[0].status, settlement.notes) == ("ok", ())


def test_the_last_word_on_a_cell_counts_and_that_another_differs_is_told():
    words = [replace(make_correction(value), line=line) for line, value in ((2, "Y"), (4, "B"), (7, "G"))]
    settlement = settle_all(make_reading(), corrections=words)
    assert one_board(settlement).rows[0] == "GRR"
    (note,) = settlement.notes
    told = say(note.key, "en", **dict(note.fields))
    assert told.startswith(
        "a.jpg, board 1: lines 2, 4, 7 of corrections.csv contradict (cell 1, 1: Y / B / G); the last"
    )
    assert "holds, “G”" in told


def test_a_word_said_twice_is_no_contradiction():
    assert settle_all(make_reading(), corrections=[make_correction("Y"), make_correction("Y")]).notes == ()


@pytest.mark.parametrize(
    ("target", "values", "kept"),
    [
        ("team", ("Vlci", "Lišky"), lambda settlement: one_board(settlement).team == "Lišky"),
        ("board", ("ok", "no"), lambda settlement: settlement.boards == ()),
        ("board", ("no", "ok"), lambda settlement: len(settlement.boards) == 1),
    ],
)
def test_words_on_a_board_that_contradict_are_told(target, values, kept):
    words = [make_correction(value, None, None, target) for value in values]
    settlement = settle_all(make_reading(), corrections=words)
    assert kept(settlement)
    assert [(note.key, dict(note.fields)["value"]) for note in settlement.notes] == [("settle.contradict", values[1])]


def test_a_word_that_is_refused_contradicts_none():
    settlement = settle_all(make_reading(), corrections=[make_correction("Y"), make_correction("X")])
    assert (one_board(settlement).rows[0], keys(settlement.notes)) == ("YRR", ["settle.no_such_colour"])


def test_corners_that_contradict_are_told():
    corners = ("0 0 9 0 9 9 0 9", "1 0 9 0 9 9 0 9")
    words = [make_correction(value, None, None, "corners") for value in corners]
    settlement = settle_all(make_reading(grid=make_grid(how="by hand")), corrections=words)
    assert keys(settlement.notes) == ["settle.contradict"]


def test_a_correction_of_a_duplicate_holds_for_the_board():
    words = [make_correction("Y", photo="b.jpg")]
    assert one_board(settle_all(make_reading(), make_reading("b.jpg"), corrections=words)).rows[0] == "YRR"


def test_corrections_of_two_photos_that_contradict_are_noted():
    words = [make_correction("Y"), make_correction("G", photo="b.jpg")]
    settlement = settle_all(make_reading(), make_reading("b.jpg"), corrections=words)
    assert (one_board(settlement).rows[0], keys(settlement.notes)) == ("GRR", ["settle.corrections_differ"])


def test_a_correction_turns_with_its_photo():
    ruled = make_grid(how="ruled")
    best = make_reading("a.jpg", rows="RRR YYG ..B", grid=ruled)
    other = make_reading("b.jpg", rows=".YR .YR BGR", grid=ruled, sure=0.5)
    words = [make_correction("B", 0, 0, photo="b.jpg")]  # bottom left in the other photo's frame
    assert one_board(settle_all(best, other, corrections=words)).rows == ("RRR", "YYG", "B.B")


def test_of_photos_that_clash_either_may_be_right_until_a_person_says_so():
    old, new = make_reading("old.jpg", rows="RRR ... ..."), make_reading("new.jpg", rows="RRR YYY GGG")
    (board, _) = settle_all(old, new).boards
    assert {(cell.row, cell.col) for cell in board.open} == {(row, col) for row in (1, 2) for col in range(3)}
    for named, rows in (("old.jpg", ("RRR", "...", "...")), ("new.jpg", ("RRR", "YYY", "GGG"))):
        word = make_correction("Vlci", None, None, "team", named)
        (board,) = settle_all(old, new, corrections=[word]).boards
        assert (board.team, board.rows, board.open) == ("Vlci", rows, ())


@pytest.mark.parametrize(
    ("how", "grid", "in_doubt"), [("fiducial", "printed", False), ("mark", "ruled", True), ("file name", "ruled", True)]
)
def test_of_boards_that_clash_either_may_be_another_teams_unless_a_printed_number_says_whose(how, grid, in_doubt):
    fields = {"mark": MarkReading("Vlci", how), "grid": make_grid(how=grid)}
    one, other = make_reading("1.jpg", **fields), make_reading("2.jpg", rows="YYY GGG BBB", **fields)
    best, stray = settle_all(one, other).boards
    assert (best.team, best.in_doubt, stray.team, stray.in_doubt) == ("Vlci", in_doubt, "", True)
    word = make_correction("Vlci", None, None, "team", "1.jpg")
    assert [board.in_doubt for board in settle_all(one, other, corrections=[word]).boards] == [False]


@pytest.mark.parametrize("read", ["Vlci", ""])
def test_a_board_given_to_a_team_that_has_another_one_throws_none_away(read):
    moved, there = make_reading("1.jpg", read), make_reading("2.jpg", "Lišky", rows="YYY GGG BBB")
    word = make_correction("Lišky", None, None, "team", "1.jpg")
    settlement = settle_all(moved, there, corrections=[word])
    assert statuses(settlement)[:2] == [("1.jpg", "Lišky", "review"), ("2.jpg", "", "review")]
    assert all("settle.clash" in keys(row.reasons) for row in settlement.ledger[:2])
    vouched = [word, make_correction("ok", None, None, "board", "1.jpg")]
    assert statuses(settle_all(moved, there, corrections=vouched))[1] == ("2.jpg", "Lišky", "duplicate")


def test_a_doubtful_mark_leaves_its_board_in_doubt_until_a_person_says_whose_it_is():
    reading = make_reading(mark=MarkReading("Vlci", "mark", flags=(Flag.TEAM_UNCLEAR,)))
    assert one_board(settle_all(reading)).in_doubt
    word = make_correction("Vlci", None, None, "team")
    assert not one_board(settle_all(reading, corrections=[word])).in_doubt


def test_of_photos_that_clash_what_either_is_unsure_of_is_open():
    old = make_reading("old.jpg", rows="RRR GG. ...")
    new = make_reading("new.jpg", rows="RRR YYY ...", doubt={(0, 0): (Flag.GLARE,), (1, 2): (Flag.GLARE,)})
    board = next(board for board in settle_all(old, new).boards if board.team)
    assert {(0, 0), (1, 0), (1, 1), (1, 2)} >= {(cell.row, cell.col) for cell in board.open} >= {(0, 0), (1, 0)}


def test_of_photos_that_clash_the_one_with_which_most_agree_counts():
    odd = make_reading("a.jpg", rows="YYY ... ...", sure=0.99)
    most = [make_reading(f"{name}.jpg", rows="RRR GGG ...", sure=0.9) for name in "bcd"]
    settlement = settle_all(odd, *most)
    assert next(board for board in settlement.boards if board.team == "Vlci").rows == ("RRR", "GGG", "...")


def test_naming_the_team_clears_its_doubt_and_brings_photos_together():
    unclear = make_reading("b.jpg", "", mark=MarkReading("", "", flags=(Flag.TEAM_UNCLEAR,)))
    word = make_correction("Vlci", None, None, "team", "b.jpg")
    assert statuses(settle_all(make_reading(), unclear, corrections=[word]))[:2] == [
        ("a.jpg", "Vlci", "ok"),
        ("b.jpg", "Vlci", "duplicate"),
    ]


def test_naming_the_team_parts_two_boards():
    word = make_correction("Lišky", None, None, "team", "b.jpg")
    settlement = settle_all(make_reading(), make_reading("b.jpg", rows="YYY GGG BBB"), corrections=[word])
    assert statuses(settlement) == [("a.jpg", "Vlci", "ok"), ("b.jpg", "Lišky", "ok")]


def test_an_owner_can_be_corrected_even_to_nobody_known():
    words = [make_correction("Lišky", 0, 0, "owner", "land.jpg"), make_correction("", 0, 1, "owner", "land.jpg")]
    settlement = settle_all(make_land(owners="...."), corrections=words, game=LAND)
    assert (one_board(settlement).owners[0], one_board(settlement).open) == (("Lišky", ""), ())


def test_a_corrected_colour_leaves_an_unclear_owner_open_until_it_is_said():
    colour = make_correction("Y", 1, 0, photo="land.jpg")
    owner = make_correction("Vlci", 1, 0, "owner", "land.jpg")
    open_owner = one_board(settle_all(make_land(), corrections=[colour], game=LAND))
    assert open_owner.open == (OpenCell(1, 0, colour=False, owner=True),)
    settled = one_board(settle_all(make_land(), corrections=[owner, colour], game=LAND))
    assert (settled.rows[1], settled.owners[1], settled.open) == ("Y.", ("Vlci", ""), ())


@pytest.mark.parametrize(
    ("word", "note"),
    [
        (make_correction("R", photo="gone.jpg"), "settle.photo_gone"),
        (make_correction("1 2 3 4", None, None, "corners", "gone.jpg"), "settle.photo_gone"),
        (make_correction("1 2 3 4", None, None, "corners", index=7), "settle.corners_unused"),
        (make_correction("1 2 3 4", None, None, "corners", "failed.jpg", 1), "settle.corners_unused"),
        (make_correction("3", None, None, "size"), "settle.size_alone"),
        (make_correction("no", None, None, "board", index=1), "settle.no_such_board"),
        (make_correction("R", index=1), "settle.no_such_board"),
        (make_correction("R", photo="failed.jpg"), "settle.no_such_board"),
        (make_correction("R", 3, 0), "settle.no_such_cell"),
        (make_correction("R", -1, 0), "settle.no_such_cell"),
        (make_correction("R", None, 0), "settle.no_such_cell"),
        (make_correction("X"), "settle.no_such_colour"),
        (make_correction("Sovy", None, None, "team"), "settle.no_such_team"),
        (make_correction("", None, None, "team"), "settle.no_such_team"),
        (make_correction("Vlci", None, None, "team", "land.jpg"), "settle.land_has_no_team"),
        (make_correction("Sovy", 0, 0, "owner", "land.jpg"), "settle.no_such_owner"),
        (make_correction("Vlci", 1, 0, "owner", "land.jpg"), "settle.owner_of_nothing"),
        (make_correction("Vlci", 0, 0, "owner"), "settle.owner_of_nothing"),
    ],
)
def test_a_correction_without_a_place_is_noted_and_changes_nothing(word, note):
    readings = (make_reading(), make_land())
    failed = Failure("failed.jpg", "sha of failed.jpg", "not_found", Text("photo.empty"))
    settlement = settle(readings, [failed], [word], LAND)
    assert keys(settlement.notes) == [note]
    assert settlement.boards == settle(readings, [failed], [], LAND).boards
    for language in ("cs", "en"):
        assert word.photo in say(note, language, **dict(settlement.notes[0].fields))


def test_corners_and_sizes_that_were_obeyed_need_no_note():
    words = [make_correction("1 2 3 4", None, None, "corners"), make_correction("3", None, None, "size")]
    assert settle_all(make_reading(grid=make_grid(how="by hand")), corrections=words).notes == ()
    assert keys(settle_all(make_reading(), corrections=words).notes) == ["settle.corners_unused"]


def test_a_photo_without_a_board_says_itself_why_its_corners_were_of_no_use():
    failed = Failure("a.jpg", "sha of a.jpg", "not_found", Text("find.corners_outside"))
    said = [make_correction("1 2 3 4", None, None, "corners"), make_correction("no", None, None, "board")]
    assert settle_all(failures=[failed], corrections=said).notes == ()


# --- the ledger -----------------------------------------------------------------------------------------------------


def test_expected_boards_that_nobody_saw_are_missing_and_come_last():
    settlement = settle_all(make_reading("z.jpg"), game=LAND)
    assert [(row.photo, row.team, row.size, row.status) for row in settlement.ledger] == [
        ("z.jpg", "Vlci", 3, "ok"),
        ("", "Lišky", 3, "missing"),
        ("", None, 2, "missing"),
    ]
    assert keys(settlement.ledger[1].reasons) == ["settle.missing"]


def test_without_a_team_list_only_teams_seen_are_expected():
    assert statuses(settle_all(make_reading(rows="RR .."), game=replace(FREE, sizes=(3, 2)))) == [
        ("a.jpg", "Vlci", "ok"),
        ("", "Vlci", "missing"),
    ]


def test_photos_come_in_counting_order_and_boards_by_their_place():
    readings = [make_reading("10.jpg"), make_reading("9.jpg", "", index=1), make_reading("9.jpg", "Lišky")]
    assert [(row.photo, row.team) for row in settle_all(*readings).ledger] == [
        ("9.jpg", "Lišky"),
        ("9.jpg", ""),
        ("10.jpg", "Vlci"),
    ]


@pytest.mark.parametrize(
    ("status", "row_status", "found_by"),
    [("not_found", "not_found", ""), ("unreadable", "unreadable", ""), ("card", "ok", "card")],
)
def test_photos_without_a_board_are_accounted_for(status, row_status, found_by):
    reason = Text("photo.empty", (("photo", "x.jpg"),))
    row = settle_all(failures=[Failure("x.jpg", "sha", status, reason)], game=FREE).ledger[0]
    assert (row.photo, row.team, row.size, row.status, row.found_by) == ("x.jpg", "", None, row_status, found_by)
    assert row.reasons == (reason,)


def test_every_reason_is_a_sentence_in_both_languages():
    readings = [
        make_reading(),
        make_reading("b.jpg"),
        make_reading("c.jpg", rows="YYY GGG BBB"),
        make_reading("d.jpg", rows="RR"),
        make_reading("e.jpg", rows="RR .."),
        make_reading("f.jpg", "", doubt={(0, 0): (Flag.GLARE,)}),
    ]
    reasons = [reason for row in settle_all(*readings).ledger for reason in row.reasons]
    assert len(set(keys(reasons))) == 7
    for reason in reasons:
        assert all(say(reason.key, language, **dict(reason.fields)) for language in ("cs", "en"))


@pytest.mark.parametrize(("owners", "told"), [("aaaaa..... ......", False), ("aaaa...... ......", True)])
def test_where_most_owners_are_unclear_the_marks_of_the_settings_are_called_in_question(owners, told):
    owners = owners.replace(" ", "")
    land = make_reading(
        "land.jpg", "", "RRRR RRRR RR.. ....", owners=owners, grid=make_grid(4, kind="no_mans_land")
    )  # ten stickers
    settlement = settle((land,), (), (), replace(GAME, no_mans_land=4))
    assert ("settle.marks_unlike" in keys(settlement.ledger[0].reasons)) == told
    assert not is_undecided(settlement.ledger[0])  # whose board it is and which photo counts is clear
    assert is_beyond_bounds(settlement.ledger[0]) == told  # sure owners may be wrong ones then


# --- boards that are none, boards that a person vouches for, boards typed in ---------------------------------------


def test_what_a_person_calls_no_board_counts_for_nobody_and_is_said():
    word = Correction("sha of a.jpg", "a.jpg", 0, "board", None, None, "no")
    settlement = settle_all(make_reading(), corrections=[word])
    assert settlement.boards == ()
    assert statuses(settlement)[0] == ("a.jpg", "Vlci", "ok")
    assert keys(settlement.ledger[0].reasons) == ["settle.no_board"]


def test_of_two_boards_of_a_place_the_one_that_is_none_takes_its_clash_along():
    other = make_reading("b.jpg", rows="YYY YYY YYY")
    word = Correction("sha of b.jpg", "b.jpg", 0, "board", None, None, "no")
    assert statuses(settle_all(make_reading(rows="RRR RRR RRR"), other, corrections=[word]))[:2] == [
        ("a.jpg", "Vlci", "ok"),
        ("b.jpg", "Vlci", "ok"),
    ]


def test_a_photo_in_which_a_person_sees_no_board_waits_no_more():
    failure = Failure("a.jpg", "sha of a.jpg", "not_found", Text.of("find.nothing", photo="a.jpg", sizes="6×6"))
    word = Correction("sha of a.jpg", "a.jpg", 0, "board", None, None, "no")
    assert statuses(settle_all(failures=[failure]))[0] == ("a.jpg", "", "not_found")
    assert statuses(settle_all(failures=[failure], corrections=[word]))[0] == ("a.jpg", "", "ok")


def test_who_vouches_for_a_board_ends_the_doubts_about_its_grid_alone():
    grid = make_grid(flags=(Flag.GRID_UNCERTAIN,))
    reading = make_reading(grid=grid, doubt={(0, 0): (Flag.GLARE,)})
    word = Correction("sha of a.jpg", "a.jpg", 0, "board", None, None, "ok")
    assert len(one_board(settle_all(reading)).open) == 9
    settlement = settle_all(reading, corrections=[word])
    assert one_board(settlement).open == (OpenCell(0, 0),)
    assert keys(settlement.ledger[0].reasons) == ["settle.open_cells"]


def test_who_vouches_for_a_grid_vouches_for_the_lines_round_each_cell():
    reading = make_reading(doubt={(0, 0): (Flag.GRID_UNCERTAIN,), (1, 1): (Flag.GLARE, Flag.GRID_UNCERTAIN)})
    word = Correction("sha of a.jpg", "a.jpg", 0, "board", None, None, "ok")
    assert one_board(settle_all(reading)).open == (OpenCell(0, 0), OpenCell(1, 1))
    assert one_board(settle_all(reading, corrections=[word])).open == (OpenCell(1, 1),)


def test_of_boards_typed_twice_the_last_counts_and_that_another_differs_is_told():
    first, last = (Board("Lišky", 3, (row, "...", "...")) for row in ("YYY", "RRR"))
    settlement = settle((make_reading(),), (), (), GAME, [first, last, replace(last)])
    assert (settlement.boards[1], keys(settlement.notes)) == (last, ["settle.typed_again"])


def test_a_typed_board_stands_where_no_photo_shows_one():
    typed = Board("Lišky", 3, ("YYY", "...", "..."))
    settlement = settle((make_reading(),), (), (), GAME, [typed])
    assert settlement.boards[1] == typed
    assert statuses(settlement) == [("a.jpg", "Vlci", "ok"), ("", "Lišky", "ok")]
    assert {(cell.corrected, cell.confidence) for cell in settlement.ledger[1].cells} == {(True, 1.0)}


@pytest.mark.parametrize(
    ("typed", "note"),
    [
        (Board("Vlci", 3, ("YYY", "...", "...")), "settle.typed_seen"),
        (Board("Sovy", 3, ("YYY", "...", "...")), "settle.typed_team"),
        (Board("Vlci", 2, ("YY", "..")), "settle.typed_size"),
        (Board(None, 2, ("YY", "..")), "settle.typed_size"),
    ],
)
def test_a_typed_board_that_has_no_place_is_told(typed, note):
    settlement = settle((make_reading(),), (), (), GAME, [typed])
    assert len(settlement.boards) == 1
    assert keys(settlement.notes) == [note]


# --- corrections that are no longer needed ---------------------------------------------------------------------------


def test_a_correction_that_the_photo_says_by_itself_is_told_and_asks_for_nothing():
    settlement = settle_all(make_reading(), corrections=[make_correction("R")])
    assert settlement.notes == ()
    assert keys(settlement.agreeing) == ["settle.agrees"]


@pytest.mark.parametrize(
    ("reading", "value"),
    [(make_reading(), "G"), (make_reading(doubt={(0, 0): (Flag.GLARE,)}), "R")],
    ids=["it differs", "it was in doubt"],
)
def test_a_correction_that_is_needed_is_not(reading, value):
    assert settle_all(reading, corrections=[make_correction(value)]).agreeing == ()


def test_a_team_that_is_read_by_now_is_told():
    word = make_correction("Vlci", None, None, "team")
    assert keys(settle_all(make_reading(), corrections=[word]).agreeing) == ["settle.agrees_team"]
    unclear = make_reading(team="", mark=MarkReading("", "", flags=(Flag.TEAM_UNCLEAR,)))
    assert settle_all(unclear, corrections=[word]).agreeing == ()
