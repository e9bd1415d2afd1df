"""Names of files that every disk can hold, and paths that every disk keeps apart."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NAME_LIMIT = 255
"""Bytes in one name, on the file systems in common use."""

_UNFIT = re.compile(r'[\x00-\x1f\x7f\ud800-\udfff\\:*?"<>|]|[. ]$')
# Windows opens a device for these, whatever follows the first dot.
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)


@lru_cache(maxsize=4096)
def is_portable(name: str) -> bool:
    """True for a name that a file or folder can have on every disk in common use."""
    if name in {"", ".", ".."} or len(name.encode(errors="surrogatepass")) > NAME_LIMIT:
        return False
    return not _UNFIT.search(name) and not _DEVICE.fullmatch(name)


def folded(path: str) -> str:
    """Returns what a disk that ignores case and normal form takes a path for."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
