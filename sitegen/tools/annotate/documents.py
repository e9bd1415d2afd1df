"""Reads and writes the documents that are annotated and checked."""

from __future__ import annotations

from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources import safe_files

MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of a document."""


def read_document(file: Path) -> str:
    """Returns the text of a UTF-8 file. Raises `SitegenError` if it cannot be read."""
    try:
        if file.is_relative_to("/dev"):  # standard input, or the output of another command
            with file.open("rb") as opened:
                return opened.read(MAX_BYTES).decode("utf-8")
        return safe_files.read(file, limit=MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be read ({error.strerror})") from None


def write_document(file: Path, text: str) -> None:
    """Replaces a file atomically, and keeps its mode. Raises `SitegenError` if it cannot be written."""
    try:
        mode = file.stat().st_mode & 0o777 if safe_files.is_file(file) else safe_files.FILE_MODE
        safe_files.replace(file, text.encode(), mode=mode)
    except OSError as error:
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None
