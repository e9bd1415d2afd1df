"""What a build says besides problems: what is left out although no document has a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.model import Source, counted, first_of
from sitegen.permanence import composition_notes
from sitegen.pipeline.suggestions import suggestions
from sitegen.site import exports
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import compared_entries, entries_of
from sitegen.text.names import fold


def notes(site: Site, sources: Iterable[Source]) -> Iterator[str]:
    """Yields the notes about a site, each as one line. `sources` are as they were read; those of
    the site are completed by the archive."""
    for source in sources:
        yield from _unread_tags(source)
        yield from _unreleased_edits(site, source)
    for one in (site, *site.language_sites):
        yield from composition_notes.notes(one.composed)
    yield from _former_addresses(site)
    yield from exports.notes(site)


def _unread_tags(source: Source) -> Iterator[str]:
    """Yields a note about the tags that repeat a release, and one about the tags of a maintenance
    line. Other tags, such as pre-releases, need none."""
    for skipped in source.skipped:
        tags = f"{counted(len(skipped.names), 'tag')} ({first_of(skipped.names)})"
        found = f"{source.id}: {tags} not read:"
        if skipped.reason == "alias":
            yield f"{found} moving or repeating a release"
        elif skipped.reason == "maintenance":
            wanted = "a [[source]] with `tags` of their own reads such a line"
            wanted += "; exclude leaves out a stray tag"
            yield f"{found} of an older line, with other words; {wanted}"


def _unreleased_edits(site: Site, source: Source) -> Iterator[str]:
    """Yields a line with the number of terms that were changed since the newest release, if the
    site does not show the branch with the changes."""
    if source.pending is None:
        return
    newest = site.source(source.id).releases[-1]
    released_entries = compared_entries(newest.entries)
    pending_entries = compared_entries(entries_of(source.pending.documents))
    changed_entries = released_entries ^ pending_entries  # those that are in only one of the two
    # A reworded term is there twice, perhaps with another spelling of its name: it counts once.
    name_of_folded: dict[str, str] = {}
    for name in sorted(entry.designations[0].text for entry in changed_entries):
        name_of_folded.setdefault(fold(name), name)
    if not name_of_folded:
        return
    names = sorted(name_of_folded.values())
    are = "is" if len(names) == 1 else "are"
    terms = f"{counted(len(names), 'term')} changed since {newest.name} {are}"
    wanted = f'head = "{source.pending.label}" in [[source]] shows unreleased changes'
    yield f"{source.id}: {terms} not shown ({first_of(names)}); {wanted}"


def note_on_renames(site: Site, config: Config) -> Iterator[str]:
    """Yields a line with the number of terms that were probably renamed, if there are any."""
    number = len(suggestions(site, config))
    if number:
        were = "was" if number == 1 else "were"
        terms = f"{counted(number, 'term')} {were} probably renamed"
        yield f"{terms}; decide what `sitegen check` says of them before you publish"


def _former_addresses(site: Site) -> Iterator[str]:
    """Yields a line for each other address at which the site was published."""
    for address in site.published.by_address:
        # Beside the pages of the site, the archive has each `base_url`.
        if urls.is_web(address) and address != site.base_url:
            yield f"the site was published at {address}; keep serving it there"
