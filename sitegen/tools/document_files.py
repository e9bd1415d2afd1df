"""Reads and writes the files of other documents. Only Linux and macOS can write them safely."""

from __future__ import annotations

import sys
from pathlib import Path

from sitegen.integrations.documents import STANDARD_INPUT
from sitegen.model import SitegenError

MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of a document."""


def read_document(file: Path) -> str:
    """Returns the text of a UTF-8 file, or of standard input. Raises `SitegenError` if it cannot be read."""
    try:
        if str(file) == STANDARD_INPUT:
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            if not (file.is_file() or file.is_relative_to("/dev")):  # the output of another command is in /dev
                file.stat()
                raise SitegenError(f"{file}: cannot be read (it is not a regular file)")
            with file.open("rb") as opened:
                content = opened.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise SitegenError(f"{file}: is larger than {MAX_BYTES:,} bytes, the limit for a document")
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be read ({error.strerror})") from None


def write_document(file: Path, text: str) -> None:
    """Replaces a file atomically, and keeps its mode. Raises `SitegenError` if it cannot be written."""
    try:
        from sitegen.sources import safe_files

        mode = file.stat().st_mode & 0o777 if safe_files.is_file(file) else safe_files.FILE_MODE
        safe_files.replace(file, text.encode(), mode=mode)
    except ImportError:
        raise SitegenError(f"{file}: files are written on Linux and macOS only; print the result instead") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None
