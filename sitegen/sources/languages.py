"""Recognizes languages in names of files and folders: `fr`, `pt-BR`, `cache.fr.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

LANGUAGE = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?", re.IGNORECASE)
LANGUAGES = frozenset(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km"
    " kn ko ky lt lv mk ml mn mr ms my nb ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr"
    " uk ur uz vi zh zu cn jp kr ua br tw".split()
)

T = TypeVar("T")


def language_of(part: str) -> str:
    """Returns the path component if it is a language code, else an empty string."""
    match = LANGUAGE.fullmatch(part)
    return part if match and match[1].lower() in LANGUAGES else ""


def without_translations(files: Mapping[str, T]) -> dict[str, T]:
    """Returns the files without those that translate another one: `cache.fr.md` beside `cache.md`."""

    def is_translation(path: str) -> bool:
        stem, dot, suffix = path.rpartition(".")
        original, _, tag = stem.rpartition(".")
        return language_of(tag) != "" and original + dot + suffix in files

    return {path: content for path, content in files.items() if not is_translation(path)}
