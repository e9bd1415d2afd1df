"""The lines of the keys of a TOML document."""

from __future__ import annotations

import json
import tomllib
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from sitegen.config.toml import key_lines, line_of


def check(text: str) -> None:
    """Asserts that a key with a number is on the line of that number."""
    text = dedent(text)
    lines = key_lines(text)
    found = list(numbers(tomllib.loads(text)))
    assert found, "the text has no numbers"
    for path, number in found:
        assert line_of(path, lines) == number


def numbers(value: object, path: tuple[str | int, ...] = ()):
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        if isinstance(item, int) and not isinstance(item, bool):
            yield (*path, key), item
        yield from numbers(item, (*path, key))


def test_tables_and_arrays_of_tables():
    """Keys are found in tables, arrays of tables, tables within them, and under dotted keys."""
    check("""\
        top = 1
        [site]
        a = 3   # not 4
        b.c."d e" = 4
        [[source]]
        id = 6
        [source.files]
        "1.0" = 8
        [[source]]

        [[source.part]]
        x = 12
        [[source.part]]
        'x' = 14
    """)


def test_inline_tables_and_arrays():
    """What is inside an inline table or an array has the line of its key."""
    check("""\
        files = { "1.0" = 1, two = { three = 1 } }
        list = [
            2,
            [ 2, 2,
              2 ], { x = 2 },   # ], 0
        ]
        last = 7
    """)


def test_strings_that_look_like_structure():
    """Brackets, equals signs, comments and quotes inside the four kinds of strings do not count."""
    check("""\
        a = "[x] # = \\" {"
        b = '[[y]] = "'
        c = \"\"\"
        [z]
        d = 0 \\\"""
        \"\"\"\"\"
        e = '''
        f = 0 '' '''
        g = 9
        "h = 0" = 10
        i = 1979-05-27 07:32:00
        j = 12
    """)


def test_lines_ending_in_both_characters():
    """A file written on Windows has the same lines."""
    assert key_lines("a = 1\r\n[b]\r\nc = 3\r\n")["b", "c"] == 3


def test_a_missing_key_is_placed_at_its_table():
    """A missing key has the line of its table, or none."""
    lines = key_lines("\n[[source]]\nid = 1\n")
    assert line_of(("source", 0, "folder"), lines) == 2
    assert line_of(("site", "title"), lines) == 0


keys = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
scalars = st.one_of(
    st.integers(0, 9), st.booleans(), st.floats(0, 1), st.text("[]{}=#,.'\"\n\\ a", max_size=6)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(keys, values, max_size=4), min_size=1, max_size=3))
def test_every_key_of_any_document_is_found(tables):
    """Each key of each table has the line on which it was written."""
    text, expected = "", {}
    for number, table in enumerate(tables):
        text += "[[t]]\n"
        for key, value in table.items():
            text += '# [[t]] = "\n'
            expected["t", number, key] = text.count("\n") + 1
            text += f"{quoted(key)} = {toml(value)}\n"
    assert tomllib.loads(text)["t"] == tables
    lines = key_lines(text)
    assert {path: lines[path] for path in expected} == expected


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    return str(value).lower()
