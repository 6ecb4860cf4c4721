"""What is wrong with the arguments, in the language of the game: typer itself says it in English only.

Versions of typer differ in what their errors know; so what an option wants is taken from its own declaration.
"""

from __future__ import annotations

import enum
import inspect
import itertools
import re
import types
from collections.abc import Sequence
from typing import Any, get_args, get_type_hints

import typer

from poradek_vision.model import Text

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""All that typer has against arguments; where it keeps this class depends on its version."""


def usage_fault(fault: Any, argv: Sequence[str]) -> Text | None:
    """What is wrong with the arguments, and what is allowed.

    Parameters
    ----------
    fault : UsageError
    argv : sequence of str

    Returns
    -------
    Text or None
        None where typer has help to show, or something to say that is not foreseen here.
    """
    command = fault.ctx.command_path if fault.ctx else ""
    if hasattr(fault, "option_name"):
        return _option_fault(fault, argv, command)
    if param := getattr(fault, "param", None):
        if hasattr(fault, "param_type"):
            return Text.of("usage.missing", name=param.metavar or param.name, command=command)
        return _value_fault(param, fault.ctx.command, argv)
    words = [word for word in argv if not word.startswith("-")]
    if words and (commands := getattr(fault.cmd, "commands", None)):
        return Text.of("usage.no_such_command", name=words[0], allowed=", ".join(commands))
    if extra := re.search(r"extra argument.*\((.*)\)", fault.message):
        return Text.of("usage.too_many", words=extra[1])
    return None


def _option_fault(fault: Any, argv: Sequence[str], command: str) -> Text:
    """What is wrong with an option itself: there is none, or its value is missing or one too many."""
    name = fault.option_name
    if hasattr(fault, "possibilities"):
        likely = ", ".join(fault.possibilities or ())
        key = "usage.no_such_option_but" if likely else "usage.no_such_option"
        return Text.of(key, option=name, command=command, likely=likely)
    valued = any(word.startswith(f"{name}=") for word in argv)
    return Text.of("usage.takes_no_value" if valued else "usage.no_value", option=name)


def _value_fault(param: Any, command: Any, argv: Sequence[str]) -> Text | None:
    """What an option's value should be."""
    hints = get_type_hints(inspect.unwrap(command.callback), include_extras=True)
    declared, option = get_args(hints[param.name])
    kind, least, most = _single(declared), option.min, option.max
    said = {"option": "/".join(param.opts), "value": ", ".join(_values(param.opts, argv))}
    if issubclass(kind, enum.Enum):
        return Text.of("usage.wants_choice", **said, allowed=", ".join(item.value for item in kind))
    if kind is float:
        return Text.of("usage.wants_number", **said)
    if kind is int and most is not None:
        return Text.of("usage.wants_between", **said, least=least, most=most)
    return Text.of("usage.wants_at_least", **said, least=least) if kind is int else None


def _single(kind: Any) -> Any:
    """The type of one value: int for ``list[int] | None``."""
    inner = [part for part in get_args(kind) if part is not types.NoneType]
    return _single(inner[0]) if inner else kind


def _values(names: Sequence[str], argv: Sequence[str]) -> list[str]:
    """What was given for an option, each time.

    Examples
    --------
    >>> _values(["--size"], ["score", "a.jpg", "--size", "3", "--size=x"])
    ['3', 'x']
    """
    values = []
    for before, word in itertools.pairwise(("", *argv)):
        name, sign, value = word.partition("=")
        if before in names:
            values.append(word)
        elif sign and name in names:
            values.append(value)
    return values
