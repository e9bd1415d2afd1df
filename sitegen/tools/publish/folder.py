"""A folder of this machine, or of one that is mounted here, swapped as every build swaps its site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.ledger import parse
from sitegen.build.output import write_site
from sitegen.model import File
from sitegen.sources import locks
from sitegen.sources.site_marker import MARKER, is_site
from sitegen.tools.publish.keeper import PublishError
from sitegen.tools.publish.plan import Live


class Folder:
    """A folder that a site goes to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = str(folder)
        self._taken = Path()

    def look(self) -> Live:
        """Returns what stands there. Raises `SitegenError` when that is no site of ours, or cannot be read."""
        try:
            if not is_site(self._folder) and self._folder.exists() and any(self._folder.iterdir()):
                message = "holds files that are not a site of ours; name a new or an empty folder"
                raise PublishError(f"{self.place}: {message}")
            paths = (path for path in self._folder.rglob("*") if path.is_file())
            contents = {path.relative_to(self._folder).as_posix(): path.read_bytes() for path in paths}
        except OSError as error:
            raise PublishError(f"{self.place}: cannot be read ({error.strerror or error})") from None
        ledger = contents.get(urls.LEDGER)
        place = str(self._folder / urls.LEDGER)
        cure = f"if nobody links to that site, delete {self.place}"
        return Live(
            files={path: _told_apart(content) for path, content in contents.items() if path != MARKER},
            ledger=parse(ledger.decode("utf-8", "replace"), place, cure=cure) if ledger is not None else {},
            data=contents.get(urls.DATA, b""),
            domain=contents.get("CNAME"),
        )

    def take(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Returns what tells the contents of a site's files apart."""
        self._taken = site
        return {path: _told_apart((site / path).read_bytes()) for path in paths}

    def put(self, files: Mapping[str, str], live: Live, *, message: str) -> str | None:
        """Puts the files that were taken into the folder, all or none."""
        write_site(self._folder, (File(path=path, content=(self._taken / path).read_bytes()) for path in files))
        return ""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lets one publisher at a time look at a folder and change it."""
    above = next(path for path in folder.absolute().parents if path.is_dir())
    with locks.alone(above):
        yield


def _told_apart(content: bytes) -> str:
    return sha256(content).hexdigest()
