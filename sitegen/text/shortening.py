"""Shortens texts."""

from __future__ import annotations


def without_last_word(beginning: str) -> str:
    """Returns the beginning of a text without its last word, which may be cut, and with “ …”.

    >>> without_last_word("Holds files, and fol")
    'Holds files, and …'
    """
    parts = beginning.rsplit(None, 1)
    words = parts[0].rstrip(" ,;:–—") if parts else ""
    return f"{words} …"
