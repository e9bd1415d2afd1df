"""Classifies paths: whether a file may be a glossary, and of which language and version.

Paths are relative to the repository. The words that occur in paths are in `glossary_names`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.formats import unread
from sitegen.sources import glossary_names as names
from sitegen.sources.git.trees import MAX_NAMES, is_version
from sitegen.text.release_names import ordered, parse_label

READABLE = names.READABLE | frozenset([".xml", *formats.suffixes()])
"""Suffixes of files that a format can read."""
PAGES = names.READABLE - {"", ".txt"} | {".adoc", ".asciidoc"}
"""Suffixes of files that may define one term each."""
NEXT = frozenset({"draft", "latest", "next"})
"""Names of folders for unreleased or latest versions, beside those of numbered versions."""


def is_skipped(folder: str) -> bool:
    return names.is_elsewhere(folder) and not (names.suggests_glossary(folder) and not folder.startswith("."))


@lru_cache(maxsize=MAX_NAMES)
def may_be_glossary(name: str, *, is_inside: bool) -> bool:
    path = PurePosixPath(name)
    stem, ending = path.stem, path.suffix.lower()
    if name.startswith("."):
        return False
    if is_inside and not names.suggests_glossary(stem):
        return ending in PAGES
    is_named = names.suggests_glossary(stem) or name in names.CONTEXT
    return is_named and (ending in READABLE or ending in unread.DOCUMENTS)


def by_folder(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Groups the files by the folder whose name suggests a glossary; other files are groups of their own."""
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in sorted(files.items()):
        *folders, _ = path.split("/")
        depth = next((depth for depth, folder in enumerate(folders, 1) if names.suggests_glossary(folder)), 0)
        while depth and depth < len(folders) and (names.language_of(folders[depth]) or is_version(folders[depth])):
            depth += 1
        is_other = PurePosixPath(path).suffix.lower() not in PAGES
        places["/".join(folders[:depth]) if depth and not is_other else path][path] = id
    # A folder with a single file is not a folder of term files.
    return {next(iter(inside)) if len(inside) == 1 else path: inside for path, inside in places.items()}


def dimensions(path: str) -> tuple[str, str, str]:
    """Returns a path without language and version, the language, and the name of the version folder."""
    *folders, name = path.split("/")
    language = next((found for part in folders if (found := names.language_of(part))), "")
    version = next((part for part in folders if is_version_folder(part)), "")
    stem, dot, ending = name.rpartition(".")
    match = re.fullmatch(r"(.+?)[._-]([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)", stem)
    if dot and match and not language and (found := names.language_of(match[2])):
        language, name = found, f"{match[1]}.{ending}"
    elif not dot and not language and (found := names.language_of(name)):
        language, name = found, ""
    if version and "versioned_docs" in folders:
        folders[folders.index("versioned_docs")] = "docs"
    generic = [part for part in folders if part not in (language, version)]
    return "/".join([*generic, name]), language, version


def by_age(versions: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of version folders, oldest first; `NEXT` folders come before numbered ones."""
    ordered_names = ordered(versions)
    return (*(name for name in ordered_names if name in NEXT), *(name for name in ordered_names if name not in NEXT))


def current_first(paths: Iterable[str]) -> list[str]:
    """Returns the paths without duplicates, with those in version folders last."""
    newest, *others = dict.fromkeys(paths)
    versioned = {path: dimensions(path)[2] for path in others}
    by_version = {version: path for path, version in versioned.items() if version}
    archived = [by_version[version] for version in reversed(by_age(by_version))]
    return [newest, *(path for path in others if path not in archived), *archived]


def is_version_folder(name: str) -> bool:
    if name in NEXT or name.startswith("version-"):
        return True
    label = parse_label(name)
    return label.scheme != "word" and label.family in ("", "docs") and bool(re.search(r"\d", name))


def is_main_language(code: str) -> bool:
    return code == "" or code.lower().startswith("en")
