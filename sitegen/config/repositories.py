"""How a repository is named: by a folder of this machine, or by an address to clone it from."""

from __future__ import annotations

import re

PROTOCOLS = ("https", "ssh", "git", "file")
"""Those that carry nothing else than git, and that nobody on the way can change unseen."""

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.+|[\w.-]+@[\w.-]+:[^:].*", re.DOTALL)


def is_address(repository: str) -> bool:
    """True for `https://host/path` and `user@host:path`; anything else is a folder of this machine."""
    return bool(ADDRESS.fullmatch(repository))


def protocol(address: str) -> str:
    """Returns the protocol of an address, in small letters."""
    return address.partition("://")[0].lower() if "://" in address else "ssh"


def without_password(address: str) -> str:
    """Returns an address as it may be shown."""
    return re.sub(r"(?<=://)[^/]*@", "", address)


def last_name(place: str) -> str:
    """Returns what people call a repository: the last name of its folder or address, without `.git`."""
    name = re.split(r"[/:\\]", place.rstrip("/"))[-1]
    return name.removesuffix(".git") or name
