import itertools
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed_land import lands, parse, stickers

from poradek_vision.game import merged_shapes, score_rows
from poradek_vision.model import Rules

ALL_RULES = [Rules(contact, tie) for contact in ("corner", "edge") for tie in ("nobody", "share", "every", "stickers")]


def shapes_of(text, **rules):
    return merged_shapes(*parse(text), Rules(**rules))


def credit_of(text, **rules):
    credit = defaultdict(float)
    for shape in shapes_of(text, **rules):
        for team, points in shape.awarded:
            credit[team] += points
    return dict(credit)


@pytest.mark.parametrize(
    ("text", "rules", "credit"),
    [
        # the rules' own worked cases
        ("Ra Ra Rb", {}, {"a": 3}),
        ("Ra Rb", {}, {}),
        ("Ra Rb", {"tie": "share"}, {"a": 0.5, "b": 0.5}),
        ("Ra Rb", {"tie": "every"}, {"a": 1, "b": 1}),
        ("Ra Rb", {"tie": "stickers"}, {}),
        ("Ra Ra . Rb Rb", {}, {"a": 1, "b": 1}),
        ("Ra Ra / Rb Rb", {}, {}),
        # one team alone
        ("Ra", {}, {"a": 0}),
        ("Ra Ya", {}, {"a": 0}),
        ("Ra Ra / Ra Ra", {}, {"a": 6}),
        # a team's points are the sum of its shapes: two pairs of a outweigh one pair of b
        ("Ra Ra Rb Rb Ra Ra", {}, {"a": 15}),
        # a gap filled by another team breaks a's run, yet the whole is one shape
        ("Ra Rb Ra", {}, {}),
        ("Ra Rb Ra", {"tie": "stickers"}, {"a": 3}),
        # three teams, two of them tied
        ("Ra Ra Rb Rb Rc", {"tie": "share"}, {"a": 5, "b": 5}),
        ("Ra Ra Rb Rb Rc", {"tie": "every"}, {"a": 10, "b": 10}),
        # other colours do not touch
        ("Ra Ra Yb Yb", {}, {"a": 1, "b": 1}),
        # corners
        ("Ra . / . Rb", {}, {}),
        ("Ra . / . Rb", {"contact": "edge"}, {"a": 0, "b": 0}),
        ("Ra . / . Ra", {}, {"a": 1}),
        ("Ra . / . Ra", {"contact": "edge"}, {"a": 0}),
        ("Ra Ra . / . . Rb / . . Rb", {"contact": "edge"}, {"a": 1, "b": 1}),
        # a's diagonal pair lies in one merged shape, but under "edge" in two shapes of a
        ("Ra Rb / Rc Ra", {}, {"a": 6}),
        ("Ra Rb / Rc Ra", {"contact": "edge"}, {}),
        ("Ra Rb / Rc Ra", {"contact": "edge", "tie": "stickers"}, {"a": 6}),
        # unknown owners belong to the whole and strengthen nobody
        ("Ra Ra R", {}, {"a": 3}),
        ("Ra R", {}, {"a": 1}),
        ("Ra R Rb", {}, {}),
        ("R R R", {}, {}),
        ("Ra Ra R R R R", {}, {"a": 15}),
    ],
)
def test_each_team_is_credited_with_what_it_was_awarded(text, rules, credit):
    assert credit_of(text, **rules) == credit


def test_a_shape_tells_how_it_was_awarded():
    (shape,) = shapes_of(". Rb Ra / . . Ra")
    assert shape.cells == ((0, 1), (0, 2), (1, 2))
    assert shape.points_by_team == (("a", 1), ("b", 0))
    assert (shape.points, shape.awarded, shape.tie) == (3, (("a", 3.0),), False)


@pytest.mark.parametrize(
    ("text", "tie", "is_tie"),
    [
        ("Ra Rb", "nobody", True),
        ("Ra Rb Ra", "stickers", True),
        ("Ra Ra Rb", "nobody", False),
        ("Ra", "nobody", False),
        ("R", "nobody", False),
        ("Ra R", "share", False),
    ],
)
def test_a_tie_is_two_teams_with_the_most(text, tie, is_tie):
    (shape,) = shapes_of(text, tie=tie)
    assert shape.tie is is_tie


def test_without_owners_nobody_is_awarded_anything():
    (shape,) = merged_shapes(["RR"], ())
    assert (shape.points, shape.points_by_team, shape.awarded) == (1, (), ())


def credit_by_the_words(rows, owners, rules):
    """The rules word by word, cell by cell and segment by segment, slowly."""
    cells = [(r, c) for r, row in enumerate(rows) for c, colour in enumerate(row) if colour != "."]
    reach = 1 if rules.contact == "edge" else 2

    def touch(a, b):
        apart = abs(a[0] - b[0]), abs(a[1] - b[1])
        return max(apart) == 1 and sum(apart) <= reach

    def connected(group):
        label = {cell: {cell} for cell in group}
        for a, b in itertools.combinations(group, 2):
            if touch(a, b) and label[a] is not label[b]:
                joined = label[a] | label[b]
                label.update(dict.fromkeys(joined, joined))
        return {frozenset(patch) for patch in label.values()}

    def points(group):
        steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
        return sum(
            all((r + i * down, c + i * right) in group for i in range(length))
            for (r, c), (down, right) in itertools.product(group, steps)
            for length in range(2, len(rows) + 1)
        )

    credit = defaultdict(float)
    for colour in {rows[r][c] for r, c in cells}:
        for merged in connected([cell for cell in cells if rows[cell[0]][cell[1]] == colour]):
            teams = {owners[r][c] for r, c in merged} - {""}
            own = {team: [(r, c) for r, c in merged if owners[r][c] == team] for team in teams}
            strength = {team: sum(points(shape) for shape in connected(own[team])) for team in teams}
            first = [team for team in teams if strength[team] == max(strength.values())]
            if rules.tie == "stickers" and len(first) > 1:
                first = [team for team in first if len(own[team]) == max(len(own[other]) for other in first)]
            if len(first) > 1 and rules.tie in ("nobody", "stickers"):
                continue
            for team in first:
                credit[team] += points(merged) / (len(first) if rules.tie == "share" else 1)
    return dict(credit)


@given(lands(stickers(teams="abc")), st.sampled_from(ALL_RULES))
def test_credit_follows_the_words_of_the_rules(text, rules):
    rows, owners = parse(text)
    expected = credit_by_the_words(rows, owners, rules)
    assert credit_of(text, contact=rules.contact, tie=rules.tie) == pytest.approx(expected)


@given(lands(stickers()), st.sampled_from(ALL_RULES))
def test_no_more_is_credited_than_the_board_is_worth(text, rules):
    shapes = merged_shapes(*parse(text), rules)
    points = sum(shape.points for shape in shapes)
    assert points <= score_rows(parse(text)[0])
    if rules.tie != "every":
        assert sum(part for shape in shapes for _, part in shape.awarded) <= points + 1e-9


@given(lands(stickers(teams="a", unknown=False)))
def test_one_team_alone_scores_as_on_its_own_board(text):
    assert credit_of(text).get("a", 0) == score_rows(parse(text)[0])


@given(lands(stickers()), st.sampled_from(ALL_RULES))
def test_shapes_share_out_the_stickers(text, rules):
    rows, owners = parse(text)
    cells = [cell for shape in merged_shapes(rows, owners, rules) for cell in shape.cells]
    assert sorted(cells) == [(r, c) for r, row in enumerate(rows) for c, colour in enumerate(row) if colour != "."]


@given(lands(stickers(teams="abc")), st.sampled_from(ALL_RULES))
def test_credit_does_not_depend_on_which_side_is_up(text, rules):
    cells = [row.split() for row in text.split("/")]
    turned = " / ".join(" ".join(column) for column in zip(*cells[::-1], strict=True))
    mirrored = " / ".join(" ".join(row[::-1]) for row in cells)
    credit = credit_of(text, contact=rules.contact, tie=rules.tie)
    assert credit_of(turned, contact=rules.contact, tie=rules.tie) == pytest.approx(credit)
    assert credit_of(mirrored, contact=rules.contact, tie=rules.tie) == pytest.approx(credit)
