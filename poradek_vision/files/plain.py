"""Plain records to JSON and back, equal to the last digit.

Works from the records' own type hints: dataclasses become objects, tuples lists, flags their names. Reading is strict:
what is missing, surplus or of another type is refused with the place where it stands.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import json
import math
import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def to_plain(value: object) -> Any:
    """A record as what JSON knows: objects, lists, numbers, strings.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> to_plain((Team("Vlci", "A"),))
    [{'name': 'Vlci', 'mark': 'A'}]
    """
    if dataclasses.is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value.value if isinstance(value, enum.Enum) else value


def from_plain(kind: type[Record], value: object) -> Record:
    """A record again.

    Parameters
    ----------
    kind : type
        A plain record of ``model``.
    value : object
        What :func:`to_plain` made of it, after any trip through JSON.

    Raises
    ------
    ValueError
        If it is anything else; names the field.

    Examples
    --------
    >>> from poradek_vision.model import Team
    >>> from_plain(Team, {"name": "Vlci", "mark": 1})
    Traceback (most recent call last):
    ValueError: mark: 1 is no str
    """
    return cast(Record, _read(kind, value, ""))


def parse_json(text: str) -> Any:
    """Parse JSON, without the NaN and Infinity that Python would let pass.

    Raises
    ------
    ValueError
        If it is no JSON.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _read(kind: Any, value: object, at: str) -> object:
    """Read a value of any type that records are made of; ``at`` is its place, for the error."""
    origin = get_origin(kind)
    if dataclasses.is_dataclass(kind):
        return _read_record(cast(type, kind), value, at)
    if origin is tuple:
        return _read_tuple(get_args(kind), value, at)
    if origin is Literal:
        fits = value in get_args(kind)
    elif origin in (Union, types.UnionType):
        return None if value is None else _read(get_args(kind)[0], value, at)
    elif issubclass(kind, enum.Enum):
        fits = value in {item.value for item in kind}
        return kind(value) if fits else _refuse(value, kind, at)
    elif kind is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        return float(cast(float, value)) if fits else _refuse(value, kind, at)
    else:
        fits = type(value) is kind
    return value if fits else _refuse(value, kind, at)


def _read_record(kind: type, value: object, at: str) -> object:
    """Read the fields of a record; those with a default may be left out."""
    hints = _hints(kind)
    if not isinstance(value, Mapping):
        return _refuse(value, kind, at)
    surplus = sorted(set(value) - set(hints))
    if surplus:
        raise ValueError(f"{at}{surplus[0]}: no such field")
    fields = {name: _read(hints[name], value[name], f"{at}{name}: ") for name in hints if name in value}
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{at}{error}") from error


def _read_tuple(items: tuple[Any, ...], value: object, at: str) -> tuple[object, ...]:
    """Read ``tuple[X, ...]`` or one of fixed length."""
    if not isinstance(value, list):
        raise ValueError(f"{at}{value!r:.40} is no list")
    kinds = items[:1] * len(value) if items[-1] is Ellipsis else items
    if len(kinds) != len(value):
        raise ValueError(f"{at}{len(value)} values instead of {len(kinds)}")
    return tuple(_read(kind, item, at) for kind, item in zip(kinds, value, strict=True))


def _refuse(value: object, kind: Any, at: str) -> object:
    """Say what stands where a value of another kind should."""
    raise ValueError(f"{at}{value!r:.40} is no {getattr(kind, '__name__', kind)}")


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of a record's fields."""
    return {field.name: get_type_hints(kind)[field.name] for field in dataclasses.fields(kind)}
