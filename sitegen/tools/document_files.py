"""Reads and writes the files of other documents. Only Linux and macOS can write them safely."""

from __future__ import annotations

import sys
from pathlib import Path

from sitegen.integrations.documents import STANDARD_INPUT
from sitegen.integrations.loading import content_of, limited
from sitegen.model import SitegenError
from sitegen.text.credentials import shown_address

MAX_TEXT_BYTES = 64 * 1024 * 1024
"""The maximum size of a document."""
PERMISSIONS = 0o777
"""The bits of a file's mode that are permissions."""


def read_document(file: Path) -> str:
    """Returns the text of a UTF-8 file, or of standard input. Raises `SitegenError` if it cannot be
    read."""
    try:
        content = _content(file)
    except OSError as error:
        shown = shown_address(str(file))
        raise SitegenError(f"{shown}: cannot be read ({error.strerror})") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        content_before = error.object[: error.start]
        line = content_before.count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None


def _content(file: Path) -> bytes:
    """Returns the content of a file, or of standard input. Raises `OSError`."""
    if str(file) == STANDARD_INPUT:
        return limited(sys.stdin.buffer, limit=MAX_TEXT_BYTES)
    return content_of(file, limit=MAX_TEXT_BYTES)


def write_document(file: Path, text: str) -> None:
    """Replaces a file atomically, and keeps its mode. Raises `SitegenError` if it cannot be
    written."""
    from sitegen import safe_files  # cannot be imported on Windows, where documents are only read

    try:
        mode = safe_files.FILE_MODE
        if safe_files.is_file(file):
            mode = file.stat().st_mode & PERMISSIONS
        safe_files.replace(file, text.encode(), mode=mode)
    except OSError as error:
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None
