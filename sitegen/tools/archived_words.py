"""Shows what the archive has of a term or of a release, without a build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sitegen.model import EntryText, SitegenError
from sitegen.permanence.archive import Archive, ArchivedEdition
from sitegen.permanence.archive_file import archive_store_in, read
from sitegen.permanence.states import entry_text
from sitegen.sources.projects import Project
from sitegen.text.names import fold
from sitegen.text.summary import summary


def archived_words(project: Project, name: str) -> list[Mapping[str, object]]:
    """Returns the published entries of a term, or of a release, by release. Raises `SitegenError`
    if there are none."""
    store = archive_store_in(project.folder, preview=True)
    archive = read(store, site=project.folder / "site").archive
    found = [*_entries(archive, name)]
    if not found:
        wanted = "write the name of a term or of a release as it was published"
        raise SitegenError(f"{store.path}: nothing is archived of {name!r}; {wanted}")
    return found


def _entries(archive: Archive, name: str) -> Iterator[Mapping[str, object]]:
    for id in sorted(archive.release_orders):
        for edition in archive.release_orders[id]:
            for text in map(entry_text, archive.texts_of(edition)):
                if edition.release == name or fold(name) in _names(text):
                    yield _facts(id, edition, text)


def _names(text: EntryText) -> set[str]:
    return {fold(one.text) for one in text.designations}


def _facts(source: str, edition: ArchivedEdition, text: EntryText) -> Mapping[str, object]:
    return {
        "source": source,
        "release": edition.release,
        "label": edition.label,
        "commit": edition.commit,
        "closed": edition.is_closed,
        "names": [one.text for one in text.designations],
        "text": text.definition.text,
        "summary": summary(text.definition),
    }


def lines(entries: list[Mapping[str, object]]) -> Iterator[str]:
    """Yields the lines to print: each release, and below it the names and the meaning of each
    entry."""
    last = None
    for entry in entries:
        release = entry["source"], entry["release"]
        if release != last:
            last = release
            state = "closed" if entry["closed"] else "open"
            facts = [str(entry[key]) for key in ("label", "commit") if entry[key]]
            yield f"{entry['source']} {entry['release']} ({', '.join((state, *facts))})"
        names = entry["names"]
        assert isinstance(names, list), "an entry has names"
        yield f"  {', '.join(names)}: {entry['summary']}"
