"""The parts of an archive that belong to the sites of languages, whose pages are in folders."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sitegen.permanence.archive import Archive, ArchivedEdition, ArchivedPage, Line


def published_folders_not_in(folders: Collection[str], archive: Archive) -> tuple[str, ...]:
    """Returns the folders of published languages that are not in `folders`."""
    published = set()
    for address in archive.by_address:
        folder, _, rest = address.removeprefix("/").partition("/")
        if rest.startswith("term/"):
            published.add(f"{folder}/")
    return tuple(sorted(published.difference(folders)))


def part_of_language(archive: Archive, folder: str, sources: Collection[str]) -> Archive:
    """Returns the part of an archive with the pages in a folder, such as `fr/`, and the editions of
    some sources."""
    lines: dict[str, Line] = {}
    for sum, line in archive.lines.items():
        if isinstance(line, ArchivedPage):
            if line.address.startswith(f"/{folder}"):
                below = line.address.removeprefix(f"/{folder}")
                lines[sum] = replace(line, address=f"/{below}")
        elif not isinstance(line, ArchivedEdition) or archive.present_id(line.source) in sources:
            lines[sum] = line
    return Archive(lines)


def without_languages(
    archive: Archive, folders: Collection[str], sources: Collection[str]
) -> Archive:
    """Returns the part of an archive without the pages in some folders, and without the editions of
    some sources."""
    below = tuple(f"/{folder}" for folder in folders)
    lines: dict[str, Line] = {}
    for sum, line in archive.lines.items():
        if isinstance(line, ArchivedPage) and line.address.startswith(below):
            continue
        if isinstance(line, ArchivedEdition) and archive.present_id(line.source) in sources:
            continue
        lines[sum] = line
    return Archive(lines)
