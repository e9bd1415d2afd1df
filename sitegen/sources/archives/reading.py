"""Reads a source that is kept in archives: finds the archives, and reads the glossary in each of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from sitegen.config import patterns
from sitegen.model import Problem, Release
from sitegen.sources.archives.members import Contents, all_files, read_contents
from sitegen.sources.file_cache import FileCache
from sitegen.sources.linked_files import ReleaseFiles, with_files
from sitegen.sources.safe_files import open_regular
from sitegen.sources.snapshots import RawSource, ReleaseSnapshot, combine_snapshots
from sitegen.text.decoding import MAX_BYTES, Decoded, decode, is_plain
from sitegen.text.release_names import Arrange, date_in, name_releases, ordered

ENDING = re.compile(r"(?:\.orig)?\.(?:tar|tar\.gz|tgz|tar\.bz2|tbz2?|tar\.xz|txz|zip)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSource:
    """The settings in site.toml for a glossary that is kept in archives."""

    id: str
    archives: str
    """A pattern, such as `sdists/torch-*.tar.gz`."""
    paths: tuple[str, ...]
    """Files, folders or patterns, without the archive's top folder. The first that matches anything is read."""
    arrange: Arrange = tuple
    encoding: str = ""
    """The character set of files that neither declare one nor are UTF-8."""
    max_bytes: int = MAX_BYTES
    """The maximum size of a file that is read."""


def read_archives(source: ArchiveSource, *, root: Path, file_cache: FileCache) -> RawSource:
    """Reads a source in archives below the folder `root`. Each archive is a release, named after its file.

    An archive that cannot be read is a problem, and its release is marked as unread.
    """
    archives, problems = _archives(source.archives, root)
    texts: dict[str, Decoded] = {}
    snapshots = []
    for name in source.arrange(ordered(archives)):
        label = archives[name].relative_to(root).as_posix()
        contents = _contents(archives[name], source.paths, file_cache, limit=source.max_bytes)
        keys = {path: sha256(content).hexdigest() for path, content in contents.files.items()}
        for path, content in contents.files.items():
            if keys[path] not in texts:
                texts[keys[path]] = decode(
                    content, path=f"{label}:{path}", configured=source.encoding, limit=source.max_bytes
                )
        release = Release(name=name, date=date_in(name))
        snapshots.append(ReleaseSnapshot(release=release, label=label, files=keys, refused=contents.refused))
    raw = combine_snapshots(source.id, snapshots, texts, paths=source.paths, place=source.archives)
    raw = with_files(raw, lambda release: _files(archives[release]), encoding=source.encoding)
    return replace(raw, problems=(*problems, *raw.problems))


def _archives(pattern: str, root: Path) -> tuple[Mapping[str, Path], list[Problem]]:
    """Returns the archives that a pattern matches, by release name, and the problems."""
    problems: list[Problem] = []
    try:
        found = list(_find(root, patterns.start(pattern)))
    except OSError as error:
        return {}, [Problem(path=pattern, found=f"{error.filename}: {error.strerror}")]
    archives: dict[str, Path] = {}
    names = name_releases(dict.fromkeys(_stem(path) for path in found))
    for path in found:
        first = archives.setdefault(names[_stem(path)], path)
        if first != path:
            problems.append(
                Problem(
                    path=path.relative_to(root).as_posix(), found=f"the same release as {first.name}, which is read"
                )
            )
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
            if below := patterns.advance(rest, path.name):
                yield from _find(path, below)
        elif ENDING.search(path.name) and patterns.is_matched(rest, path.name):
            yield path


def _stem(path: Path) -> str:
    return ENDING.sub("", path.name)


def _files(path: Path) -> ReleaseFiles:
    """Returns the files in an archive, which is read at the first access."""

    @cache
    def found() -> Mapping[str, bytes | None]:
        try:
            with os.fdopen(open_regular(path), "rb") as file:
                return all_files(file, size=os.fstat(file.fileno()).st_size)
        except OSError:
            return {}

    return ReleaseFiles(has=lambda name: name in found(), read=lambda name: found().get(name))


def _contents(path: Path, paths: tuple[str, ...], file_cache: FileCache, *, limit: int) -> Contents:
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            status = os.fstat(file.fileno())

            def read() -> Contents:
                return read_contents(file, size=status.st_size, paths=paths, limit=limit)

            return file_cache.get((path, paths, limit), status, read)
    except OSError as error:
        return Contents(refused={"": (f"cannot be read: {error.strerror}", "")})
