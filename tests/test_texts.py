"""The catalogue of texts: both languages, the same fields, no key missing and none left over."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from poradek_vision.model import Flag
from poradek_vision.texts import _catalogue, keys, points_text, say

PACKAGE = Path(__file__).parents[1] / "poradek_vision"
SOURCES = [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))]
SOURCE = "\n".join(SOURCES)
PAGES = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.html")))
TREES = [ast.parse(source) for source in SOURCES]
SPEAKING = {
    "say",
    "Text",
    "of",  # Text.of
    "PoradekError",
    "SettingsError",
    "PhotoError",
    "UnreadableFile",
    "BoardNotFound",
    "CardNotFound",
}
GIVEN = {"refusal": {"file", "where", "value"}, "counted": {"count"}}
"""Functions that take a key and fill in some fields themselves."""
FORMS = ("one", "few", "many")


def fields(key: str, language: str) -> set[str]:
    """The names in braces of a text."""
    return {name for _, name, _, _ in string.Formatter().parse(_catalogue()[key][language]) if name}


def calls() -> Iterator[tuple[str, str, set[str], bool]]:
    """Every call with a plain key: the function, the key, names of fields given, whether more come by ``**``."""
    for node in (node for tree in TREES for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        function = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if function not in SPEAKING | set(GIVEN):
            continue
        given = {word.arg for word in node.keywords if word.arg}
        open_ended = function == "Text" or any(word.arg is None for word in node.keywords)
        first = node.args[0]
        for part in [] if isinstance(first, ast.JoinedStr) else ast.walk(first):
            if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z_]+\.\w+", str(part.value)):
                told = [f"{part.value}_{form}" for form in FORMS] if function == "counted" else [part.value]
                yield from ((function, key, given | GIVEN.get(function, set()), open_ended) for key in told)


def spoken_in_pieces() -> Iterator[re.Pattern[str]]:
    """What f-strings and joined texts of pages that begin like a key can become; their holes stand for any word."""
    yield from (re.compile(re.escape(start) + r"\w+") for start in re.findall(r"say\('([a-z_.]+)' ~", PAGES))
    for node in (node for tree in TREES for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)):
        parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in node.values]
        if re.match(r"[a-z_]+\\\.", parts[0]):
            yield re.compile("".join(parts))


@pytest.mark.parametrize("key", keys())
def test_both_languages_say_the_same_fields(key):
    assert fields(key, "cs") == fields(key, "en")


@pytest.mark.parametrize("language", ["cs", "en"])
def test_every_flag_has_a_sentence_and_no_other_has(language):
    assert {key for key in keys() if key.startswith("flag.")} == {f"flag.{flag}" for flag in Flag}
    assert all(say(f"flag.{flag}", language) for flag in Flag)


def test_every_key_in_the_code_exists_and_gets_its_fields():
    found = list(calls())
    assert len(found) > 20
    assert [key for _, key, _, _ in found if key not in keys()] == []
    starved = [
        (key, fields(key, "en") - given) for _, key, given, more in found if not more and fields(key, "en") - given
    ]
    assert starved == []


def test_every_key_on_a_page_exists_and_gets_its_fields():
    calls = re.findall(r"say\('([a-z_]+\.\w+)'(?!\s*~)((?:, \w+=[^)]+)?)\)", PAGES)
    assert len(calls) > 20
    for key, given in calls:
        assert fields(key, "en") == set(re.findall(r"(\w+)=", given)), key


def test_no_text_is_left_over():
    patterns = list(spoken_in_pieces())
    told = (SOURCE + PAGES).replace("'", '"')
    bare = {key: re.sub(rf"_({'|'.join(FORMS)})$", "", key) for key in keys()}  # texts about a number of things
    unspoken = [
        key for key in keys() if not key.startswith("flag.") and not any(f'"{one}"' in told for one in (key, bare[key]))
    ]
    assert [key for key in unspoken if not any(pattern.fullmatch(key) for pattern in patterns)] == []


def test_a_missing_key_or_field_is_a_bug():
    with pytest.raises(KeyError):
        say("word.nothing", "en")
    with pytest.raises(KeyError):
        say("photo.empty", "en")


def test_points_are_written_as_people_of_the_language_do():
    assert [points_text(points, "cs") for points in (3.0, 30.5, 100.0, 2 / 3)] == ["3", "30,5", "100", "0,67"]
    assert points_text(1.5, "en") == "1.5"
