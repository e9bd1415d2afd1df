"""Shows what the archive has of a term or of a release, without a build."""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.model import EntryText, SitegenError
from sitegen.permanence.archive import Archive, ArchivedEdition
from sitegen.permanence.archive_file import archive_store_in, read
from sitegen.permanence.states import entry_text
from sitegen.sources.projects import Project
from sitegen.text.names import fold
from sitegen.text.summary import summary


def archived_words(project: Project, name: str) -> list[str]:
    """Returns the lines to print about a term or a release: each release, and below it the names
    and the meaning of each published entry. Raises `SitegenError` if there are none."""
    store = archive_store_in(project.folder, preview=True)
    archive = read(store, site=project.folder / "site").archive
    found = [*_lines(archive, name)]
    if not found:
        wanted = "write the name of a term or of a release as it was published"
        raise SitegenError(f"{store.path}: nothing is archived of {name!r}; {wanted}")
    return found


def _lines(archive: Archive, name: str) -> Iterator[str]:
    for id in sorted(archive.release_orders):
        for edition in archive.release_orders[id]:
            found = []
            for line in archive.texts_of(edition):
                text = entry_text(line)
                if edition.release == name or _has_name(text, name):
                    found.append(text)
            if found:
                yield f"{id} {edition.release} ({_facts(edition)})"
            for text in found:
                names = ", ".join([one.text for one in text.designations])
                yield f"  {names}: {summary(text.definition)}"


def _has_name(text: EntryText, name: str) -> bool:
    return any(fold(one.text) == fold(name) for one in text.designations)


def _facts(edition: ArchivedEdition) -> str:
    """Returns the state of a release, and where it was read."""
    state = "closed" if edition.is_closed else "open"
    return ", ".join(filter(None, (state, edition.label, edition.commit)))
