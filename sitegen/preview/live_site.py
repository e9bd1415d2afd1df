"""Renders the files of an assembled site when they are asked for, with the functions of a build."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from sitegen.model import File
from sitegen.site.site import SitePart


class LiveSite:
    """The files of a site, by their paths."""

    def __init__(self, parts: Iterable[SitePart[File]]) -> None:
        self._parts = [*parts]
        """The parts that are not rendered yet."""
        self._rendered: dict[str, bytes] = {}
        self._lock = Lock()

    def content(self, path: str) -> bytes | None:
        """Returns the content of a file; None if the site has no such file."""
        with self._lock:
            if path not in self._rendered:
                self._render(path)
            return self._rendered.get(path)

    def _render(self, path: str) -> None:
        """Renders the parts that may have a file, until one has it."""
        for part in tuple(self._parts):
            if path.startswith(part.paths):
                self._rendered |= {file.path: file.content for file in part.make()}
                self._parts.remove(part)
                if path in self._rendered:
                    return
