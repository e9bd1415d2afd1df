"""The [[corrected]] tables by which pages show the present words of a source in place of the
published ones (`sitegen correct`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from textwrap import indent

from sitegen.config.toml import TomlValue, table_text
from sitegen.model import Entry, Notify, SitegenError
from sitegen.permanence.archive_file import archive_store_in
from sitegen.permanence.composition import PublishedDifference
from sitegen.permanence.composition_notes import unread_notes
from sitegen.pipeline.site_build import read_site
from sitegen.pipeline.suggestions import rename_table
from sitegen.site.site import Site
from sitegen.sources.projects import Project
from sitegen.tools.document_files import read_document, write_document


@dataclass(frozen=True, kw_only=True)
class ReleaseCorrection:
    """A release whose source says something else now than was published."""

    source: str
    release: str
    differences: Sequence[PublishedDifference]
    renames: tuple[str, ...]
    """The [[rename]] tables that keep published renames: with the corrected words alone, these
    would not be recognized any more."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to show: each term with its published and its present words."""
        yield f"{self.source} {self.release}:"
        for difference in self.differences:
            yield f"  {difference.entry.name}: {_words(difference.published)}"
            yield f"    now: {_words(difference.now)}"
        for rename in self.renames:
            yield "  with a table that keeps a published rename:"
            yield from indent(rename, "    ").splitlines()


def _words(entry: Entry | None) -> str:
    """Returns the text of the definition of an entry; “not there” if there is no entry."""
    return entry.definition.text if entry else "not there"


def corrections(
    project: Project, *, may_lose_most: bool, notify: Notify
) -> tuple[tuple[ReleaseCorrection, ...], tuple[str, ...]]:
    """Returns a correction for each published release that has other words in its source now. Also
    returns notes about files that were not read, and therefore not compared.

    Raises `SitegenError` as a build does, and for a release that has lost most of its published
    terms, unless `may_lose_most` is set.
    """
    store = archive_store_in(project.folder)
    _, site = read_site(project, notify=notify, archive_store=store)
    result = []
    notes: list[str] = []
    for language_site in (site, *site.language_sites):  # the original and its translations
        notes += unread_notes(language_site.composed)
        for (source, release), composed in language_site.composed.releases.items():
            differences = composed.differences
            if not differences:
                continue
            if composed.loss and not may_lose_most:
                raise SitegenError(
                    f"{source} {release}: {composed.loss}; if other words were published by "
                    f"mistake, `sitegen correct --all` takes over everything"
                )
            renames = tuple(_published_renames(language_site, source, release, differences))
            result.append(
                ReleaseCorrection(
                    source=source, release=release, differences=differences, renames=renames
                )
            )
    return tuple(result), tuple(notes)


def _published_renames(
    site: Site, source: str, release: str, differences: Sequence[PublishedDifference]
) -> Iterator[str]:
    """Yields a [[rename]] for each published rename that the correction would undo.

    Such a rename was recognized by equal words on both sides; if the words of one side are
    corrected, they are not equal any more.
    """
    corrected_names = {difference.entry.name for difference in differences}
    for life in site.lives:
        for change in life.changes:
            before, after = change.before, change.after
            if change.source != source or before is None or after is None:
                continue
            if change.identity is None or change.identity.rule != "same words":
                continue
            is_from_release = change.previous == release
            is_to_release = change.release == release
            corrects_before = is_from_release and before.name in corrected_names
            corrects_after = is_to_release and after.name in corrected_names
            if corrects_before or corrects_after:
                yield rename_table(before, after, release=change.release)


def write(file: Path, correction: ReleaseCorrection, *, reason: str, day: date) -> None:
    """Adds a correction to site.toml. Raises `SitegenError` if it cannot be written."""
    text = read_document(file) if file.exists() else ""
    values: dict[str, TomlValue] = {
        "source": correction.source,
        "release": correction.release,
        "reason": reason,
        "date": day,
    }
    tables = "\n".join(["", "", table_text("[[corrected]]", values), *correction.renames])
    if "\r\n" in text:
        tables = tables.replace("\n", "\r\n")
    write_document(file, f"{text.rstrip()}{tables}".lstrip())
