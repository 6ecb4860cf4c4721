"""Every deliberate failure, and the exit codes.

An error carries the key of its sentence in the catalogue of texts and what to fill in, so that the command line can
say it in the language of the game; ``str(error)`` is the English sentence.

Examples
--------
>>> error = UnreadableFile("photo.empty", photo="IMG_7.jpg")
>>> error.text.key
'photo.empty'
"""

from __future__ import annotations

import enum
import errno

from poradek_vision.model import Text
from poradek_vision.texts import keys, say_text


class Exit(enum.IntEnum):
    """What the command's exit code means."""

    DONE = 0
    OPEN = 1
    USAGE = 2
    NOTHING_READ = 3
    BUG = 70
    INTERRUPTED = 130


class PoradekError(Exception):
    """A dead end that a person can do something about.

    Parameters
    ----------
    key : str
        Key of the sentence in the catalogue of texts.
    **fields
        What to fill in; kept as strings.
    """

    exit_code = Exit.USAGE

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key)
        self.text = Text.of(key, **fields)

    def __str__(self) -> str:
        return say_text(self.text, "en")


class SettingsError(PoradekError):
    """Unusable settings or arguments: names the key, the value and what is allowed."""


class PhotoError(PoradekError):
    """No reading comes out of this photo."""

    exit_code = Exit.NOTHING_READ


class UnreadableFile(PhotoError):
    """The file is no picture that can be trusted."""


class BoardNotFound(PhotoError):
    """A fine picture, but no board in it."""


class CardNotFound(PhotoError):
    """A fine picture, but no calibration card in it."""


def reason(error: OSError) -> str:
    """Why the system refused, for the field ``why`` of a text.

    Returns
    -------
    str
        A name of the catalogue's table ``why``, else the system's own words; Windows has those in people's language.

    Examples
    --------
    >>> reason(PermissionError(13, "Permission denied")), reason(OSError("no such device"))
    ('EACCES', 'no such device')
    """
    name = errno.errorcode.get(error.errno or 0, "")
    in_own_words = getattr(error, "winerror", None) is not None or f"why.{name}" not in keys()
    return error.strerror or str(error) if in_own_words else name
