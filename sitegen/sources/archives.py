"""Reads glossaries from archives, one archive per release: sdists, release downloads, zip files.

Nothing is extracted to disk. The kind of an archive is detected by its first bytes. To reach a member of a compressed
tar file, all data before it must be decompressed; the limits against hostile archives include that.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Literal, cast

from sitegen.config import patterns
from sitegen.config.tables import SourceTable
from sitegen.model import Problem, Release, SitegenError
from sitegen.sources.file_cache import FileCache
from sitegen.sources.linked_files import ReleaseFiles, with_files
from sitegen.sources.safe_files import open_regular
from sitegen.sources.snapshots import RawSource, ReleaseSnapshot, Trouble, combine_snapshots
from sitegen.text.decoding import MAX_BYTES, Decoded, decode, is_plain, too_large
from sitegen.text.release_names import Arrange, date_in, name_releases, ordered

ENDING = re.compile(r"(?:\.orig)?\.(?:tar|tar\.gz|tgz|tar\.bz2|tbz2?|tar\.xz|txz|zip)$", re.IGNORECASE)

MAX_READ = 64 * 1024 * 1024
"""The maximum total size of the members of an archive that are read."""
MAX_FILE = 2_000_000
"""The maximum size of an image or an included text."""
SHOWN_FILES = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg|md|rst|txt|inc|adoc)$", re.I)

TROUBLES: Mapping[str, Trouble] = {
    "link": ("a link, which is not followed", "name what it leads to"),
    "other": ("neither a file nor a folder", ""),
}

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


Kind = Literal["file", "folder", "link", "other"]


class RefusedError(SitegenError):
    """The reason why an archive is not read."""


def read_archives(table: SourceTable, *, root: Path, arrange: Arrange = tuple, file_cache: FileCache) -> RawSource:
    """Reads a source in archives below the folder `root`. Each archive is a release, named after its file.

    An archive that cannot be read is a problem, and its release is marked as unread.
    """
    archives, problems = _archives(table.archives, root)
    texts: dict[str, Decoded] = {}
    snapshots = []
    for name in arrange(ordered(archives)):
        label = archives[name].relative_to(root).as_posix()
        contents = _contents(archives[name], table.paths, file_cache, limit=table.max_bytes)
        keys = {path: sha256(content).hexdigest() for path, content in contents.files.items()}
        for path, content in contents.files.items():
            if keys[path] not in texts:
                place = f"{label}:{path}"
                texts[keys[path]] = decode(content, path=place, configured=table.encoding, limit=table.max_bytes)
        release = Release(name=name, date=date_in(name))
        snapshots.append(ReleaseSnapshot(release=release, label=label, files=keys, refused=contents.refused))
    raw = combine_snapshots(table, snapshots, texts, place=table.archives)
    raw = with_files(raw, lambda release: _files(archives[release]), encoding=table.encoding)
    return replace(raw, problems=(*problems, *raw.problems))


def _archives(pattern: str, root: Path) -> tuple[Mapping[str, Path], list[Problem]]:
    """Returns the archives that a pattern matches, by release name, and the problems."""
    problems: list[Problem] = []
    try:
        found = list(_find(root, patterns.start(pattern)))
    except OSError as error:
        return {}, [Problem(path=pattern, found=f"{error.filename}: {error.strerror}")]
    archives: dict[str, Path] = {}
    stems = {path: ENDING.sub("", path.name) for path in found}
    names = name_releases(dict.fromkeys(stems.values()))
    for path in found:
        first = archives.setdefault(names[stems[path]], path)
        if first != path:
            message = f"the same release as {first.name}, which is read"
            problems.append(Problem(path=path.relative_to(root).as_posix(), found=message))
    if not found:
        wanted = "archives end in .tar.gz, .tgz, .tar.bz2, .tar.xz, .tar or .zip"
        problems.append(Problem(path=pattern, found="no archives found", wanted=wanted))
    return archives, problems


def _find(folder: Path, rest: patterns.Rest) -> Iterator[Path]:
    """Yields the archives below a folder, sorted by name. Symbolic links are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or not is_plain(path.name):
            continue
        if path.is_dir():
            if inner_rest := patterns.advance(rest, path.name):
                yield from _find(path, inner_rest)
        elif ENDING.search(path.name) and patterns.is_matched(rest, path.name):
            yield path


def _files(path: Path) -> ReleaseFiles:
    """Returns the files in an archive, which is read at the first access."""

    @cache
    def files() -> Mapping[str, bytes | None]:
        try:
            with os.fdopen(open_regular(path), "rb") as file:
                return all_files(file, size=os.fstat(file.fileno()).st_size)
        except OSError:
            return {}

    return ReleaseFiles(has=lambda name: name in files(), read=lambda name: files().get(name))


def _contents(path: Path, paths: tuple[str, ...], file_cache: FileCache, *, limit: int) -> Contents:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            status = os.fstat(file.fileno())

            def read() -> Contents:
                return read_contents(file, size=status.st_size, paths=paths, limit=limit)

            return file_cache.get((path, paths, limit), status, read)
    except OSError as error:
        return Contents(refused={"": (f"cannot be read: {error.strerror}", "")})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The glossary in one archive."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content by path, without the single top folder that archives usually have."""
    refused: Mapping[str, Trouble] = field(default_factory=dict)
    """Maps a path to the reason why it is not read; the empty path means the whole archive."""


def read_contents(file: IO[bytes], *, size: int, paths: Sequence[str], limit: int = MAX_BYTES) -> Contents:
    """Returns the files of the first of `paths` that matches any, in an archive of `size` bytes. Never raises."""
    size_read = 0

    def is_wanted(path: str) -> bool:
        return any(patterns.matches(pattern, path) for pattern in paths)

    def content(member: ArchiveMember) -> bytes | Trouble:
        nonlocal size_read
        if member.kind in TROUBLES:
            return TROUBLES[member.kind]
        if member.size > limit:
            return too_large(member.size, limit)
        size_read += member.size
        if size_read > MAX_READ:
            raise RefusedError(f"more than {MAX_READ:,} bytes of it are meant")
        return member.read()

    try:
        contents = _selected(members(file, size=size), is_wanted, content)
    except RefusedError as reason:
        why = str(reason)
    except Exception as error:
        # The standard library's readers raise many types of exceptions for damaged archives.
        message = "".join(c if c.isprintable() else "�" for c in str(error)[:100])
        why = f"it is damaged or cut off ({message or type(error).__name__})"
    else:
        found = ({path: contents[path] for path in contents if patterns.matches(pattern, path)} for pattern in paths)
        matched = next(filter(None, found), {})
        return Contents(
            files={path: content for path, content in matched.items() if isinstance(content, bytes)},
            refused={path: content for path, content in matched.items() if isinstance(content, tuple)},
        )
    return Contents(refused={"": (f"the archive is refused: {why}", "")})


def all_files(file: IO[bytes], *, size: int) -> Mapping[str, bytes | None]:
    """Returns all files of an archive by path; content is None unless it is an image or a text. Never raises."""
    size_read = 0

    def is_visible(path: str) -> bool:
        return not any(part.startswith(".") or part.endswith("~") for part in path.split("/"))

    def content(member: ArchiveMember) -> bytes | None:
        nonlocal size_read
        if member.kind != "file" or member.size > MAX_FILE or not SHOWN_FILES.search(member.name):
            return None
        size_read += member.size
        return member.read() if size_read <= MAX_READ else None

    try:
        contents = _selected(members(file, size=size), is_visible, content)
    except Exception:
        return {}
    return {path: content if isinstance(content, bytes) else None for path, content in contents.items()}


def _selected(
    archive_members: Iterable[ArchiveMember],
    is_wanted: Callable[[str], bool],
    content: Callable[[ArchiveMember], bytes | Trouble | None],
) -> Mapping[str, bytes | Trouble | None]:
    """Returns the content of the members whose paths are wanted, with or without a top folder, by path.

    Only after the last member it is known whether the archive has a single top folder, which is left out of paths.
    """
    selected: dict[tuple[str, ...], bytes | Trouble | None] = {}
    tops: set[str] = set()
    has_top_files = False
    for member in archive_members:
        names = _names(member.name)
        if names and len(tops) < 2:
            tops.add(names[0])
        if not names or member.kind == "folder":
            continue
        has_top_files |= len(names) == 1
        if is_wanted("/".join(names)) or (names[1:] and is_wanted("/".join(names[1:]))):
            shown = tuple(map(_shown, names))
            if shown in selected:
                raise RefusedError(f"{'/'.join(shown)} stands in it twice")
            selected[shown] = content(member) if shown == names else ("a name that cannot be shown", "rename it")
    strip = len(tops) == 1 and not has_top_files
    return {"/".join(names[strip:]): content for names, content in selected.items()}


def _names(name: str) -> tuple[str, ...]:
    """Splits a member's path into components. Raises RefusedError if the path is outside of the archive's folder."""
    path = name.replace("\\", "/")
    names = tuple(part for part in path.split("/") if part not in ("", "."))
    if path.startswith("/") or ".." in names or path[1:2] == ":":
        raise RefusedError(f"its member {_shown(name[:100])} leads out of it")
    return names


def _shown(name: str) -> str:
    return name if is_plain(name) else ascii(name)[1:-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMember:
    name: str
    """The unvalidated name in the archive."""
    kind: Kind
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
            kind: Kind = "file" if info.isreg() else "folder" if info.isdir() else "other"
            kind = "link" if info.issym() or info.islnk() else kind
            yield ArchiveMember(name=info.name, kind=kind, size=info.size, read=partial(_tar_content, tar, info))
    if stream.is_at_end:  # A tar file ends with an empty block, which tarfile does not require.
        raise RefusedError("it is cut off")
    while stream.read(MAX_PART):  # Read to the end, where the checksum of the compressed data is verified.
        pass


def _tar_content(tar: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    content = tar.extractfile(info)
    return content.read() if content else b""


def _zip_members(file: IO[bytes], size: int) -> Iterator[ArchiveMember]:
    _check_directory(file, size)
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            mode = stat.S_IFMT(info.external_attr >> 16)
            kind: Kind = "folder" if info.is_dir() else "file" if mode in {0, stat.S_IFREG} else "other"
            yield ArchiveMember(
                name=info.orig_filename,  # zipfile truncates `filename` at a NUL
                kind="link" if mode == stat.S_IFLNK else kind,
                size=info.file_size,
                read=partial(_zip_content, archive, info),
            )


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as content:
        return content.read(info.file_size)


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
