"""The record of the files that a build wrote: the name and the digest of each, in the file that marks a site.

A build deletes or replaces a file only if it is in the record with the content that it has. So a file that a person
put into the folder, or changed there, is never lost. A record that a checkout brings does not change that: it can
only name files whose content its author knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from sitegen.model import SitegenError, digest
from sitegen.pipeline.file_marks import FileMark
from sitegen.sources.open_folders import MARKER, MARKER_TEXT, OpenFolders

MAX_RECORD = 256 * 1024 * 1024
"""The maximum size of a record in bytes: about two million files."""
MAX_FILE = 1024 * 1024 * 1024
"""The maximum size of a file of a site, in bytes."""
MAX_SHOWN = 5
"""The maximum number of names in a message."""
PLACE = "a folder that `files` in [theme] of site.toml names has files to publish with the site"


def record(marks: Mapping[str, FileMark]) -> bytes:
    """Returns the record of these files."""
    lines = (f"{mark.digest} {path}\n" for path, mark in sorted(marks.items()))
    return MARKER_TEXT + "".join(lines).encode("utf-8", "surrogateescape")


def check_recorded(folder: int, shown: Path, next_site: Mapping[str, FileMark]) -> None:
    """Raises SitegenError if an open site has files that are neither recorded nor the same files in the next site.

    `shown` is the folder's path in the message.
    """
    folders = OpenFolders(folder)
    try:
        names = sorted(_unrecorded(folders, shown, next_site))
    finally:
        folders.close()
    if names:
        more = f" and {len(names) - MAX_SHOWN:,} more" if len(names) > MAX_SHOWN else ""
        listed = ", ".join(names[:MAX_SHOWN]) + more
        advice = f"move them elsewhere ({PLACE}), or delete {shown} if nothing in it is needed"
        raise SitegenError(
            f"{shown}: the last build did not write these files, or they were changed: {listed}; {advice}"
        )


def _unrecorded(folders: OpenFolders, shown: Path, next_site: Mapping[str, FileMark]) -> Iterator[str]:
    recorded: dict[str, str] = {}
    with suppress(FileNotFoundError):
        lines = (
            folders.read(MARKER, limit=MAX_RECORD, shown=shown / MARKER)
            .decode("utf-8", "surrogateescape")
            .split("\n")
        )
        recorded = {path: digest for digest, _, path in (line.partition(" ") for line in lines)}
    for path, inode in folders.contents().files.items():
        is_kept = path in next_site and next_site[path].inode == inode
        if (
            path != MARKER
            and not is_kept
            and (path not in recorded or recorded[path] != _digest_at(folders, path, shown))
        ):
            yield path


def _digest_at(folders: OpenFolders, path: str, shown: Path) -> str:
    """Returns the digest of a file; empty if it cannot be read, or is no regular file."""
    with suppress(OSError, SitegenError):
        return digest(folders.read(path, limit=MAX_FILE, shown=shown / path)).hex()
    return ""
