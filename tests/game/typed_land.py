"""Boards of the no man's land typed as in the rules: ``Ra Ra Rb / . . Yc``."""

from hypothesis import strategies as st

from poradek_vision.model import Board


def parse(text):
    """Rows of colours and rows of owners; ``R`` alone has an unknown owner."""
    cells = [row.split() for row in text.split("/")]
    return ["".join(cell[0] for cell in row) for row in cells], [[cell[1:] for cell in row] for row in cells]


def stickers(colours="RY", teams="ab", unknown=True, empty=True):
    """One cell: colour and owner."""
    owners = [*teams, ""] if unknown else list(teams)
    return st.sampled_from([c + o for c in colours for o in owners] + (["."] if empty else []))


def lands(cell, sizes=(1, 4)):
    """Square boards, as text."""
    return st.integers(*sizes).flatmap(
        lambda size: st.lists(
            st.lists(cell, min_size=size, max_size=size).map(" ".join), min_size=size, max_size=size
        ).map(" / ".join)
    )


def board(text, open_cells=()):
    rows, owners = parse(text)
    return Board(None, len(rows), tuple(rows), tuple(map(tuple, owners)), tuple(open_cells))
