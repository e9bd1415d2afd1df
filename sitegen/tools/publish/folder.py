"""Publishes to a folder, which is replaced atomically, as a build replaces its site."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.ledger import parse
from sitegen.build.output import write_site
from sitegen.model import File
from sitegen.sources import locks
from sitegen.sources.safe_files import read, real_path
from sitegen.sources.site_marker import MARKER, is_site
from sitegen.tools.publish.plan import PublishedState
from sitegen.tools.publish.user_git import PublishError

MAX_FILE = 1024 * 1024 * 1024
"""The maximum size of a file in a site."""


class TargetFolder:
    """A folder to which a site is published."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = str(folder)
        self.is_shared = False
        self._site = Path()

    def read_state(self) -> PublishedState:
        """Returns the published state. Raises `SitegenError` if it cannot be read or is not a sitegen site."""
        try:
            if not is_site(self._folder) and self._folder.exists() and any(self._folder.iterdir()):
                message = "holds files that sitegen did not write; name a new or an empty folder"
                raise PublishError(f"{self.place}: {message}")
            paths = (path for path in self._folder.rglob("*") if not stat.S_ISDIR(path.lstat().st_mode))
            contents = {path.relative_to(self._folder).as_posix(): read(path, limit=MAX_FILE) for path in paths}
        except OSError as error:
            raise PublishError(f"{self.place}: cannot be read ({error.strerror or error})") from None
        ledger = contents.get(urls.LEDGER)
        place = str(self._folder / urls.LEDGER)
        cure = f"if no one links to that site, delete {self.place}"
        return PublishedState(
            files={path: _digest(content) for path, content in contents.items() if path != MARKER},
            ledger=parse(ledger.decode("utf-8", "replace"), place, cure=cure) if ledger is not None else {},
            data=contents.get(urls.DATA, b""),
            domain=contents.get("CNAME"),
        )

    def prepare(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Returns a digest of each of a site's files."""
        self._site = site
        return {path: _digest((site / path).read_bytes()) for path in paths}

    def replace(self, files: Mapping[str, str], live: PublishedState, *, message: str) -> str | None:
        """Replaces the folder by these files, all or none."""
        write_site(self._folder, (File(path=path, content=(self._site / path).read_bytes()) for path in files))
        return ""


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Holds a lock, so that one process at a time reads and replaces a folder."""
    above = next(path for path in real_path(folder).parents if path.is_dir())
    with locks.exclusive(above):
        yield


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
