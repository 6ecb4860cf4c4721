"""The pictures of the pages, made when they are asked for: few photos are kept, since each takes megabytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from poradek_vision.errors import PhotoError
from poradek_vision.files import PhotoFile, load_photo, picture_paths, picture_stems
from poradek_vision.model import BoardReading, Failure, Photo, photo_of
from poradek_vision.overlay import Picture, encode_jpeg, reduced, whole_board
from poradek_vision.pipeline import Review

_MOST_PHOTOS = 24
"""So many are kept opened, the last ones: each takes a few megabytes."""
_PHOTO_PX, _THUMB_PX = 2000, 480
"""Longest sides of a photo and of a small debug picture as pages show them."""
CELL_PX, MARGIN_CELLS = 96, 0.5
"""Side of a cell of a board laid flat, and what is shown round the grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """An opened photo: its size in its own pixels, as a JPEG, and its boards laid flat. Heavy."""

    width: int
    height: int
    jpeg: bytes
    boards: dict[int, Picture]


class Album:
    """Opens photos of a batch and keeps the last ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: OrderedDict[object, Opened] = OrderedDict()

    def photo(self, review: Review, sha256: str) -> Opened:
        """A photo of the batch.

        Raises
        ------
        LookupError
            If there is no such photo, or its file has changed.
        PhotoError
            If it can't be opened.
        """
        boards = boards_of(review, sha256)
        key = (sha256, tuple(reading.grid for reading in boards))
        with self._lock:  # one at a time: each holds a whole photo in memory
            if key not in self._opened:
                self._opened[key] = _opened(load_photo(file_of(review, sha256)), sha256, boards)
                while len(self._opened) > _MOST_PHOTOS:
                    self._opened.popitem(last=False)
            self._opened.move_to_end(key)
            return self._opened[key]

    def size(self, review: Review, sha256: str) -> tuple[int, int]:
        """Width and height of a photo in its own pixels; of the part round its boards where it can't be opened.

        Raises
        ------
        LookupError
            If there is no such photo.
        """
        boards = boards_of(review, sha256)
        try:
            photo = self.photo(review, sha256)
        except (LookupError, PhotoError):
            if not boards:
                raise
            points = [point for reading in boards for line in reading.grid.crossings for point in line]
            return round(max(x for x, _ in points)), round(max(y for _, y in points))
        return photo.width, photo.height

    def has(self, review: Review, sha256: str) -> bool:
        """Whether a photo can be shown: its file is there and is still the same."""
        try:
            self.photo(review, sha256)
        except (LookupError, PhotoError):
            return False
        return True

    def board(self, review: Review, sha256: str, index: int) -> bytes:
        """A board laid flat, as JPEG."""
        return encode_jpeg(self.photo(review, sha256).boards[index])

    def cell(self, review: Review, sha256: str, index: int, row: int, col: int) -> bytes:
        """A cell with half a cell round it, as JPEG."""
        board = self.photo(review, sha256).boards[index]
        cut = board[row * CELL_PX : (row + 2) * CELL_PX, col * CELL_PX : (col + 2) * CELL_PX]
        if cut.shape[:2] != (2 * CELL_PX, 2 * CELL_PX):
            raise LookupError("no such cell")
        return encode_jpeg(cut)


def thumb(review: Review, sha256: str, index: int) -> bytes:
    """The debug picture of a board, or of a photo without one, made small.

    Raises
    ------
    LookupError
        If there is no such photo.
    PhotoError
        If its picture is gone.
    """
    name = file_of(review, sha256).name
    stem = picture_stems([file.name for file in review.batch.photos])[name]
    paths = picture_paths(review.results, stem, max(1, len(boards_of(review, sha256))))
    picture = load_photo(PhotoFile(name, paths[index])).pixels
    return encode_jpeg(reduced(picture, _THUMB_PX))


def boards_of(review: Review, sha256: str) -> tuple[BoardReading, ...]:
    """The boards in a photo."""
    for outcome in review.outcomes:
        if not isinstance(outcome, Failure) and outcome[0].sha256 == sha256:
            return outcome
    return ()


def name_of(review: Review, sha256: str) -> str:
    """The name of a photo.

    Raises
    ------
    LookupError
        If there is no such photo.
    """
    for name, content in map(photo_of, review.outcomes):
        if sha256 and content == sha256:
            return name
    raise LookupError("no such photo")


def file_of(review: Review, sha256: str) -> PhotoFile:
    """The file of a photo.

    Raises
    ------
    LookupError
        If there is no such photo.
    """
    name = name_of(review, sha256)
    return next(file for file in review.batch.photos if file.name == name)


def _opened(photo: Photo, sha256: str, boards: tuple[BoardReading, ...]) -> Opened:
    if photo.sha256 != sha256:
        raise LookupError("the photo is another one by now")
    flat = {reading.index: whole_board(photo, reading.grid, CELL_PX, MARGIN_CELLS) for reading in boards}
    return Opened(*photo.full_size, encode_jpeg(reduced(photo.pixels, _PHOTO_PX)), flat)
