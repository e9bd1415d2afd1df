"""Names of repositories: a local folder, or an address to clone from."""

from __future__ import annotations

import re

PROTOCOLS = ("https", "ssh", "git", "file")
"""Protocols that transfer only git data."""

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.+|[\w.-]+@[\w.-]+:[^:].*", re.DOTALL)


def is_address(repository: str) -> bool:
    """True for `https://host/path` and `user@host:path`; anything else is a local folder."""
    return bool(ADDRESS.fullmatch(repository))


def protocol(address: str) -> str:
    """Returns the protocol of an address in lower case."""
    return address.partition("://")[0].lower() if "://" in address else "ssh"


def without_password(address: str) -> str:
    """Returns an address without user name and password, for messages."""
    return re.sub(r"(?<=://)[^/]*@", "", address)


def last_name(place: str) -> str:
    """Returns the short name of a repository: the last component of its folder or address, without `.git`."""
    name = re.split(r"[/:\\]", place.rstrip("/"))[-1]
    return name.removesuffix(".git") or name
