"""The record of a build, in the file that marks a site: the name and the digest of each file that
the build wrote, the digest of its inputs, and its outcome.

A build deletes or replaces a file only if it is recorded with the content that it has, so that a
file that a person put into the folder, or changed there, is never lost. A build whose inputs have
the recorded digest ends early if no file was touched since. Another record is not kept anywhere.

A checkout can bring a site with a forged record. Its author can make a build delete only files
whose content is known to the author. A site that git tracks never ends a build early, and neither
does one whose files were copied or unpacked.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sitegen import safe_files
from sitegen.model import SitegenError, digest, first_of
from sitegen.safe_files import FILE_MODE, FOLDER_MODE, files_below, read_real, real_path
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.git_folders import is_tracked

MARKER_TEXT = (
    b"This site was built by sitegen. The next build replaces the files that are listed here.\n"
)
MAX_RECORD = 256 * 1024 * 1024
"""The maximum size of a record in bytes: about two million files."""
MAX_FILE = 1024 * 1024 * 1024
"""The maximum size of a file of a site, in bytes."""
MAX_SHOWN = 5
"""The maximum number of names in a message."""
PLACE = "a folder that `files` in [theme] of site.toml names has files to publish with the site"

Outcome = Mapping[str, Any]
"""The outcome of a build, as JSON."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildRecord:
    """What a build says about the site that it wrote."""

    inputs: str = ""
    """The digest of its inputs; empty if the next build must not end early."""
    outcome: Outcome = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    """The digest of each file, by its path."""

    def content(self) -> bytes:
        """Returns the content of the file."""
        lines = []
        if self.inputs:
            lines.append(f"{json.dumps([self.inputs, self.outcome])}\n")
        for path, recorded in sorted(self.digests.items()):
            lines.append(f"{recorded} {path}\n")
        return MARKER_TEXT + "".join(lines).encode("utf-8", "surrogateescape")


def parse(content: bytes) -> BuildRecord:
    """Returns the record in the content of a file. Lines that are damaged are left out.

    >>> parse(MARKER_TEXT + b'["1f3a", {}]\\n9c4d term/tensor/index.html')
    BuildRecord(inputs='1f3a', outcome={}, digests={'term/tensor/index.html': '9c4d'})
    """
    _marker_text, *lines = content.decode("utf-8", "surrogateescape").split("\n")

    # The digest of the inputs and the outcome, if the record has them, are in the next line.
    inputs = ""
    outcome = {}
    if lines and lines[0].startswith("["):
        json_line = lines.pop(0)
        with suppress(ValueError, RecursionError):
            inputs, outcome = json.loads(json_line)

    # The digests of files follow.
    digests = {}
    for line in lines:
        file_digest, space, path = line.partition(" ")
        if space:
            digests[path] = file_digest
    return BuildRecord(inputs=str(inputs), outcome=outcome, digests=digests)


def read(site: Path) -> BuildRecord:
    """Returns the record of a site; an empty one if there is none."""
    with suppress(OSError, SitegenError):
        return parse(safe_files.read(site / MARKER, limit=MAX_RECORD))
    return BuildRecord()


def is_untouched(site: Path, digests: Mapping[str, str]) -> bool:
    """True if a site has exactly the files with these digests, as a build wrote them."""
    with suppress(OSError, SitegenError):
        real = real_path(site)
        return _has_files_as_written(real, digests) and not is_tracked(real)
    return False


def _has_files_as_written(site: Path, digests: Mapping[str, str]) -> bool:
    """True if a folder has exactly the files with these digests, as a build wrote them. `site` is a
    path without links. Raises OSError."""
    contents = contents_of(site)
    if contents.files.keys() != {MARKER, *digests}:
        return False
    if any(stat.S_IMODE(mode) != FOLDER_MODE for mode in contents.folders.values()):
        return False
    time_of_record = contents.files[MARKER].st_ctime_ns
    for path, status in contents.files.items():
        has_mode_of_build = status.st_mode == stat.S_IFREG | FILE_MODE
        # A tool that sets the mode or the times of a file changes its ctime alone.
        is_only_written = status.st_mtime_ns == status.st_ctime_ns
        if not has_mode_of_build or not is_only_written:
            return False
        # The record was written last, and a later edit would set a later ctime. The clock of a disk
        # may stand still for some milliseconds, so a file of the same time is read.
        may_be_changed = path != MARKER and status.st_ctime_ns >= time_of_record
        if may_be_changed and _digest_at(site / path) != digests[path]:
            return False
    return True


class FolderContents(NamedTuple):
    """All files and folders below a folder, by their paths."""

    files: dict[str, os.stat_result]
    """Everything that is not a folder, links included."""
    folders: dict[str, int]
    """The mode of each folder."""


def contents_of(root: Path) -> FolderContents:
    """Lists a folder, and the folders in it, without following links."""
    contents = FolderContents({}, {})
    folders_to_list = [""]
    while folders_to_list:
        folder = folders_to_list.pop()
        with os.scandir(root / folder) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    contents.folders[path] = status.st_mode
                    folders_to_list.append(path)
                else:
                    contents.files[path] = status
    return contents


def check_recorded(site: Path, shown: Path) -> None:
    """Raises SitegenError if a site has files that are not in its record, or that differ from it.

    `site` is a path without links, and `shown` that in the message.
    """
    names = sorted(_foreign_files(site))
    if names:
        advice = f"move them elsewhere ({PLACE}), or delete {shown} if nothing in it is needed"
        found = "the last build did not write these files, or they were changed"
        raise SitegenError(f"{shown}: {found}: {first_of(names, MAX_SHOWN)}; {advice}")


def _foreign_files(site: Path) -> Iterator[str]:
    """Yields the files of a site that are not in its record, or differ from it."""
    record = BuildRecord()
    with suppress(FileNotFoundError):
        record = parse(read_real(site / MARKER, limit=MAX_RECORD, shown=site / MARKER))
    for path in contents_of(site).files:
        is_as_recorded = record.digests.get(path) == _digest_at(site / path)
        if path != MARKER and not is_as_recorded:
            yield path


def _digest_at(path: Path) -> str:
    """Returns the digest of a file; empty if it cannot be read, or is no regular file."""
    with suppress(OSError, SitegenError):
        return digest(read_real(path, limit=MAX_FILE, shown=path)).hex()
    return ""


def program_digest(templates: Mapping[str, str]) -> bytes:
    """Returns the digest of the code, templates and libraries, which all affect the output."""
    paths = []
    for path in files_below(Path(__file__).parent.parent):
        if path.suffix in (".py", ".po"):  # modules, and texts of the interface
            paths.append(path)
    parts = [sys.version, *_libraries()]
    for name, text in sorted(templates.items()):
        parts += (name, text)
    code = [path.read_bytes() for path in sorted(paths)]
    return digest(*map(str.encode, parts), *code)


def _libraries() -> Iterator[str]:
    """Yields the name and the version of each installed distribution, as its folder of metadata is
    named."""
    for place in sys.path:
        with suppress(OSError):
            yield from sorted(path.name for path in Path(place).glob("*.dist-info"))
