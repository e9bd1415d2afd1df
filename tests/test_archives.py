"""Glossaries in archives: what is read, and what a hostile archive cannot do."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sitegen.config.tables import SourceTable
from sitegen.sources import archives
from sitegen.sources.archives import read_archives
from sitegen.sources.file_cache import FileCache
from sitegen.sources.snapshots import RawSource


def tar_of(entries: Iterable[tuple[str | tarfile.TarInfo, bytes]]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name, data in entries:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = info.size or len(data)
            tar.addfile(info, io.BytesIO(data))
    return file.getvalue()


def zip_of(entries: Iterable[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return file.getvalue()


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


def read(folder: Path, *paths: str, pattern: str = "*") -> RawSource:
    """Returns the result of reading a folder with these archives."""
    source = SourceTable(id="s", archives=pattern, paths=paths or ("GLOSSARY.md",))
    return read_archives(source, root=folder, file_cache=FileCache())


def found(gathered: RawSource) -> str:
    return "\n".join(map(str, gathered.problems))


ONE = [("t-1.0/GLOSSARY.md", b"one\n"), ("t-1.0/x.py", b"")]


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("t-1.0.tar", tar_of(ONE)),
        ("t-1.0.tar.gz", gzip.compress(tar_of(ONE))),
        ("t-1.0.tgz", gzip.compress(tar_of(ONE))),
        ("t-1.0.tar.bz2", bz2.compress(tar_of(ONE))),
        ("t-1.0.tar.xz", lzma.compress(tar_of(ONE))),
        ("t-1.0.zip", zip_of(ONE)),
        ("t_1.0.orig.tar.gz", gzip.compress(tar_of(ONE))),
        ("v1.0.tar.gz", zip_of(ONE)),
    ],
)
def test_every_kind_of_archive_is_a_release(tmp_path: Path, name: str, packed: bytes) -> None:
    """The content determines the kind, the file name the release, and the top folder is removed."""
    (tmp_path / name).write_bytes(packed)
    gathered = read(tmp_path)
    (document,) = gathered.documents
    assert [release.name for release in gathered.releases] == ["1.0"]
    assert (document.text, document.name, document.path) == ("one\n", "GLOSSARY.md", f"{name}:GLOSSARY.md")
    assert gathered.problems == ()


def test_archives_are_in_order_of_version(tmp_path: Path) -> None:
    """Releases are in the order of their versions, and an unchanged file is one text."""
    (tmp_path / "sdists").mkdir()
    for version in ("1.10", "1.9", "1.9.1"):
        (tmp_path / "sdists" / f"t-{version}.tar.gz").write_bytes(gzip.compress(tar_of(ONE)))
    (tmp_path / "sdists" / "README.md").write_text("no archive\n", encoding="utf-8")
    gathered = read(tmp_path, pattern="sdists/t-*")
    assert [release.name for release in gathered.releases] == ["1.9", "1.9.1", "1.10"]
    assert len({id(document.text) for document in gathered.documents}) == 1


def test_paths_are_tried_in_order_in_each_archive(tmp_path: Path) -> None:
    """A file that moved keeps one history; folders and patterns work as in git."""
    (tmp_path / "t-1.zip").write_bytes(zip_of([("t/GLOSSARY.md", b"one\n"), ("t/docs/.x.md", b"x\n")]))
    (tmp_path / "t-2.zip").write_bytes(zip_of([("t/GLOSSARY.md", b"moved\n"), ("t/docs/a/b.md", b"two\n")]))
    gathered = read(tmp_path, "docs", "GLOSSARY.md")
    assert [(document.name, document.text) for document in gathered.documents] == [
        ("GLOSSARY.md", "one\n"),
        ("docs/a/b.md", "two\n"),
    ]


def test_without_a_top_folder_paths_are_as_they_stand(tmp_path: Path) -> None:
    """An archive with several entries at its top has no folder to remove."""
    (tmp_path / "t-1.zip").write_bytes(zip_of([("docs/a.md", b"one\n"), ("src/a.md", b"two\n")]))
    assert [document.text for document in read(tmp_path, "docs/a.md").documents] == ["one\n"]
    (tmp_path / "t-1.zip").write_bytes(zip_of([("docs/a.md", b"one\n"), ("README", b"")]))
    assert [document.text for document in read(tmp_path, "docs/a.md").documents] == ["one\n"]


def test_an_archive_without_the_glossary_is_a_gap(tmp_path: Path) -> None:
    """A later release without the glossary is a gap; an earlier one is left out."""
    for version, name in (("1", "x"), ("2", "GLOSSARY.md"), ("3", "x")):
        (tmp_path / f"t-{version}.zip").write_bytes(zip_of([(f"t/{name}", b"text\n")]))
    gathered = read(tmp_path)
    assert [release.name for release in gathered.releases] == ["2", "3"]
    assert gathered.unread == (("3", ""),)
    assert "after the first release, 1 do not have GLOSSARY.md: t-3.zip" in found(gathered)


def test_a_second_archive_of_a_release_is_a_problem(tmp_path: Path) -> None:
    """Two archives of one name in different forms are one release."""
    for ending, packed in (("tar", tar_of(ONE)), ("zip", zip_of(ONE))):
        (tmp_path / f"t-1.0.{ending}").write_bytes(packed)
    gathered = read(tmp_path)
    assert len(gathered.releases) == 1
    assert "t-1.0.zip: the same release as t-1.0.tar, which is read" in found(gathered)


def test_no_archives_is_a_problem(tmp_path: Path) -> None:
    """A pattern without a matching archive is one line."""
    assert "*.zip: no archives found; archives end in .tar.gz" in found(read(tmp_path, pattern="*.zip"))
    assert "No such file or directory" in found(read(tmp_path / "nowhere"))


def test_an_unreadable_member_is_unread(tmp_path: Path) -> None:
    """A binary or too large member is a gap; the others are read."""
    entries = [("t/g/a.md", b"fine\n"), ("t/g/b.md", b"\0\1\2"), ("t/g/c.md", b"long\n" * 2_000_000)]
    (tmp_path / "t-1.tar").write_bytes(tar_of(entries))
    gathered = read(tmp_path, "g")
    assert [document.name for document in gathered.documents] == ["g/a.md"]
    assert gathered.unread == (("1", "g/b.md"), ("1", "g/c.md"))
    assert "t-1.tar:g/c.md: the file has 10,000,000 bytes" in found(gathered)


# Hostile archives. A good one is next to each, and is read.


def spoil(folder: Path, packed: bytes, *paths: str) -> str:
    """Returns the problems of a release with a hostile archive, after checking that the one before was read."""
    (folder / "t-1.0.zip").write_bytes(zip_of(ONE))
    (folder / "t-2.0.zip").write_bytes(packed)
    gathered = read(folder, *paths)
    assert [(document.release, document.text) for document in gathered.documents] == [("1.0", "one\n")]
    assert [release for release, _ in gathered.unread] == ["2.0"]
    assert len(gathered.problems) == 1
    return found(gathered)


def bomb() -> bytes:
    """Returns a tar file of a few kilobytes with 80 megabytes of zeros before its glossary."""
    return gzip.compress(tar_of([("t/zeros", bytes(80 * 1024 * 1024)), ("t/GLOSSARY.md", b"two\n")]))


def backwards() -> bytes:
    """Returns a tar file whose member has a negative size, so that it leads back to itself."""
    info = tarfile.TarInfo("t/x")
    info.size = -1024
    return info.tobuf(tarfile.GNU_FORMAT) + tar_of(ONE)


def zip_link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tar_of([("t/GLOSSARY.md", b"two\n"), ("../../etc/passwd", b"")]), "leads out of it"),
        (lambda: tar_of([("t/GLOSSARY.md", b"two\n"), ("/etc/passwd", b"")]), "leads out of it"),
        (lambda: zip_of([("t/GLOSSARY.md", b"two\n"), ("../x", b"")]), "leads out of it"),
        (lambda: zip_of([("t/GLOSSARY.md", b"two\n"), ("..\\x", b"")]), "leads out of it"),
        (lambda: zip_of([("t/GLOSSARY.md", b"two\n"), ("C:/x", b"")]), "leads out of it"),
        (lambda: tar_of([("t/GLOSSARY.md", b"two\n")] * 2), "t/GLOSSARY.md stands in it twice"),
        (lambda: tar_of([(link("t/GLOSSARY.md", "/etc/passwd"), b"")]), "a link, which is not followed"),
        (lambda: tar_of([(link("t/GLOSSARY.md", "/etc/passwd", tarfile.LNKTYPE), b"")]), "a link, which"),
        (lambda: tar_of([(link("t/GLOSSARY.md", "", tarfile.FIFOTYPE), b"")]), "neither a file nor a folder"),
        (lambda: zip_of([(zip_link("t/GLOSSARY.md"), b"/etc/passwd")]), "a link, which is not followed"),
        (lambda: gzip.compress(tar_of(ONE))[:-30], "damaged or cut off"),
        (lambda: lzma.compress(tar_of(ONE))[:-30], "damaged or cut off"),
        (lambda: bz2.compress(tar_of(ONE))[:-30], "damaged or cut off"),
        (lambda: tar_of([("t/GLOSSARY.md", b"x" * 9000)])[:5000], "damaged or cut off"),
        (lambda: zip_of(ONE)[:-30], "cut off"),
        (lambda: zip_of(ONE, zipfile.ZIP_STORED).replace(b"one\n", b"two\n"), "damaged or cut off"),
        (lambda: tar_of([("t/GLOSSARY.md", b"two\n")])[:1024], "cut off"),
        (lambda: gzip.compress(tar_of(ONE))[:-1] + b"x", "damaged or cut off"),
        (lambda: b"no archive at all", "damaged or cut off"),
        (lambda: b"", "damaged or cut off"),
        (bomb, "unpacks to more than 67,108,864 bytes"),
        (backwards, "refused"),
        (lambda: tar_of([("t/" + "x" * 20_000_000, b"")]), "its headers are too large"),
    ],
)
def test_hostile_archives_are_refused_in_one_line(tmp_path: Path, make: Callable[[], bytes], message: str) -> None:
    """A hostile archive is one problem and a gap of its release, and the rest is read."""
    assert message in spoil(tmp_path, make())


def test_the_traps_are_real(tmp_path: Path) -> None:
    """Extracted without checks, such an archive writes a file outside, or fills the memory."""
    target = tmp_path / "some" / "where"
    target.mkdir(parents=True)
    hostile = io.BytesIO(tar_of([("../escaped", b"")]))
    with tarfile.open(fileobj=hostile) as tar:
        tar.extractall(target, filter="fully_trusted")
    assert (tmp_path / "some" / "escaped").exists()
    assert len(gzip.decompress(bomb())) > archives.MAX_RATIO * len(bomb())


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_members_without_end_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[list[tuple[str, bytes]]], bytes]
) -> None:
    """An archive with too many members is refused."""
    monkeypatch.setattr(archives, "MAX_MEMBERS", 1000)
    assert "it has more than 1,000 members" in spoil(tmp_path, pack([(f"t/{n}", b"") for n in range(1001)]))


def test_a_list_of_members_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip file's list of members is refused by its size, before it fills the memory."""
    monkeypatch.setattr(archives, "MAX_DIRECTORY", 1000)
    packed = zip_of([(f"t/{number}", b"") for number in range(100)])
    monkeypatch.setattr(zipfile, "ZipFile", None)
    (tmp_path / "t-1.0.zip").write_bytes(packed)
    assert "its list of members has more than 1,000 bytes" in found(read(tmp_path))


def test_more_than_a_glossary_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive is refused if its matching files are larger than a glossary can be."""
    monkeypatch.setattr(archives, "MAX_READ", 1000)
    assert "more than 1,000 bytes of it are meant" in spoil(tmp_path, zip_of([("GLOSSARY.md", b"x" * 1001)]))


def test_names_that_cannot_be_shown_are_not_read(tmp_path: Path) -> None:
    """A name with a null byte or direction marks is a problem, escaped in the message."""
    message = spoil(tmp_path, tar_of([("t/g/\u202ea.md", b"two\n"), ("t/x", b"")]), "g", "GLOSSARY.md")
    assert "t-2.0.zip:g/\\u202ea.md: a name that cannot be shown" in message
    assert "\u202e" not in message


def test_links_to_archives_are_not_followed(tmp_path: Path) -> None:
    """An archive that is a link, or is in a linked folder, is not read."""
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "t-1.0.zip").write_bytes(zip_of(ONE))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "t-2.0.zip").symlink_to(tmp_path / "else" / "t-1.0.zip")
    (tmp_path / "in" / "folder").symlink_to(tmp_path / "else")
    assert read(tmp_path, pattern="in").releases == ()
