"""The cache of a build: entries are kept while they are used, and never trusted on a page."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.pipeline.build_cache import Cache, program_digest

STAMP = b"this program"


def remembered(path: Path, *, stamp: bytes = STAMP, **values: bytes) -> None:
    """Runs a build that keeps these values and no others."""
    cache = Cache(path, stamp)
    for key, value in values.items():
        cache.table("words").put(key.encode(), value)
    cache.save()


def recalled(path: Path, *keys: str, stamp: bytes = STAMP) -> list[bytes | None]:
    table = Cache(path, stamp).table("words")
    return [table.get(key.encode()) for key in keys]


def test_what_was_put_is_there_for_the_next_build(tmp_path: Path) -> None:
    """Values are found under their keys, in their table."""
    remembered(tmp_path / "cache", one=b"1", two=bytes(range(256)))
    assert recalled(tmp_path / "cache", "one", "two", "three") == [b"1", bytes(range(256)), None]
    assert Cache(tmp_path / "cache", STAMP).table("another").get(b"one") is None


def test_what_nobody_asks_for_is_forgotten(tmp_path: Path) -> None:
    """Values that a build neither got nor put are deleted from the tables it used."""
    remembered(tmp_path / "cache", one=b"1", two=b"2", three=b"3")
    cache = Cache(tmp_path / "cache", STAMP)
    cache.table("words").get(b"one")
    cache.table("words").put(b"two", b"two")
    cache.table("another").put(b"key", b"value")
    cache.save()
    assert recalled(tmp_path / "cache", "one", "two", "three") == [b"1", b"two", None]
    Cache(tmp_path / "cache", STAMP).save()
    assert Cache(tmp_path / "cache", STAMP).table("another").get(b"key") == b"value"


def test_another_program_begins_anew(tmp_path: Path) -> None:
    """Entries of another version of the program, or of a library, are deleted."""
    remembered(tmp_path / "cache", one=b"1")
    assert recalled(tmp_path / "cache", "one", stamp=b"a newer one") == [None]
    remembered(tmp_path / "cache", stamp=b"a newer one", two=b"2")
    assert recalled(tmp_path / "cache", "one", "two") == [None, None]
    assert program_digest({"a.html": "x"}) == program_digest({"a.html": "x"}) != program_digest({"a.html": "y"})


def test_a_file_in_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another build writes, a build keeps nothing, and does not fail."""
    remembered(tmp_path / "cache", one=b"1")
    with closing(sqlite3.connect(tmp_path / "cache", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr("sitegen.pipeline.build_cache.LOCK_TIMEOUT", 0)
        remembered(tmp_path / "cache", one=b"2")
        assert recalled(tmp_path / "cache", "one") == [None]
    assert recalled(tmp_path / "cache", "one") == [b"1"]


def test_nowhere_to_write(tmp_path: Path) -> None:
    """Without a usable folder nothing is kept, and no error occurs."""
    remembered(tmp_path / "nowhere/cache", one=b"1")
    (tmp_path / "cache").mkdir()
    remembered(tmp_path / "cache", one=b"1")
    assert recalled(tmp_path / "cache", "one") == [None]


@pytest.mark.parametrize(
    ("healthy", "broken"),
    {
        "may not be written": (b"SQLite format 3\0\x10\0\1", b"SQLite format 3\0\x10\0\7"),
        "of a format yet to come": (b"SQLite format 3\0\x10\0\1\1", b"SQLite format 3\0\x10\0\1\7"),
        "two keys become one": (b"key 3", b"key 4"),
    }.values(),
)
def test_useless_file_is_made_anew(tmp_path: Path, healthy: bytes, broken: bytes) -> None:
    """A file that the database cannot use is replaced, with all values."""
    values = {f"key {number}": bytes([number]) * 700 for number in range(12)}
    path = tmp_path / "cache"
    remembered(path, **values)
    content = path.read_bytes()
    assert content.count(healthy) == 1
    path.write_bytes(content.replace(healthy, broken))
    remembered(path, **{key: value + b"." for key, value in values.items()})
    assert recalled(path, *values) == [value + b"." for value in values.values()]


@given(data=st.data())
@settings(max_examples=60)
def test_damage_is_noticed(data: st.DataObject) -> None:
    """After any damage, a value is correct or missing, and the file can be used again."""
    values = {f"key {number}": bytes([number]) * 700 for number in range(12)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cache")
        remembered(path, **values)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 20))):
            content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
        path.write_bytes(content[: data.draw(st.sampled_from([len(content), len(content) // 2, 10, 0]))])
        found = recalled(path, *values)
        assert all(value in (None, wanted) for value, wanted in zip(found, values.values(), strict=True))
        remembered(path, **values)
        assert recalled(path, *values) == list(values.values())
