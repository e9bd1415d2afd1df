"""What a build says besides problems: what is left out although no document has a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.patterns import literal
from sitegen.config.toml import key_value
from sitegen.model import Source, counted, first_of
from sitegen.permanence import composition_notes
from sitegen.pipeline.suggestions import suggestions
from sitegen.site import exports
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import compared_entries, entries_of
from sitegen.text.names import fold
from sitegen.text.release_names import parse_label

MOST_TAGS = 5
"""The number of tags that a note names."""


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
        tags = f"{counted(len(skipped.names), 'tag')} ({first_of(skipped.names, limit=MOST_TAGS)})"
        found = f"{source.id}: {tags} not read:"
        if skipped.reason == "alias":
            yield f"{found} moving or repeating a release"
        elif skipped.reason == "maintenance":
            newest = skipped.names[-1]
            tags_of_line = key_value("tags", (pattern_of_release_line(newest),)).strip()
            wanted = f"a [[source]] with {tags_of_line} reads such a line"
            wanted += "; exclude leaves out a stray tag"
            yield f"{found} of an older line, with other words; {wanted}"


def pattern_of_release_line(tag: str) -> str:
    """Returns a pattern for the tags of the line of releases that a tag belongs to.

    >>> pattern_of_release_line("v2.0.1")
    'v2.0*'
    """
    prefix = parse_label(tag).prefix
    major_and_minor = re.match(r"\d+(?:[-._]\d+)?", tag.removeprefix(prefix))
    line = prefix
    if major_and_minor:
        line += major_and_minor[0]
    return f"{literal(line)}*"


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


def probable_renames(site: Site, config: Config) -> Iterator[str]:
    """Yields the lines for site.toml about terms that may have been renamed, each with its
    reason."""
    for one in suggestions(site, config):
        yield f"# {one.reason}\n{one.same}"


def _former_addresses(site: Site) -> Iterator[str]:
    """Yields a line for each other address at which the site was published."""
    for address in site.published.by_address:
        # Beside the pages of the site, the archive has each `base_url`.
        if urls.is_web(address) and address != site.base_url:
            yield f"the site was published at {address}; keep serving it there"
