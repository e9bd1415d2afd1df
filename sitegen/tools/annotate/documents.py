"""Reads and writes the documents that are annotated and checked."""

from __future__ import annotations

from pathlib import Path

from sitegen.model import SitegenError


def read_document(file: Path) -> str:
    """Returns the text of a UTF-8 file. Raises `SitegenError` if it cannot be read."""
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be read ({error.strerror})") from None


def write_document(file: Path, text: str) -> None:
    """Replaces a file at once, and keeps its mode. Raises `SitegenError` if it cannot be written."""
    new = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(text.encode("utf-8"))
        if file.exists():
            new.chmod(file.stat().st_mode & 0o777)
        new.replace(file)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None
