"""The cache of a build: entries are kept while they are used, and never trusted on a page."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.pipeline.build_cache import BuildCache, program_digest

STAMP = b"this program"


def cache_at(path: Path, stamp: bytes = STAMP) -> BuildCache:
    return BuildCache(path, stamp, site=path)


def remembered(path: Path, *, stamp: bytes = STAMP, **values: bytes) -> None:
    """Runs a build that keeps these values and no others."""
    cache = cache_at(path, stamp)
    for key, value in values.items():
        cache.table("words").put(key.encode(), value)
    cache.save()


def recalled(path: Path, *keys: str, stamp: bytes = STAMP) -> list[bytes | None]:
    table = cache_at(path, stamp).table("words")
    return [table.get(key.encode()) for key in keys]


def test_what_was_put_is_there_for_the_next_build(tmp_path: Path) -> None:
    """Values are found under their keys, in their table."""
    remembered(tmp_path / "cache", one=b"1", two=bytes(range(256)))
    assert recalled(tmp_path / "cache", "one", "two", "three") == [b"1", bytes(range(256)), None]
    assert cache_at(tmp_path / "cache").table("another").get(b"one") is None


def test_what_nobody_asks_for_is_forgotten(tmp_path: Path) -> None:
    """Values that a build neither got nor put are deleted from the tables it used."""
    remembered(tmp_path / "cache", one=b"1", two=b"2", three=b"3")
    cache = cache_at(tmp_path / "cache")
    cache.table("words").get(b"one")
    cache.table("words").put(b"two", b"two")
    cache.table("another").put(b"key", b"value")
    cache.save()
    assert recalled(tmp_path / "cache", "one", "two", "three") == [b"1", b"two", None]
    cache_at(tmp_path / "cache").save()
    assert cache_at(tmp_path / "cache").table("another").get(b"key") == b"value"


def test_another_program_begins_anew(tmp_path: Path) -> None:
    """Entries of another version of the program, or of a library, are deleted."""
    remembered(tmp_path / "cache", one=b"1")
    assert recalled(tmp_path / "cache", "one", stamp=b"a newer one") == [None]
    remembered(tmp_path / "cache", stamp=b"a newer one", two=b"2")
    assert recalled(tmp_path / "cache", "one", "two") == [None, None]
    assert (
        program_digest({"a.html": "x"})
        == program_digest({"a.html": "x"})
        != program_digest({"a.html": "y"})
    )


def test_two_builds_at_once(tmp_path: Path) -> None:
    """Of two concurrent builds, the one that ends last decides what is kept."""
    remembered(tmp_path / "cache", one=b"1", two=b"2")
    first, second = cache_at(tmp_path / "cache"), cache_at(tmp_path / "cache")
    first.table("words").get(b"one")
    second.table("words").get(b"two")
    first.save()
    second.save()
    assert recalled(tmp_path / "cache", "one", "two") == [None, b"2"]


def test_caches_of_old_sites_are_deleted(tmp_path: Path) -> None:
    """A cache that no build has written for a long time is deleted."""
    remembered(tmp_path / "old", one=b"1")
    os.utime(tmp_path / "old", (0, 0))
    remembered(tmp_path / "cache", one=b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_nowhere_to_write(tmp_path: Path) -> None:
    """Without a usable folder nothing is kept, and no error occurs."""
    remembered(tmp_path / "nowhere/cache", one=b"1")
    (tmp_path / "cache").write_bytes(b"")
    remembered(tmp_path / "cache", one=b"1")
    (tmp_path / "another/words").mkdir(parents=True)
    remembered(tmp_path / "another", one=b"1")
    assert recalled(tmp_path / "cache", "one") == recalled(tmp_path / "another", "one") == [None]


@given(data=st.data())
@settings(max_examples=60)
def test_damage_is_noticed(data: st.DataObject) -> None:
    """After any damage, a value is correct or missing, and the file can be used again."""
    values = {f"key {number}": bytes([number]) * 700 for number in range(12)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cache")
        remembered(path, **values)
        content = bytearray((path / "words").read_bytes())
        for _ in range(data.draw(st.integers(1, 20))):
            content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
        (path / "words").write_bytes(
            content[: data.draw(st.sampled_from([len(content), len(content) // 2, 10, 0]))]
        )
        found = recalled(path, *values)
        assert all(
            value in (None, wanted) for value, wanted in zip(found, values.values(), strict=True)
        )
        remembered(path, **values)
        assert recalled(path, *values) == list(values.values())
