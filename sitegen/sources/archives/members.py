"""Selects the glossary's files in an archive, with limits against hostile archives.

The kind of an archive is detected by its first bytes. To reach a member of a compressed tar file, all data before it
must be decompressed; the limits include that.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Literal, cast

from sitegen.config import patterns
from sitegen.model import SitegenError
from sitegen.sources.snapshots import Trouble
from sitegen.text.decoding import MAX_BYTES, is_plain, too_large

MAX_READ = 64 * 1024 * 1024
"""The maximum total size of the members of an archive that are read."""

MAX_FILE = 2_000_000
"""The maximum size of an image or an included text."""
SHOWN_FILES = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg|md|rst|txt|inc|adoc)$", re.I)

TROUBLES: Mapping[str, Trouble] = {
    "link": ("a link, which is not followed", "name what it leads to"),
    "other": ("neither a file nor a folder", ""),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content by path, without the single top folder that archives usually have."""
    refused: Mapping[str, Trouble] = field(default_factory=dict)
    """Maps a path to the reason why it is not read; the empty path means the whole archive."""


def read_contents(file: IO[bytes], *, size: int, paths: Sequence[str], limit: int = MAX_BYTES) -> Contents:
    """Returns the files of the first of `paths` that matches any, in an archive of `size` bytes. Never raises."""
    try:
        kept = _Selection(paths, limit).select(members(file, size=size))
    except RefusedError as reason:
        found = str(reason)
    except Exception as error:
        # The standard library's readers raise many types of exceptions for damaged archives.
        said = "".join(c if c.isprintable() else "�" for c in str(error)[:100])
        found = f"it is damaged or cut off ({said or type(error).__name__})"
    else:
        matched = _first_match(kept, paths)
        return Contents(
            files={path: content for path, content in matched.items() if isinstance(content, bytes)},
            refused={path: content for path, content in matched.items() if isinstance(content, tuple)},
        )
    return Contents(refused={"": (f"the archive is refused: {found}", "")})


def all_files(file: IO[bytes], *, size: int) -> Mapping[str, bytes | None]:
    """Returns all files of an archive by path; content is None unless it is an image or a text. Never raises."""
    try:
        endings = (f"**/*{ending}" for ending in patterns.COMPANIONS)  # other patterns do not match these suffixes
        kept = _AllFiles(("**", *endings), MAX_FILE).select(members(file, size=size))
    except Exception:
        return {}
    return {path: content if isinstance(content, bytes) else None for path, content in kept.items()}


class _Selection:
    """Collects the members that match the paths, with or without a top folder, which is detected only at the end."""

    def __init__(self, paths: Sequence[str], limit: int) -> None:
        self._paths = paths
        self._limit = limit
        self._kept: dict[tuple[str, ...], bytes | Trouble] = {}
        self._tops: set[str] = set()
        self._has_top_files = False
        self._bytes = 0

    def select(self, all: Iterable[ArchiveMember]) -> Mapping[str, bytes | Trouble]:
        for member in all:
            names = _names(member.name)
            if names:
                self._add(member, names)
        strip = len(self._tops) == 1 and not self._has_top_files
        return {"/".join(names[strip:]): content for names, content in self._kept.items()}

    def _add(self, member: ArchiveMember, names: tuple[str, ...]) -> None:
        if len(self._tops) < 2:
            self._tops.add(names[0])
        if member.kind == "folder":
            return
        self._has_top_files |= len(names) == 1
        if any(_matches_any(path, self._paths) for path in ("/".join(names), "/".join(names[1:])) if path):
            shown = tuple(map(_shown, names))
            if shown in self._kept:
                raise RefusedError(f"{'/'.join(shown)} stands in it twice")
            self._kept[shown] = (
                self._content(member) if shown == names else ("a name that cannot be shown", "rename it")
            )

    def _content(self, member: ArchiveMember) -> bytes | Trouble:
        if member.kind in TROUBLES:
            return TROUBLES[member.kind]
        if member.size > self._limit:
            return too_large(member.size, self._limit)
        self._bytes += member.size
        if self._bytes > MAX_READ:
            raise RefusedError(f"more than {MAX_READ:,} bytes of it are meant")
        return member.read()


class _AllFiles(_Selection):
    """Collects all members, with the contents of images and of texts that may be included."""

    def _content(self, member: ArchiveMember) -> bytes | Trouble:
        self._bytes += member.size if SHOWN_FILES.search(member.name) and member.size <= MAX_FILE else 0
        is_kept = SHOWN_FILES.search(member.name) and member.size <= MAX_FILE and self._bytes <= MAX_READ
        return member.read() if member.kind == "file" and is_kept else ("not shown", "")


def _names(name: str) -> tuple[str, ...]:
    """Splits a member's path into components. Raises RefusedError if the path is outside of the archive's folder."""
    path = name.replace("\\", "/")
    names = tuple(part for part in path.split("/") if part not in ("", "."))
    if path.startswith("/") or ".." in names or path[1:2] == ":":
        raise RefusedError(f"its member {_shown(name[:100])} leads out of it")
    return names


def _shown(name: str) -> str:
    return name if is_plain(name) else ascii(name)[1:-1]


def _matches_any(path: str, paths: Sequence[str]) -> bool:
    return any(patterns.matches(pattern, path) for pattern in paths)


def _first_match(kept: Mapping[str, bytes | Trouble], paths: Sequence[str]) -> Mapping[str, bytes | Trouble]:
    """Returns the files of the first path that matches any."""
    found = ({path: kept[path] for path in kept if patterns.matches(pattern, path)} for pattern in paths)
    return next(filter(None, found), {})


MAX_MEMBERS = 100_000
MAX_UNPACKED = 2 * 1024 * 1024 * 1024
MAX_RATIO = 50
"""The maximum ratio of decompressed to compressed size. Text reaches about 10, a decompression bomb 1000."""
SMALL = 64 * 1024 * 1024
"""Up to this decompressed size, any ratio is accepted."""
MAX_PART = 16 * 1024 * 1024
"""The maximum size of one read from a tar file: larger than any legitimate header."""
MAX_DIRECTORY = 10 * 1024 * 1024
"""The maximum size of the central directory of a zip file, which is read as a whole."""

ZIP, GZIP, BZIP2, XZ = (b"PK\x03\x04", b"PK\x05\x06"), b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
ZIP_MEMBER = b"PK\x01\x02"
ZIP_END, ZIP64_END = b"PK\x05\x06", b"PK\x06\x07"
ZIP_END_BYTES, ZIP64_END_BYTES = 22, 20
MAX_COMMENT = 65_535


class RefusedError(SitegenError):
    """The reason why an archive is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMember:
    name: str
    """The unvalidated name in the archive."""
    kind: Literal["file", "folder", "link", "other"]
    size: int
    read: Callable[[], bytes]
    """Returns the content. Only valid until the next member is requested."""


def members(file: IO[bytes], *, size: int) -> Iterator[ArchiveMember]:
    """Yields the members of an archive of `size` bytes. Raises RefusedError; damage may raise any exception."""
    start = file.read(8)
    file.seek(0)
    if start.startswith(ZIP):
        found = _zip_members(file, size)
    else:
        limit = max(SMALL, min(MAX_UNPACKED, size * MAX_RATIO))
        found = _tar_members(_LimitedStream(_decompressed(file, start), limit))
    for count, member in enumerate(found, start=1):
        if count > MAX_MEMBERS:
            raise RefusedError(f"it has more than {MAX_MEMBERS:,} members")
        yield member


def _decompressed(file: IO[bytes], start: bytes) -> IO[bytes]:
    if start.startswith(GZIP):
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    if start.startswith(BZIP2):
        return cast(IO[bytes], bz2.BZ2File(file))
    return cast(IO[bytes], lzma.LZMAFile(file)) if start.startswith(XZ) else file


class _LimitedStream:
    """A decompressed tar stream that is read forwards only, in chunks of limited size, up to a total limit."""

    def __init__(self, source: IO[bytes], limit: int) -> None:
        self._source = source
        self._limit = limit
        self._at = 0
        self.is_at_end = False

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_PART:
            raise RefusedError("its headers are too large")
        data = self._source.read(size)
        self._at += len(data)
        self.is_at_end = not data
        if self._at > self._limit:
            raise RefusedError(f"it unpacks to more than {self._limit:,} bytes")
        return data

    def seek(self, position: int) -> int:
        if position < self._at:
            raise RefusedError("its members overlap")
        while self._at < position and self.read(min(position - self._at, MAX_PART)):
            pass
        return self._at


def _tar_members(stream: _LimitedStream) -> Iterator[ArchiveMember]:
    with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r:") as tar:
        while (info := tar.next()) is not None:
            tar.members = []  # type: ignore[attr-defined]  # Otherwise tarfile keeps every header in memory.
            yield ArchiveMember(name=info.name, kind=_tar_kind(info), size=info.size, read=_tar_reader(tar, info))
    if stream.is_at_end:  # A tar file ends with an empty block, which tarfile does not require.
        raise RefusedError("it is cut off")
    while stream.read(MAX_PART):  # Read to the end, where the checksum of the compressed data is verified.
        pass


def _tar_kind(info: tarfile.TarInfo) -> Literal["file", "folder", "link", "other"]:
    if info.issym() or info.islnk():
        return "link"
    return "file" if info.isreg() else "folder" if info.isdir() else "other"


def _tar_reader(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        content = tar.extractfile(info)
        return content.read() if content else b""

    return read


def _zip_members(file: IO[bytes], size: int) -> Iterator[ArchiveMember]:
    _check_directory(file, size)
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            # The original name: zipfile truncates `filename` at a NUL.
            yield ArchiveMember(
                name=info.orig_filename,
                kind=_zip_kind(info),
                size=info.file_size,
                read=_zip_reader(archive, info),
            )


def _check_directory(file: IO[bytes], size: int) -> None:
    """Raises RefusedError if the central directory of a zip file is too large to read into memory."""
    file.seek(max(0, size - ZIP_END_BYTES - MAX_COMMENT))
    tail = file.read(ZIP_END_BYTES + MAX_COMMENT)
    file.seek(0)
    at = len(tail) - ZIP_END_BYTES
    if tail[at : at + 4] != ZIP_END or tail[-2:] != b"\0\0":
        at = tail.rfind(ZIP_END)
    if at < 0:
        raise RefusedError("it is cut off")
    if tail[max(0, at - ZIP64_END_BYTES) : at].startswith(ZIP64_END):
        raise RefusedError("it is of the kind for more than 4 GB")
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    if length > MAX_DIRECTORY:
        raise RefusedError(f"its list of members has more than {MAX_DIRECTORY:,} bytes")
    # The end record's count and offset may be wrong; zipfile computes the start of the directory like this.
    file.seek(max(0, size - len(tail) + at - length))
    if file.read(length).count(ZIP_MEMBER) > MAX_MEMBERS:
        raise RefusedError(f"it has more than {MAX_MEMBERS:,} members")
    file.seek(0)


def _zip_kind(info: zipfile.ZipInfo) -> Literal["file", "folder", "link", "other"]:
    mode = stat.S_IFMT(info.external_attr >> 16)
    if mode == stat.S_IFLNK:
        return "link"
    return "folder" if info.is_dir() else "file" if mode in {0, stat.S_IFREG} else "other"


def _zip_reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        with archive.open(info) as content:
            return content.read(info.file_size)

    return read
